package io.posconnect.task;

import io.posconnect.record.FieldList;
import io.posconnect.resource.KeyPart;
import io.posconnect.resource.Privacy.Action;
import io.posconnect.resource.Privacy.Field;
import io.posconnect.resource.Privacy.Fields;
import java.util.List;
import org.apache.avro.Schema;

/**
 * Refuses declarations that do not fit the private fields: a hashed field of another type than
 * string, since a hash is one, and a key field that is excluded by an alias.
 */
final class PrivateFields {

  private PrivateFields() {}

  /**
   * @throws IllegalArgumentException that names the field
   */
  static void check(Schema record, List<KeyPart> key, Fields fields) {
    key.stream()
        .flatMap(part -> part.names().stream())
        .map(fields::find)
        .filter(field -> field.action() == Action.EXCLUDE && !field.equals(Field.UNLISTED))
        .forEach(field -> refuseKey(field.path()));
    check(record, fields);
  }

  private static void refuseKey(String path) {
    throw new IllegalArgumentException(
        "exclude.fields removes the key field %s, or an alias of it: hash it instead"
            .formatted(path));
  }

  private static void check(Schema record, Fields fields) {
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
