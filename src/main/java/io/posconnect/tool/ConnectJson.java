package io.posconnect.tool;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.math.BigDecimal;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.Collection;
import java.util.Date;
import java.util.Map;
import org.apache.kafka.connect.data.Field;
import org.apache.kafka.connect.data.Schema;
import org.apache.kafka.connect.data.Struct;
import org.jspecify.annotations.Nullable;

/** Shows Connect's values as JSON, as a consumer would print them. */
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
}
