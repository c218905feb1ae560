package io.posconnect.tool;

import static java.util.stream.Collectors.joining;

import io.posconnect.record.DeclaredType;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.avro.LogicalTypes;
import org.apache.avro.Schema;

/**
 * Declares tables of Flink SQL, from the schemas that a converter registers, with the connector
 * {@code upsert-kafka}, for which a tombstone is a delete. Flink's own formats for Debezium refuse
 * an update without {@code before}.
 *
 * @param bootstrap the brokers
 * @param registry its address
 * @param faults takes what no table can have, a sentence each
 * @param tables takes the names of the tables
 */
record FlinkTables(String bootstrap, String registry, List<String> faults, Set<String> tables) {

  /** The most digits of a decimal. */
  private static final int MOST_DIGITS = 38;

  /** The column of a key that Flink cannot read field by field. */
  private static final String RAW_KEY = "record_key";

  private static final String RAW_KEY_COMMENT =
      """
      -- Parts of the key may be null, which Flink allows in no primary key. So record_key is the
      -- whole key as bytes, which are the same for equal keys; the fields of the key are in the row.
      """;

  private static final String TABLE =
      """
      %sCREATE TABLE %s (
        %s,
        PRIMARY KEY (%s) NOT ENFORCED
      ) WITH (
        'connector' = 'upsert-kafka',
        'topic' = %s,
        'properties.bootstrap.servers' = %s,
        'properties.isolation.level' = 'read_committed',
        'key.format' = %s,
        'value.format' = 'avro-confluent',
        'value.avro-confluent.url' = %s,
        'value.fields-include' = 'EXCEPT_KEY'
      );
      """;

  /** The statement that creates the table of a topic. */
  String create(TopicContract topic) {
    String table = table(topic.connect().topic().replaceAll("\\W", "_"));
    // Flink takes every part of a primary key for NOT NULL.
    boolean raw = topic.key().getFields().stream().anyMatch(part -> part.schema().isNullable());
    Map<String, String> columns =
        new LinkedHashMap<>(raw ? Map.of(RAW_KEY, "BYTES") : columns(topic.key(), table));
    String primary = columns.keySet().stream().map(FlinkTables::quoted).collect(joining(", "));
    Map<String, String> ofValue = columns(topic.value(), table);
    if (topic.value().getName().equals("Envelope")) {
      ofValue.keySet().stream()
          .filter(columns::containsKey)
          .map(name -> table + "." + name + " is a field of the key and of the envelope")
          .forEach(fault -> faults.add(fault + ": a table has one of them. Use event.format=flat"));
      ofValue.remove("before"); // it has nothing that the key has not
    }
    ofValue.forEach(columns::putIfAbsent);
    String avroKey = "'avro-confluent',\n  'key.avro-confluent.url' = " + text(registry);
    return TABLE.formatted(
        raw ? RAW_KEY_COMMENT : "",
        quoted(table),
        joined(columns, ",\n  "),
        primary,
        text(topic.connect().topic()),
        text(bootstrap),
        raw ? "'raw'" : avroKey,
        text(registry));
  }

  /** Topics that differ in their marks alone have names with numbers. */
  private String table(String base) {
    String table = base;
    for (int i = 2; !tables.add(table); i++) {
      table = base + "_" + i;
    }
    return table;
  }

  private static String text(String value) {
    return "'" + value.replace("'", "''") + "'";
  }

  /** Columns, each with its name and its type. */
  private static String joined(Map<String, String> columns, String separator) {
    return columns.entrySet().stream()
        .map(column -> quoted(column.getKey()) + " " + column.getValue())
        .collect(joining(separator));
  }

  /** Flink reserves many words, and takes digits for numbers. */
  private static String quoted(String name) {
    return "`" + name + "`";
  }

  /** The types of fields, by their names. */
  private Map<String, String> columns(Schema record, String path) {
    Map<String, String> columns = new LinkedHashMap<>();
    for (Schema.Field field : record.getFields()) {
      columns.put(field.name(), type(field.schema(), path + "." + field.name()));
    }
    return columns;
  }

  private String type(Schema optional, String field) {
    Schema schema = DeclaredType.withoutNull(optional);
    String name = String.valueOf(schema.getProp("connect.name"));
    if (schema.getLogicalType() instanceof LogicalTypes.Decimal decimal) {
      if (decimal.getPrecision() > MOST_DIGITS) {
        faults.add(field + " has more than 38 digits: Flink has no such decimal");
      }
      return "DECIMAL(%s, %s)".formatted(decimal.getPrecision(), decimal.getScale());
    }
    return switch (schema.getType()) {
      case RECORD -> "ROW<" + joined(columns(schema, field), ", ") + ">";
      case ARRAY -> "ARRAY<" + type(schema.getElementType(), field) + ">";
      case MAP -> "MAP<STRING, " + type(schema.getValueType(), field) + ">";
      case BOOLEAN -> "BOOLEAN";
      case FLOAT -> "FLOAT";
      case DOUBLE -> "DOUBLE";
      case INT ->
          switch (name) {
            case "org.apache.kafka.connect.data.Date" -> "DATE";
            case "org.apache.kafka.connect.data.Time" -> "TIME(3)";
            default -> "INT";
          };
      // Microseconds stay a number: converters know no finer type of time.
      case LONG ->
          name.equals("org.apache.kafka.connect.data.Timestamp") ? "TIMESTAMP(3)" : "BIGINT";
      case STRING -> "STRING";
      case BYTES, FIXED, ENUM, UNION, NULL ->
          throw new IllegalStateException(field + " is " + schema.getType());
    };
  }
}
