package io.posconnect.tool;

import io.posconnect.json.JsonText;
import io.posconnect.json.Row;
import io.posconnect.resource.Stream;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Sums up the sampled rows of one resource, of all locations. It keeps none of them. */
final class ResourceProfile {

  /** A row that uses names as data must not fill the memory. */
  static final int MOST_FIELDS = 2_000;

  private final DeclaredFields declared;
  private final TypeChoice.Catalog types;
  final KeyProof proof;
  final PersonalFields personal;
  private final Map<String, FieldProfile> fields = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
  private long unreadable;
  private boolean tooManyFields;

  ResourceProfile(
      DeclaredFields declared, TypeChoice.Catalog types, KeyProof proof, PersonalFields personal) {
    this.proof = proof;
    this.personal = personal;
    this.declared = declared;
    this.types = types;
  }

  /**
   * Adds a row.
   *
   * @param fetch number of the read of its stream that brought it
   * @param different whether no row of its stream before was the same in every byte
   */
  void add(Stream stream, Row row, int fetch, boolean different) {
    proof.add(stream, row, fetch, different);
    if (!different) {
      return;
    }
    if (row.kind() != Row.Kind.OBJECT) {
      unreadable++;
      return;
    }
    personal.add(row);
    for (int i = 0; i < row.size(); i++) {
      add(row, i);
    }
  }

  private void add(Row row, int i) {
    String name = row.name(i);
    if (fields.size() == MOST_FIELDS && !fields.containsKey(name)) {
      tooManyFields = true;
      return;
    }
    FieldProfile field = fields.computeIfAbsent(name, this::profile);
    if (row.ambiguous(i)) {
      field.markAmbiguous();
    }
    field.add(name, JsonText.of(row, i));
  }

  private FieldProfile profile(String name) {
    return new FieldProfile(
        name, types, declared.find(name).flatMap(field -> types.declared(field.schema())));
  }

  long rows() {
    return proof.rows();
  }

  /** Number of rows that are no objects, or exceed a limit. */
  long unreadable() {
    return unreadable;
  }

  /** Returns whether rows had more fields than are profiled. */
  boolean hasTooManyFields() {
    return tooManyFields;
  }

  Collection<FieldProfile> fields() {
    return fields.values();
  }

  /** Fields that differ in all rows of each location, the likeliest key first. */
  List<String> keyCandidates() {
    return proof.unique().stream().filter(name -> isKeyType(fields.get(name))).toList();
  }

  /** A whole number, or a text that is no time. */
  private boolean isKeyType(@Nullable FieldProfile field) {
    return field != null
        && !field.isAmbiguous()
        && (field.fits(types.whole) || field.fits(types.text))
        && field.count(Observation.TIME) == 0;
  }
}
