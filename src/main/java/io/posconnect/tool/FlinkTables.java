package io.posconnect.tool;

import static java.util.stream.Collectors.joining;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Declares tables of Flink SQL with the connector {@code upsert-kafka}, for which a tombstone is a
 * delete. Flink's own formats for Debezium refuse an update without {@code before}.
 */
final class FlinkTables extends SqlDialect {

  /** The most digits of a decimal. */
  private static final int MOST_DIGITS = 38;

  /** The column of a key that Flink cannot read field by field. */
  private static final String RAW_KEY = "record_key";

  private static final String RAW_KEY_COMMENT =
      """
      -- Parts of the key may be null, which Flink allows in no primary key. So record_key is the
      -- whole key as bytes, which are the same for equal keys; the fields of the key are in the row.
      """;

  private final String bootstrap;
  private final String registry;

  FlinkTables(String bootstrap, String registry) {
    super("flink");
    this.bootstrap = bootstrap;
    this.registry = registry;
  }

  @Override
  String create(TopicContract topic) {
    String table = topic.name().replaceAll("\\W", "_");
    List<Column> key = columns(topic.key(), table);
    // Flink takes every part of a primary key for NOT NULL.
    boolean raw = key.stream().anyMatch(Column::nullable);
    Map<String, String> columns = new LinkedHashMap<>();
    if (raw) {
      columns.put(RAW_KEY, "BYTES");
    } else {
      key.forEach(column -> columns.put(column.name(), column.type()));
    }
    String primary = String.join(", ", columns.keySet());
    columns(topic.value(), table).forEach(c -> columns.putIfAbsent(c.name(), c.type()));
    if (isEnvelope(topic)) {
      columns.remove("before"); // it has nothing that the key has not
    }
    List<String> lines = new ArrayList<>();
    columns.forEach((name, type) -> lines.add(name + " " + type));
    lines.add("PRIMARY KEY (" + primary + ") NOT ENFORCED");
    return "%sCREATE TABLE %s (\n%s\n) WITH (\n%s\n);\n"
        .formatted(raw ? RAW_KEY_COMMENT : "", table, body(lines), body(options(topic, raw)));
  }

  private List<String> options(TopicContract topic, boolean raw) {
    Map<String, String> options = new LinkedHashMap<>();
    options.put("connector", "upsert-kafka");
    options.put("topic", topic.name());
    options.put("properties.bootstrap.servers", bootstrap);
    options.put("properties.isolation.level", "read_committed");
    options.put("key.format", raw ? "raw" : "avro-confluent");
    if (!raw) {
      options.put("key.avro-confluent.url", registry);
    }
    options.put("value.format", "avro-confluent");
    options.put("value.avro-confluent.url", registry);
    options.put("value.fields-include", "EXCEPT_KEY");
    return options.entrySet().stream()
        .map(option -> text(option.getKey()) + " = " + text(option.getValue()))
        .toList();
  }

  private static String text(String value) {
    return "'" + value.replace("'", "''") + "'";
  }

  @Override
  String scalar(Scalar type) {
    return switch (type) {
      case BOOLEAN -> "BOOLEAN";
      case INT -> "INT";
      case LONG, MICROS -> "BIGINT";
      case FLOAT -> "FLOAT";
      case DOUBLE -> "DOUBLE";
      case TEXT, JSON, UUID -> "STRING";
      case DATE -> "DATE";
      case TIME -> "TIME(3)";
      case TIMESTAMP -> "TIMESTAMP(3)";
    };
  }

  @Override
  String decimal(int precision, int scale, String field) {
    return precision > MOST_DIGITS
        ? fault(field, "has more than 38 digits: Flink has no such decimal")
        : "DECIMAL(%d, %d)".formatted(precision, scale);
  }

  @Override
  String record(List<Column> columns, String field) {
    return columns.stream().map(Column::toString).collect(joining(", ", "ROW<", ">"));
  }

  @Override
  String array(String element, String field) {
    return "ARRAY<" + element + ">";
  }

  @Override
  String map(String value, String field) {
    return "MAP<STRING, " + value + ">";
  }

  @Override
  String quoted(String name, String field) {
    return "`" + name + "`";
  }
}
