package io.posconnect.benchmark.reference;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.math.RoundingMode;
import java.time.Instant;
import java.util.Date;
import java.util.HashMap;
import java.util.Map;
import org.apache.kafka.connect.data.Decimal;
import org.apache.kafka.connect.data.Field;
import org.apache.kafka.connect.data.Schema;
import org.apache.kafka.connect.data.SchemaBuilder;
import org.apache.kafka.connect.data.Struct;
import org.apache.kafka.connect.data.Timestamp;

/** Reads rows into Structs, each field straight from the parser into its type. */
@SuppressWarnings("JavaUtilDate") // what Connect's logical types are made of
final class TypedRows {

  private static final int SCALE = 2;

  private final Schema key;
  private final Schema value;
  private final Field id;
  private final Map<String, Field> fields = new HashMap<>();

  /**
   * @param declared such as {@code productId:long,name:string}
   */
  TypedRows(String declared) {
    SchemaBuilder row = SchemaBuilder.struct().name("benchmark.Product");
    for (String field : declared.split(",", -1)) {
      int colon = field.indexOf(':');
      row.field(field.substring(0, colon), type(field.substring(colon + 1)));
    }
    value = row.build();
    value.fields().forEach(field -> fields.put(field.name(), field));
    id = value.fields().get(0);
    key =
        SchemaBuilder.struct()
            .name("benchmark.ProductKey")
            .field(id.name(), Schema.INT64_SCHEMA)
            .build();
  }

  private static Schema type(String name) {
    return switch (name) {
      case "boolean" -> Schema.OPTIONAL_BOOLEAN_SCHEMA;
      case "int" -> Schema.OPTIONAL_INT32_SCHEMA;
      case "long" -> Schema.OPTIONAL_INT64_SCHEMA;
      case "double" -> Schema.OPTIONAL_FLOAT64_SCHEMA;
      case "string" -> Schema.OPTIONAL_STRING_SCHEMA;
      case "timestamp" -> Timestamp.builder().optional().build();
      case "decimal(2)" -> Decimal.builder(SCALE).optional().build();
      default -> throw new IllegalArgumentException(name);
    };
  }

  Schema keySchema() {
    return key;
  }

  Schema valueSchema() {
    return value;
  }

  Struct keyOf(Struct row) {
    return new Struct(key).put(id.name(), row.get(id));
  }

  /** The row whose opening brace the parser has just read. */
  Struct read(JsonParser json) throws IOException {
    Struct row = new Struct(value);
    while (json.nextToken() == JsonToken.FIELD_NAME) {
      Field field = fields.get(json.currentName());
      if (json.nextToken() != JsonToken.VALUE_NULL) {
        row.put(field, read(json, field.schema()));
      }
    }
    return row;
  }

  private static Object read(JsonParser json, Schema type) throws IOException {
    if (Timestamp.LOGICAL_NAME.equals(type.name())) {
      return Date.from(Instant.parse(json.getText()));
    }
    return switch (type.type()) {
      case BOOLEAN -> json.getBooleanValue();
      case INT32 -> json.getIntValue();
      case INT64 -> json.getLongValue();
      case FLOAT64 -> json.getDoubleValue();
      case STRING -> json.getText();
      case BYTES -> json.getDecimalValue().setScale(SCALE, RoundingMode.HALF_EVEN);
      default -> throw new IllegalArgumentException(type.toString());
    };
  }
}
