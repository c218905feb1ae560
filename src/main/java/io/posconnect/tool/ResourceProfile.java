package io.posconnect.tool;

import io.posconnect.config.SourceConfig;
import io.posconnect.json.Row;
import io.posconnect.record.DeclaredSchemas;
import io.posconnect.record.FieldList;
import io.posconnect.resource.KeyPart;
import io.posconnect.resource.Resource;
import io.posconnect.resource.Stream;
import io.posconnect.task.RecordContracts;
import io.posconnect.tool.StreamReader.Ending;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.apache.avro.Schema;
import org.jspecify.annotations.Nullable;

/**
 * Discovers one resource: sums up its sampled rows, of all locations, and concludes with a
 * proposal. It keeps no row.
 */
final class ResourceProfile {

  /** A row that uses names as data must not fill the memory. */
  static final int MOST_FIELDS = 2_000;

  final Resource resource;
  final boolean keyKnown;
  private final DeclaredFields declared;
  private final TypeChoice.Catalog types;
  final KeyProof proof;
  final PersonalFields personal;
  private final Map<String, FieldProfile> fields = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);

  /** Number of rows that are no objects, or exceed a limit. */
  long unreadable;

  /** Whether rows had more fields than are profiled. */
  boolean tooManyFields;

  /**
   * @param stream any of the resource's
   * @param micros whether a time finer than a millisecond may be a number of microseconds
   * @param typeKeys whether the key of a resource without a schema may get another type than text
   */
  ResourceProfile(
      DiscoveryBase base, SourceConfig source, Stream stream, boolean micros, boolean typeKeys) {
    resource = source.resource(stream);
    keyKnown = !base.keyless().contains(resource.name());
    declared = new DeclaredFields(declared(source, stream, typeKeys));
    types = new TypeChoice.Catalog(source.decimalMode(), micros, new HashMap<>());
    personal = new PersonalFields(source.privacy(resource.name()), resource.keyFields());
    proof = new KeyProof(RecordContracts.contract(source, stream), resource.occurrences());
  }

  /** What is declared so far; without the key where even its type is open. */
  private Schema declared(SourceConfig source, Stream stream, boolean typeKeys) {
    Schema declared = RecordContracts.declared(source, stream);
    if (!keyKnown) {
      return DiscoveryBase.withoutStandIn(new DeclaredFields(declared));
    }
    boolean undeclared =
        source.schema(resource.name()).isEmpty()
            && DeclaredSchemas.builtIn(resource.name()).isEmpty();
    if (!typeKeys || !undeclared) {
      return declared;
    }
    // The names of a|b need one type, which rows of one of them do not show.
    List<String> text =
        resource.keyFields().stream().filter(key -> KeyPart.of(key).names().size() > 1).toList();
    return FieldList.added(
        FieldList.keysOnly(declared.getFullName(), text), source.fields(resource.name()));
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
    fields.computeIfAbsent(name, this::profile).add(row, i);
  }

  private FieldProfile profile(String name) {
    return new FieldProfile(
        name, types, declared.find(name).map(field -> types.of(field.schema())));
  }

  long rows() {
    return proof.rows;
  }

  Discovered conclude(List<Ending> samples) {
    foundKey().ifPresent(personal.found::remove); // No key can be excluded.
    List<KeyPart> key =
        keyKnown
            ? KeyPart.all(resource.keyFields())
            : foundKey().map(name -> new KeyPart(List.of(name), false)).stream().toList();
    // A contract has every part of the key, also one that no row has.
    key.stream()
        .flatMap(part -> part.names().stream())
        .filter(name -> declared.find(name).isEmpty())
        .forEach(name -> fields.computeIfAbsent(name, this::profile));
    List<FieldDecision> decisions =
        fields.values().stream()
            .map(
                field ->
                    new FieldDecision(
                        field, key.stream().filter(part -> part.isNamed(field.name)).findFirst()))
            .toList();
    return Discovered.of(this, samples, declared, decisions);
  }

  /** The field that is proposed as the key of a resource without one. */
  Optional<String> foundKey() {
    return keyCandidates().stream().filter(any -> !keyKnown).findFirst();
  }

  /** Fields that differ in all rows of each location, the likeliest key first. */
  List<String> keyCandidates() {
    return proof.unique().stream().filter(name -> isKeyType(fields.get(name))).toList();
  }

  /** A whole number, or a text that is no time. */
  private boolean isKeyType(@Nullable FieldProfile field) {
    return field != null
        && !field.ambiguous
        && (field.fits("long") || field.fits("string"))
        && field.count(Observation.TIME) == 0;
  }
}
