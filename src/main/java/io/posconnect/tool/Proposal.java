package io.posconnect.tool;

import io.posconnect.tool.FieldDecision.Change;
import io.posconnect.tool.TypeChoice.Catalog;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.apache.avro.Schema;

/**
 * Makes a contract of what was declared and what was found: the declared fields as they are, and
 * the others behind them by name, so that readers of both contracts understand both.
 *
 * @param contract the Avro schema to be declared
 * @param decisions one for each field that was found, by name
 * @param unseen declared fields that no row had
 */
record Proposal(Schema contract, List<FieldDecision> decisions, List<String> unseen) {

  /**
   * @param required names of fields that identify a row; they are never null
   */
  static Proposal of(
      DeclaredFields declared,
      ResourceProfile profile,
      Catalog types,
      boolean micros,
      List<String> required) {
    List<FieldDecision> decisions =
        profile.fields().stream().map(field -> FieldDecision.of(field, types, micros)).toList();
    DeclaredFields.Names names =
        declared.new Names(profile.fields().stream().map(FieldProfile::name).toList());
    List<Schema.Field> fields = new ArrayList<>();
    for (Schema.Field field : declared.record().getFields()) {
      fields.add(copy(field));
    }
    decisions.stream()
        .filter(decision -> decision.change() == Change.ADDED)
        .sorted(Comparator.comparing(decision -> decision.field().name()))
        .forEach(decision -> fields.add(field(decision, names, required)));
    Schema before = declared.record();
    Schema contract =
        Schema.createRecord(before.getName(), before.getDoc(), before.getNamespace(), false);
    before.getObjectProps().forEach(contract::addProp);
    contract.setFields(fields);
    return new Proposal(contract, decisions, unseen(declared, profile));
  }

  private static Schema.Field copy(Schema.Field field) {
    return new Schema.Field(field, field.schema());
  }

  private static Schema.Field field(
      FieldDecision decision, DeclaredFields.Names names, List<String> required) {
    String service = decision.field().name();
    String name = names.of(service);
    Schema type = decision.type().orElseThrow().avro();
    boolean key = required.stream().anyMatch(service::equalsIgnoreCase);
    Schema.Field field =
        key
            ? new Schema.Field(name, type)
            : new Schema.Field(
                name,
                Schema.createUnion(Schema.create(Schema.Type.NULL), type),
                null,
                Schema.Field.NULL_DEFAULT_VALUE);
    if (!name.equals(service)) {
      field.addAlias(service);
    }
    return field;
  }

  private static List<String> unseen(DeclaredFields declared, ResourceProfile profile) {
    return declared.record().getFields().stream()
        .filter(
            field ->
                profile.fields().stream()
                    .noneMatch(found -> DeclaredFields.goesBy(field, found.name())))
        .map(Schema.Field::name)
        .toList();
  }

  /** The name under which consumers see a field that was found; empty when it stays in extra. */
  Optional<String> column(FieldProfile field) {
    return field.isAmbiguous()
        ? Optional.empty()
        : new DeclaredFields(contract).find(field.name()).map(Schema.Field::name);
  }

  List<FieldDecision> with(Change change) {
    return decisions.stream().filter(decision -> decision.change() == change).toList();
  }
}
