package io.posconnect.tool;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import org.apache.avro.Schema;

/**
 * The contract to declare: the declared fields as they are, followed by the new ones by name, so
 * that readers of either contract understand both.
 *
 * @param contract an Avro record schema
 * @param decisions one for each field that was found, by name
 * @param unseen declared fields that no row had
 */
record Proposal(Schema contract, List<FieldDecision> decisions, List<String> unseen) {

  /**
   * @param required names of fields that identify a row; they are never null
   */
  static Proposal of(
      DeclaredFields declared, List<FieldDecision> decisions, List<String> required) {
    List<String> found = decisions.stream().map(decision -> decision.field.name).toList();
    DeclaredFields.Names names = declared.new Names(found);
    List<Schema.Field> fields = new ArrayList<>();
    for (Schema.Field field : declared.record().getFields()) {
      fields.add(new Schema.Field(field, field.schema()));
    }
    for (FieldDecision decision : decisions) {
      if (decision.isAdded()) {
        boolean key = required.stream().anyMatch(decision.field.name::equalsIgnoreCase);
        fields.add(field(decision, names.of(decision.field.name), key));
      }
    }
    Schema before = declared.record();
    Schema contract =
        Schema.createRecord(before.getName(), before.getDoc(), before.getNamespace(), false);
    before.getObjectProps().forEach(contract::addProp);
    contract.setFields(fields);
    return new Proposal(contract, decisions, unseen(declared, found));
  }

  private static Schema.Field field(FieldDecision decision, String name, boolean key) {
    Schema type = decision.type.orElseThrow().avro();
    Schema.Field field =
        key
            ? new Schema.Field(name, type)
            : new Schema.Field(
                name,
                Schema.createUnion(Schema.create(Schema.Type.NULL), type),
                null,
                Schema.Field.NULL_DEFAULT_VALUE);
    if (!name.equals(decision.field.name)) {
      field.addAlias(decision.field.name);
    }
    return field;
  }

  private static List<String> unseen(DeclaredFields declared, Collection<String> found) {
    return declared.record().getFields().stream()
        .filter(field -> found.stream().noneMatch(name -> DeclaredFields.isNamed(field, name)))
        .map(Schema.Field::name)
        .toList();
  }

  /** The name under which consumers see a field of the service; empty when it stays in extra. */
  Optional<String> column(FieldProfile field) {
    return field.ambiguous
        ? Optional.empty()
        : new DeclaredFields(contract).find(field.name).map(Schema.Field::name);
  }

  /** The decisions that are of a kind. */
  List<FieldDecision> with(Predicate<FieldDecision> kind) {
    return decisions.stream().filter(kind).toList();
  }
}
