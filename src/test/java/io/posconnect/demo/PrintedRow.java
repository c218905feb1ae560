package io.posconnect.demo;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.math.BigDecimal;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import org.apache.avro.Schema;
import org.apache.avro.generic.IndexedRecord;

/**
 * A row for people: its typed fields first, then those in {@code extra}. Empty and nested values
 * are left out of a summary; they count as differences.
 */
record PrintedRow(Map<String, String> fields) {

  private static final ObjectMapper JSON = new ObjectMapper();
  private static final int SHOWN = 4;

  PrintedRow {
    fields = Collections.unmodifiableMap(new LinkedHashMap<>(fields));
  }

  /** Reads {@code after}, or {@code before}, of an event. */
  static PrintedRow of(IndexedRecord record) {
    Map<String, String> fields = new LinkedHashMap<>();
    Object extra = null;
    for (Schema.Field field : record.getSchema().getFields()) {
      Object value = record.get(field.pos());
      if (field.name().equals("extra")) {
        extra = value;
      } else if (value != null) {
        fields.put(field.name(), text(value));
      }
    }
    if (extra != null) {
      addExtra(fields, extra.toString());
    }
    return new PrintedRow(fields);
  }

  private static void addExtra(Map<String, String> fields, String json) {
    try {
      for (Map.Entry<String, JsonNode> entry : JSON.readTree(json).properties()) {
        JsonNode value = entry.getValue();
        fields.putIfAbsent(entry.getKey(), value.isValueNode() ? value.asText() : value.toString());
      }
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException("extra is not JSON", e);
    }
  }

  private static String text(Object value) {
    return value instanceof BigDecimal decimal
        ? decimal.stripTrailingZeros().toPlainString()
        : value.toString();
  }

  /** Its first few fields but those. */
  String summary(List<String> without) {
    return fields.entrySet().stream()
        .filter(field -> !without.contains(field.getKey()) && isPlain(field.getValue()))
        .limit(SHOWN)
        .map(field -> field.getKey() + "=" + field.getValue())
        .collect(Collectors.joining(" "));
  }

  /** The fields that differ from an earlier row, such as {@code price 3.5 → 3.75}. */
  String changesSince(PrintedRow earlier) {
    List<String> changed =
        fields.keySet().stream()
            .filter(name -> !Objects.equals(fields.get(name), earlier.fields.get(name)))
            .toList();
    List<String> telling = changed.stream().filter(name -> !isBookkeeping(name)).toList();
    return (telling.isEmpty() ? changed : telling)
        .stream()
            .limit(SHOWN)
            .map(
                name ->
                    name + " " + earlier.fields.getOrDefault(name, "–") + " → " + fields.get(name))
            .collect(Collectors.joining(", "));
  }

  /** Changes with every edit, and says the least about it. */
  private static boolean isBookkeeping(String name) {
    return name.contains("odified") || name.equals("revision");
  }

  private static boolean isPlain(String value) {
    return !value.isBlank() && !value.equals("null") && "{[".indexOf(value.charAt(0)) < 0;
  }
}
