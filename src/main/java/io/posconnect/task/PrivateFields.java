package io.posconnect.task;

import io.posconnect.record.FieldList;
import io.posconnect.resource.Privacy.Action;
import io.posconnect.resource.Privacy.Field;
import io.posconnect.resource.Privacy.Fields;
import java.util.List;
import org.apache.avro.Schema;

/**
 * Refuses declarations that do not fit the private fields: a hashed field of another type than
 * string, since a hash is one, and a field that is private under one of its names only.
 */
final class PrivateFields {

  private PrivateFields() {}

  /**
   * @throws IllegalArgumentException that names the field
   */
  static void check(Schema record, Fields fields) {
    for (Schema.Field declared : record.getFields()) {
      List<String> names = FieldList.names(declared).toList();
      List<Field> rules =
          names.stream().map(fields::find).filter(rule -> !rule.equals(Field.UNLISTED)).toList();
      rules.stream()
          .filter(rule -> rule.action() != Action.KEEP || !rule.within().isEmpty())
          .findFirst()
          .ifPresent(rule -> check(declared.schema(), rule));
      if (rules.stream().anyMatch(rule -> !rule.isLike(rules.get(0)))) {
        throw new IllegalArgumentException(
            "rows may have one field as %s, and exclude.fields and hash.fields do not treat these names alike: name all of them"
                .formatted(String.join(" or ", names)));
      }
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
