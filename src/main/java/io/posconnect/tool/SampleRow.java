package io.posconnect.tool;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.math.BigDecimal;
import java.util.Map;
import org.apache.avro.LogicalTypes;
import org.apache.avro.Schema;

/** Makes a row as the service might send it, with a value for every declared field. */
final class SampleRow {

  private static final JsonNodeFactory JSON = JsonNodeFactory.instance;

  /** By Avro's logical type. */
  private static final Map<String, String> TEXTS =
      Map.of(
          "uuid", "6f9619ff-8b86-4011-b42d-00c04fc964ff",
          "date", "2026-01-31",
          "time-millis", "09:30:00",
          "timestamp-millis", "2026-01-31T09:30:00Z",
          "timestamp-micros", "2026-01-31T09:30:00Z");

  private SampleRow() {}

  /**
   * The row in JSON.
   *
   * @param declared the schema of a contract, which the connector has accepted
   */
  static ObjectNode of(Schema declared) {
    ObjectNode row = JSON.objectNode();
    for (Schema.Field field : declared.getFields()) {
      row.set(field.name(), value(field.schema()));
    }
    return row;
  }

  private static JsonNode value(Schema schema) {
    return switch (schema.getType()) {
      case UNION ->
          schema.getTypes().stream()
              .filter(branch -> branch.getType() != Schema.Type.NULL)
              .findFirst()
              .map(SampleRow::value)
              .orElseGet(JSON::nullNode);
      case RECORD -> of(schema);
      case ARRAY -> JSON.arrayNode().add(value(schema.getElementType()));
      case MAP -> JSON.objectNode().set("name", value(schema.getValueType()));
      case ENUM -> JSON.textNode(schema.getEnumSymbols().get(0));
      case BOOLEAN -> JSON.booleanNode(true);
      case STRING, INT, LONG, FLOAT, DOUBLE -> scalar(schema);
      case BYTES, FIXED -> decimal(schema);
      case NULL -> JSON.nullNode();
    };
  }

  private static JsonNode scalar(Schema schema) {
    if ("io.debezium.data.Json".equals(schema.getObjectProp("connect.name"))) {
      return JSON.objectNode().put("any", "json");
    }
    String text = TEXTS.get(String.valueOf(schema.getProp("logicalType")));
    if (text != null) {
      return JSON.textNode(text);
    }
    return schema.getType() == Schema.Type.STRING ? JSON.textNode("text") : JSON.numberNode(17);
  }

  /** A number that even the smallest decimal holds. */
  private static JsonNode decimal(Schema schema) {
    LogicalTypes.Decimal type = (LogicalTypes.Decimal) schema.getLogicalType();
    return JSON.numberNode(BigDecimal.valueOf(5, type.getScale()));
  }
}
