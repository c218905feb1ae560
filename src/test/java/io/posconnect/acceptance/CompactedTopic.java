package io.posconnect.acceptance;

import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.posconnect.Io;
import io.posconnect.cluster.TopicRecord;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.apache.avro.LogicalTypes.Decimal;
import org.apache.avro.Schema;
import org.apache.avro.generic.GenericRecord;

/**
 * The rows that a consumer of the latest event of each key has, each put together again from its
 * typed fields and {@code extra}, so that it can be held against the service's own rows.
 */
final class CompactedTopic {

  private static final JsonMapper JSON =
      JsonMapper.builder().enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS).build();

  /** Fields of a row that the service does not send. */
  private static final Set<String> OURS = Set.of("location", "occurrence", "extra");

  /** Fields that have another name in a row than at the service. */
  private static final Map<String, String> NAMES = Map.of("commentText", "comment");

  private CompactedTopic() {}

  /** The rows that are left after all events, in the form of {@link #canonical(Collection)}. */
  static List<String> rows(Collection<TopicRecord> records) {
    Map<Object, JsonNode> rows = new LinkedHashMap<>();
    for (TopicRecord record : records) {
      Object key = String.valueOf(record.key());
      GenericRecord value = (GenericRecord) record.value();
      boolean flat = value != null && value.getSchema().getField("after") == null;
      GenericRecord row = flat || value == null ? value : (GenericRecord) value.get("after");
      if (row == null) {
        rows.remove(key);
      } else {
        rows.put(key, row(row));
      }
    }
    return canonical(rows.values());
  }

  /** A row as the service would send it, but for the order of its fields. */
  static JsonNode row(GenericRecord after) {
    Object extra = after.get("extra");
    ObjectNode row =
        extra == null
            ? JsonNodeFactory.instance.objectNode()
            : (ObjectNode) parse(extra.toString());
    for (Schema.Field field : after.getSchema().getFields()) {
      Object value = after.get(field.pos());
      String name = NAMES.getOrDefault(field.name(), field.name());
      if (value != null && !OURS.contains(name) && !row.has(name)) {
        row.set(name, json(value, field.schema()));
      }
    }
    return row;
  }

  private static JsonNode json(Object value, Schema schema) {
    if (value instanceof ByteBuffer bytes) {
      int scale = ((Decimal) present(schema).getLogicalType()).getScale();
      byte[] unscaled = new byte[bytes.remaining()];
      bytes.duplicate().get(unscaled);
      return JSON.valueToTree(new BigDecimal(new BigInteger(unscaled), scale));
    }
    if (value instanceof Collection<?> elements) {
      ArrayNode array = JsonNodeFactory.instance.arrayNode();
      Schema element = present(schema).getElementType();
      elements.forEach(each -> array.add(json(each, element)));
      return array;
    }
    if (value instanceof GenericRecord record) {
      ObjectNode object = JsonNodeFactory.instance.objectNode();
      for (Schema.Field field : record.getSchema().getFields()) {
        object.set(field.name(), json(record.get(field.pos()), field.schema()));
      }
      return object;
    }
    if ("io.debezium.data.Json".equals(present(schema).getProp("connect.name"))) {
      return parse(value.toString());
    }
    return JSON.valueToTree(value instanceof CharSequence ? value.toString() : value);
  }

  private static Schema present(Schema schema) {
    return schema.isUnion()
        ? schema.getTypes().stream()
            .filter(type -> type.getType() != Schema.Type.NULL)
            .findFirst()
            .orElseThrow()
        : schema;
  }

  /**
   * Rows in a form in which equal content is equal text: fields sorted, nulls dropped, numbers
   * normal.
   */
  static List<String> canonical(Collection<JsonNode> rows) {
    List<String> texts = new ArrayList<>();
    rows.forEach(row -> texts.add(canonical(row)));
    texts.sort(null);
    return texts;
  }

  /** Shows a few of the rows that only one side has; empty when both are equal. */
  static String difference(List<String> rows, List<String> truth) {
    if (rows.equals(truth)) {
      return "";
    }
    return "only in the topic: " + few(rows, truth) + "; only at the location: " + few(truth, rows);
  }

  private static List<String> few(List<String> rows, List<String> others) {
    Set<String> known = Set.copyOf(others);
    return rows.stream().filter(row -> !known.contains(row)).limit(5).toList();
  }

  static String canonical(JsonNode row) {
    // Once more from text: trees built in memory hold other kinds of numbers.
    return normal(parse(row.toString())).toString();
  }

  private static JsonNode normal(JsonNode node) {
    if (node.isNumber()) {
      BigDecimal number = node.decimalValue().stripTrailingZeros();
      return JsonNodeFactory.instance.textNode("#" + number.toPlainString());
    }
    if (node.isArray()) {
      var array = JsonNodeFactory.instance.arrayNode();
      node.forEach(element -> array.add(normal(element)));
      return array;
    }
    if (!node.isObject()) {
      return node;
    }
    ObjectNode sorted = JsonNodeFactory.instance.objectNode();
    node.properties().stream()
        .filter(field -> !field.getValue().isNull())
        .sorted(Map.Entry.comparingByKey(String.CASE_INSENSITIVE_ORDER))
        .forEach(
            field -> sorted.set(field.getKey().toLowerCase(Locale.ROOT), normal(field.getValue())));
    return sorted;
  }

  static JsonNode parse(String text) {
    return Io.unchecked(() -> JSON.readTree(text));
  }
}
