package io.posconnect.task;

import io.posconnect.resource.Privacy;
import io.posconnect.resource.Privacy.Action;
import io.posconnect.resource.Privacy.Field;
import io.posconnect.resource.Privacy.Fields;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.apache.avro.AvroRuntimeException;
import org.apache.avro.JsonProperties;
import org.apache.avro.Schema;

/**
 * Declares the fields that are hashed as the strings that they are then: a hash would fit no other
 * type, and a key of another type could not be made of it.
 */
final class HashedTypes {

  private HashedTypes() {}

  /**
   * The schema with those types; as it is when none of its fields is hashed.
   *
   * @throws IllegalArgumentException when it would need two types of one name
   */
  static Schema declare(Schema declared, Privacy privacy) {
    if (!privacy.hashes()) {
      return declared;
    }
    try {
      String text = record(declared, privacy.fields()).toString();
      // Of two types of one name, one written and one named, each would be fine by itself.
      return new Schema.Parser().parse(text);
    } catch (AvroRuntimeException e) {
      throw new IllegalArgumentException(
          "the schema cannot declare its hashed fields as strings: " + e.getMessage(), e);
    }
  }

  private static Schema record(Schema record, Fields fields) {
    List<Schema.Field> typed = new ArrayList<>();
    for (Schema.Field field : record.getFields()) {
      typed.add(
          names(field)
              .map(fields::find)
              .filter(privacy -> privacy.action() != Action.KEEP || !privacy.within().isEmpty())
              .findFirst()
              .map(privacy -> field(field, privacy))
              .orElseGet(() -> new Schema.Field(field, field.schema())));
    }
    Schema copy =
        Schema.createRecord(record.getName(), record.getDoc(), record.getNamespace(), false, typed);
    record.getObjectProps().forEach(copy::addProp);
    return copy;
  }

  private static Stream<String> names(Schema.Field field) {
    return Stream.concat(Stream.of(field.name()), field.aliases().stream());
  }

  /** A default of another type would be none of the string's. */
  private static Schema.Field field(Schema.Field field, Field privacy) {
    Schema type = type(field.schema(), privacy);
    boolean isNull = field.hasDefaultValue() && field.defaultVal() == JsonProperties.NULL_VALUE;
    Schema.Field typed =
        isNull
            ? new Schema.Field(field.name(), type, field.doc(), JsonProperties.NULL_VALUE)
            : new Schema.Field(field.name(), type, field.doc());
    field.aliases().forEach(typed::addAlias);
    return typed;
  }

  private static Schema type(Schema declared, Field privacy) {
    return switch (declared.getType()) {
      case UNION ->
          Schema.createUnion(
              declared.getTypes().stream().map(type -> type(type, privacy)).toList());
      case NULL -> declared;
      case ARRAY -> Schema.createArray(type(declared.getElementType(), privacy));
      case RECORD ->
          privacy.action() == Action.KEEP
              ? record(declared, privacy.within())
              : Schema.create(Schema.Type.STRING);
      case BOOLEAN, BYTES, DOUBLE, ENUM, FIXED, FLOAT, INT, LONG, MAP, STRING ->
          privacy.action() == Action.HASH ? Schema.create(Schema.Type.STRING) : declared;
    };
  }
}
