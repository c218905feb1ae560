package io.posconnect.tool;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.math.BigDecimal;
import org.apache.avro.LogicalTypes;
import org.apache.avro.Schema;

/** Makes a row as the service might send it, with a value for every declared field. */
final class SampleRow {

  private static final JsonNodeFactory JSON = JsonNodeFactory.instance;

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
      case STRING -> text(schema);
      case INT, LONG, FLOAT, DOUBLE -> number(schema);
      case BYTES, FIXED -> decimal(schema);
      case NULL -> JSON.nullNode();
    };
  }

  private static JsonNode text(Schema schema) {
    if ("io.debezium.data.Json".equals(schema.getObjectProp("connect.name"))) {
      return JSON.objectNode().put("any", "json");
    }
    return JSON.textNode(
        "uuid".equals(schema.getObjectProp("logicalType"))
            ? "6f9619ff-8b86-4011-b42d-00c04fc964ff"
            : "text");
  }

  private static JsonNode number(Schema schema) {
    Object logical = schema.getObjectProp("logicalType");
    if (logical == null) {
      return JSON.numberNode(17);
    }
    return JSON.textNode(
        switch (logical.toString()) {
          case "date" -> "2026-01-31";
          case "time-millis" -> "09:30:00";
          default -> "2026-01-31T09:30:00Z";
        });
  }

  /** A number that even the smallest decimal holds. */
  private static JsonNode decimal(Schema schema) {
    LogicalTypes.Decimal type = (LogicalTypes.Decimal) schema.getLogicalType();
    return JSON.numberNode(BigDecimal.valueOf(5, type.getScale()));
  }
}
