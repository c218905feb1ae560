package io.posconnect.tool;

import io.posconnect.config.SourceConfig;
import io.posconnect.json.Row;
import io.posconnect.record.FieldList;
import io.posconnect.resource.FieldName;
import io.posconnect.resource.KeyPart;
import io.posconnect.resource.Resource;
import io.posconnect.resource.Stream;
import io.posconnect.task.RecordContracts;
import io.posconnect.tool.StreamReader.Ending;
import java.util.ArrayList;
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
  final DeclaredFields declared;
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
   */
  ResourceProfile(SourceConfig source, Stream stream) {
    resource = source.resource(stream);
    keyKnown = !resource.keyFields().contains(SourceConfig.KEY_TO_FIND);
    declared =
        new DeclaredFields(RecordContracts.declared(source, stream))
            .without(SourceConfig.KEY_TO_FIND);
    types = new TypeChoice.Catalog(source.decimalMode(), new HashMap<>());
    personal = new PersonalFields(source.privacy(resource.name()), resource.keyFields());
    proof = new KeyProof(RecordContracts.contract(source, stream), resource.occurrences());
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
    // Rows may spell it in either form; the connector knows one field.
    String name = FieldName.composed(row.name(i));
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

  Discovered conclude(List<Ending> samples) {
    foundKey().ifPresent(personal.found::remove); // No key can be excluded.
    List<FieldDecision> decisions = fields.values().stream().map(FieldDecision::new).toList();
    DeclaredFields.Names names = declared.new Names(List.copyOf(fields.keySet()));
    List<Schema.Field> all = new ArrayList<>(declared.record().getFields());
    for (FieldDecision decision : decisions) {
      if (decision.isAdded()) {
        String service = decision.field.name;
        Schema type = decision.type.orElseThrow().avro();
        all.add(FieldList.optional(List.of(names.of(service), service), type));
      }
    }
    return new Discovered(this, samples, decisions, declared.with(all));
  }

  /** The field that is proposed as the key of a resource without one. */
  Optional<String> foundKey() {
    return keyCandidates().stream().filter(any -> !keyKnown).findFirst();
  }

  /**
   * Fields that differ in all rows of each location, the likeliest key first. Whatever else differs
   * has a name that no setting can say.
   */
  List<String> keyCandidates() {
    return proof.unique().stream()
        .filter(name -> KeyPart.isName(name) && !References.mayBegin(name))
        .filter(name -> isKeyType(fields.get(name)))
        .toList();
  }

  /** A whole number, or a text that is no time. */
  private boolean isKeyType(@Nullable FieldProfile field) {
    return field != null
        && !field.ambiguous
        && (field.fits("long") || field.fits("string"))
        && field.count(Observation.TIME) == 0;
  }
}
