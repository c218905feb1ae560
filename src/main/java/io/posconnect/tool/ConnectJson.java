package io.posconnect.tool;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.util.RawValue;
import java.math.BigDecimal;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.Collection;
import java.util.Date;
import java.util.Map;
import org.apache.kafka.connect.data.Decimal;
import org.apache.kafka.connect.data.Field;
import org.apache.kafka.connect.data.Schema;
import org.apache.kafka.connect.data.Struct;
import org.apache.kafka.connect.data.Time;
import org.apache.kafka.connect.data.Timestamp;
import org.jspecify.annotations.Nullable;

/** Shows Connect's values as JSON, as a consumer would print them, and invents some. */
@SuppressWarnings("JavaUtilDate") // what Connect's logical types are made of
final class ConnectJson {

  private static final JsonNodeFactory JSON = JsonNodeFactory.instance;

  private ConnectJson() {}

  static JsonNode value(@Nullable Schema schema, @Nullable Object value) {
    if (value == null) {
      return JSON.nullNode();
    }
    if (value instanceof Struct struct) {
      ObjectNode object = JSON.objectNode();
      for (Field field : struct.schema().fields()) {
        object.set(field.name(), value(field.schema(), struct.getWithoutDefault(field.name())));
      }
      return object;
    }
    if (value instanceof Collection<?> items) {
      ArrayNode array = JSON.arrayNode();
      Schema element = schema == null ? null : schema.valueSchema();
      items.forEach(item -> array.add(value(element, item)));
      return array;
    }
    if (value instanceof Map<?, ?> entries) {
      ObjectNode object = JSON.objectNode();
      Schema element = schema == null ? null : schema.valueSchema();
      entries.forEach((name, item) -> object.set(String.valueOf(name), value(element, item)));
      return object;
    }
    if (value instanceof Date date) {
      return temporal(schema, date);
    }
    if (value instanceof BigDecimal number) {
      return JSON.numberNode(number);
    }
    if (value instanceof Boolean flag) {
      return JSON.booleanNode(flag);
    }
    if (value instanceof Double || value instanceof Float) {
      return JSON.numberNode(((Number) value).doubleValue());
    }
    return value instanceof Number number
        ? JSON.numberNode(number.longValue())
        : JSON.textNode(value.toString());
  }

  /** Numbers, as Avro has them. */
  private static JsonNode temporal(@Nullable Schema schema, Date date) {
    if (schema != null && org.apache.kafka.connect.data.Date.LOGICAL_NAME.equals(schema.name())) {
      return JSON.numberNode(LocalDate.ofInstant(date.toInstant(), ZoneOffset.UTC).toEpochDay());
    }
    return JSON.numberNode(date.getTime());
  }

  /**
   * A row of the service that has these fields.
   *
   * @param text JSON of what stands where the schema has a string
   */
  static ObjectNode example(Schema schema, String text) {
    ObjectNode row = JSON.objectNode();
    for (Field field : schema.fields()) {
      row.set(field.name(), invented(field.schema(), text));
    }
    return row;
  }

  private static JsonNode invented(Schema schema, String text) {
    String name = schema.name() == null ? "" : schema.name();
    return switch (name) {
      case Decimal.LOGICAL_NAME -> JSON.numberNode(new BigDecimal("12.5"));
      case org.apache.kafka.connect.data.Date.LOGICAL_NAME -> JSON.textNode("2026-01-31");
      case Time.LOGICAL_NAME -> JSON.textNode("09:30:00");
      case Timestamp.LOGICAL_NAME, "io.debezium.time.MicroTimestamp" ->
          JSON.textNode(Instant.parse("2026-01-31T09:30:00Z").toString());
      case "io.debezium.data.Json" -> JSON.objectNode().put("any", "json");
      case "io.debezium.data.Enum" ->
          JSON.textNode(String.valueOf(schema.parameters().get("allowed")).split(",", -1)[0]);
      case "io.debezium.data.Uuid" -> JSON.textNode("6f9619ff-8b86-4011-b42d-00c04fc964ff");
      default ->
          switch (schema.type()) {
            case BOOLEAN -> JSON.booleanNode(true);
            case INT8, INT16, INT32, INT64, FLOAT32, FLOAT64 -> JSON.numberNode(17);
            case STRING, BYTES, ARRAY, MAP, STRUCT -> JSON.rawValueNode(new RawValue(text));
          };
    };
  }
}
