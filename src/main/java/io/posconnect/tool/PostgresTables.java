package io.posconnect.tool;

import static java.util.stream.Collectors.joining;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.avro.Schema;

/**
 * Declares PostgreSQL tables that Debezium's JDBC sink fills by key, from events in either format.
 * The sink's own tables have {@code json}, which has no equality, instead of {@code jsonb}.
 */
final class PostgresTables extends SqlDialect {

  PostgresTables() {
    super("postgresql");
  }

  /** The table that the sink fills by default: it replaces dots, and quotes what needs quotes. */
  private static String sinkTable(String topic) {
    String table = topic.replace('.', '_');
    return table.matches("\\w+") ? table : '"' + table + '"';
  }

  @Override
  String create(TopicContract topic) {
    String table = sinkTable(topic.name());
    Schema row =
        isEnvelope(topic) ? present(topic.value().getField("after").schema()) : topic.value();
    List<Column> key = columns(topic.key(), table);
    Map<String, Column> columns = new LinkedHashMap<>();
    key.forEach(column -> columns.put(column.name(), column));
    columns(row, table).forEach(column -> columns.putIfAbsent(column.name(), column));
    List<String> lines = new ArrayList<>();
    columns.values().forEach(c -> lines.add(c + (c.nullable() ? "" : " NOT NULL")));
    // No part of a primary key may be null; the sink's own table would refuse such a row.
    String constraint =
        key.stream().anyMatch(Column::nullable) ? "UNIQUE NULLS NOT DISTINCT" : "PRIMARY KEY";
    String names = key.stream().map(Column::name).collect(joining(", "));
    lines.add("%s (%s)".formatted(constraint, names));
    return "CREATE TABLE %s (\n%s\n);\n".formatted(table, body(lines));
  }

  @Override
  String scalar(Scalar type) {
    return switch (type) {
      case BOOLEAN -> "boolean";
      case INT -> "integer";
      case LONG -> "bigint";
      case FLOAT -> "real";
      case DOUBLE -> "double precision";
      case TEXT -> "text";
      case JSON -> "jsonb";
      case UUID -> "uuid";
      case DATE -> "date";
      case TIME -> "time(3)";
      case TIMESTAMP -> "timestamp(3)";
      case MICROS -> "timestamp(6)";
    };
  }

  @Override
  String decimal(int precision, int scale, String field) {
    return "numeric(%d, %d)".formatted(precision, scale);
  }

  @Override
  String record(List<Column> columns, String field) {
    return fault(field, "is a record, for which the sink has no column: declare it as json");
  }

  @Override
  String array(String element, String field) {
    return fault(field, "is an array, for which the sink has no column: declare it as json");
  }

  @Override
  String map(String value, String field) {
    return fault(field, "is a map, for which the sink has no column: declare it as json");
  }

  @Override
  String quoted(String name, String field) {
    fault(field, "is a reserved word, and the sink does not quote: give it another name");
    return name;
  }
}
