package io.posconnect.task;

import io.posconnect.record.FieldList;
import io.posconnect.resource.Privacy.Action;
import io.posconnect.resource.Privacy.Field;
import io.posconnect.resource.Privacy.Fields;
import org.apache.avro.Schema;

/** Refuses hashed fields that are not declared as strings: a hash fits no other type. */
final class HashedFields {

  private HashedFields() {}

  /**
   * @throws IllegalArgumentException that names the field
   */
  static void check(Schema record, Fields fields) {
    for (Schema.Field declared : record.getFields()) {
      FieldList.names(declared)
          .map(fields::find)
          .filter(field -> field.action() != Action.KEEP || !field.within().isEmpty())
          .findFirst()
          .ifPresent(field -> check(declared.schema(), field));
    }
  }

  private static void check(Schema type, Field field) {
    switch (type.getType()) {
      case NULL -> {}
      case UNION -> type.getTypes().forEach(each -> check(each, field));
      case ARRAY -> check(type.getElementType(), field);
      default -> {
        boolean text = type.getType() == Schema.Type.STRING && type.getLogicalType() == null;
        if (field.action() == Action.HASH && !text) {
          throw new IllegalArgumentException(
              "the field %s is hashed, and a hash is a string: declare it so, by %1$s:string among the resource's fields or in its schema"
                  .formatted(field.path()));
        }
        if (field.action() == Action.KEEP && type.getType() == Schema.Type.RECORD) {
          check(type, field.within());
        }
      }
    }
  }
}
