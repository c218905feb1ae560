package io.posconnect.tool;

import static java.util.stream.Collectors.joining;

import io.posconnect.record.DeclaredType;
import io.posconnect.record.TopicSchemas;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.apache.avro.LogicalTypes;
import org.apache.avro.Schema;

/**
 * Declares tables of Flink SQL, from the schemas that a converter registers, with the connector
 * {@code upsert-kafka}, for which a tombstone is a delete. Flink's own formats for Debezium refuse
 * an update without {@code before}.
 */
final class FlinkTables {

  /** The most digits of a decimal. */
  private static final int MOST_DIGITS = 38;

  /** The column of a key that Flink cannot read field by field. */
  private static final String RAW_KEY = "record_key";

  private static final String RAW_KEY_COMMENT =
      """
      -- Parts of the key may be null, which Flink allows in no primary key. So record_key is the
      -- whole key as bytes, which are the same for equal keys; the fields of the key are in the row.
      """;

  private final Set<String> reserved = DeclaredFields.reserved("flink");

  /** What no table can have, a sentence each. */
  final List<String> faults = new ArrayList<>();

  private final String bootstrap;
  private final String registry;

  /** A field as a column, its name as SQL has it. */
  private record Column(String name, String type, boolean nullable) {
    @Override
    public String toString() {
      return name + " " + type;
    }
  }

  FlinkTables(String bootstrap, String registry) {
    this.bootstrap = bootstrap;
    this.registry = registry;
  }

  /** The statement that creates the table of a topic. */
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
    if (topic.kind() == TopicSchemas.Kind.EVENTS && topic.value().getName().equals("Envelope")) {
      columns.remove("before"); // it has nothing that the key has not
    }
    List<String> lines = new ArrayList<>();
    columns.forEach((name, type) -> lines.add(name + " " + type));
    lines.add("PRIMARY KEY (" + primary + ") NOT ENFORCED");
    return "%sCREATE TABLE %s (\n%s\n) WITH (\n%s\n);\n"
        .formatted(raw ? RAW_KEY_COMMENT : "", name(table), body(lines), body(options(topic, raw)));
  }

  private List<String> options(TopicContract topic, boolean raw) {
    List<String> options = new ArrayList<>();
    options.add("'connector' = 'upsert-kafka'");
    options.add("'topic' = " + text(topic.name()));
    options.add("'properties.bootstrap.servers' = " + text(bootstrap));
    options.add("'properties.isolation.level' = 'read_committed'");
    options.add("'key.format' = " + (raw ? "'raw'" : "'avro-confluent'"));
    if (!raw) {
      options.add("'key.avro-confluent.url' = " + text(registry));
    }
    options.add("'value.format' = 'avro-confluent'");
    options.add("'value.avro-confluent.url' = " + text(registry));
    options.add("'value.fields-include' = 'EXCEPT_KEY'");
    return options;
  }

  private static String text(String value) {
    return "'" + value.replace("'", "''") + "'";
  }

  /** The lines between the brackets of a statement. */
  private static String body(List<String> lines) {
    return lines.stream().map(line -> "  " + line).collect(joining(",\n"));
  }

  /** A name in backticks where Flink would take it for a word or a number of its own. */
  private String name(String name) {
    return reserved.contains(name.toLowerCase(Locale.ROOT)) || Character.isDigit(name.charAt(0))
        ? "`" + name + "`"
        : name;
  }

  private List<Column> columns(Schema record, String path) {
    return record.getFields().stream()
        .map(
            field ->
                new Column(
                    name(field.name()),
                    type(field.schema(), path + "." + field.name()),
                    field.schema().isNullable()))
        .toList();
  }

  private String type(Schema optional, String field) {
    Schema schema = DeclaredType.withoutNull(optional);
    String name = String.valueOf(schema.getProp("connect.name"));
    if (schema.getLogicalType() instanceof LogicalTypes.Decimal decimal) {
      return decimal(decimal, field);
    }
    return switch (schema.getType()) {
      case RECORD ->
          columns(schema, field).stream().map(Column::toString).collect(joining(", ", "ROW<", ">"));
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

  private String decimal(LogicalTypes.Decimal decimal, String field) {
    if (decimal.getPrecision() > MOST_DIGITS) {
      faults.add(field + " has more than 38 digits: Flink has no such decimal");
    }
    return "DECIMAL(%d, %d)".formatted(decimal.getPrecision(), decimal.getScale());
  }
}
