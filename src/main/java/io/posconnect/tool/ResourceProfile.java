package io.posconnect.tool;

import io.posconnect.json.JsonText;
import io.posconnect.json.Row;
import io.posconnect.record.RowSchema;
import io.posconnect.resource.Stream;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Sums up the rows of one resource from all locations that were looked at. Of the rows themselves
 * it keeps a few: those that showed something new, by which the proposal is tried.
 */
final class ResourceProfile {

  /** A row that uses names as data must not fill the memory. */
  static final int MOST_FIELDS = 2_000;

  private static final int MOST_KEPT = 400;
  private static final long MOST_KEPT_BYTES = 32 << 20;
  private static final int FIRST_KEPT = 50;

  /** A row that was kept, and the stream that it came from. */
  record Kept(Stream stream, Row row) {}

  private final DeclaredFields declared;
  private final TypeChoice.Catalog types;
  private final RowSchema contract;
  private final boolean occurrences;
  private final Map<String, FieldProfile> fields = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
  private final Map<Stream, KeyProof> proofs = new LinkedHashMap<>();
  private final List<Kept> kept = new ArrayList<>();
  private long keptBytes;
  private long rows;
  private long unreadable;
  private boolean tooManyFields;

  ResourceProfile(
      DeclaredFields declared, TypeChoice.Catalog types, RowSchema contract, boolean occurrences) {
    this.declared = declared;
    this.types = types;
    this.contract = contract;
    this.occurrences = occurrences;
  }

  /**
   * Takes in a row.
   *
   * @param fetch number of the read of its stream that brought it
   * @param different whether its stream has not shown the very same before
   */
  void add(Stream stream, Row row, int fetch, boolean different) {
    KeyProof proof = proofs.computeIfAbsent(stream, s -> new KeyProof(contract, occurrences));
    proof.add(row, fetch, different);
    if (!different) {
      return;
    }
    rows++;
    if (row.kind() != Row.Kind.OBJECT) {
      unreadable++;
      return;
    }
    boolean news = proof.rows() <= FIRST_KEPT;
    for (int i = 0; i < row.size(); i++) {
      news |= add(row, i);
    }
    if (news && kept.size() < MOST_KEPT && keptBytes + row.length() <= MOST_KEPT_BYTES) {
      kept.add(new Kept(stream, row));
      keptBytes += row.length();
    }
  }

  private boolean add(Row row, int i) {
    FieldProfile field = fields.get(row.name(i));
    if (field == null) {
      if (fields.size() == MOST_FIELDS) {
        tooManyFields = true;
        return false;
      }
      field =
          new FieldProfile(
              row.name(i),
              declared.find(row.name(i)).flatMap(f -> types.declared(f.schema())),
              types.tested());
      fields.put(row.name(i), field);
    }
    if (row.ambiguous(i)) {
      field.twins();
    }
    return field.add(row.name(i), JsonText.of(row, i));
  }

  long rows() {
    return rows;
  }

  /** Rows that are no objects, or exceed a limit. */
  long unreadable() {
    return unreadable;
  }

  /** Whether rows had more fields than are looked at. */
  boolean hasTooManyFields() {
    return tooManyFields;
  }

  /** Every field, by its name. */
  Collection<FieldProfile> fields() {
    return fields.values();
  }

  List<Kept> kept() {
    return kept;
  }

  Collection<KeyProof> proofs() {
    return proofs.values();
  }

  /** Fields by which the rows of every location can be told apart, the likeliest first. */
  List<String> keyCandidates() {
    Set<String> unique = new LinkedHashSet<>();
    for (KeyProof proof : proofs.values()) {
      if (unique.isEmpty()) {
        unique.addAll(proof.unique());
      } else {
        unique.retainAll(proof.unique());
      }
    }
    return unique.stream()
        .filter(name -> isKeyType(fields.get(name)))
        .sorted((a, b) -> Integer.compare(KeyProof.likeliness(b), KeyProof.likeliness(a)))
        .toList();
  }

  /** A whole number, or a text that is no time. */
  private boolean isKeyType(@Nullable FieldProfile field) {
    return field != null
        && !field.isAmbiguous()
        && (field.fits(types.whole) || field.fits(types.text))
        && field.count(Trait.TIME) == 0;
  }
}
