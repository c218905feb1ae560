package io.posconnect.tool;

import static java.util.stream.Collectors.joining;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.avro.LogicalTypes;
import org.apache.avro.Schema;

/**
 * Declares a table for each topic, from the schemas that a converter registers. Subclasses have the
 * words of one database; this class walks the schemas, so that no dialect forgets a field.
 */
abstract class SqlDialect {

  /** The types that are one value. */
  enum Scalar {
    BOOLEAN,
    INT,
    LONG,
    FLOAT,
    DOUBLE,
    TEXT,
    JSON,
    UUID,
    DATE,
    TIME,
    TIMESTAMP,
    /** A number of microseconds: converters know no finer type of time. */
    MICROS
  }

  /** A field as a column, its name quoted if the database needs that. */
  record Column(String name, String type, boolean nullable) {
    @Override
    public String toString() {
      return name + " " + type;
    }
  }

  private final Set<String> reserved;
  private final List<String> faults = new ArrayList<>();

  SqlDialect(String database) {
    reserved = reserved(database);
  }

  /** The words that a database takes for no name unless it is quoted, in lower case. */
  static Set<String> reserved(String database) {
    return Tool.resource("reserved-" + database + ".txt")
        .lines()
        .filter(line -> !line.startsWith("#"))
        .collect(Collectors.toUnmodifiableSet());
  }

  /** The statement that creates the table of a topic. */
  abstract String create(TopicContract topic);

  abstract String scalar(Scalar type);

  abstract String decimal(int precision, int scale, String field);

  abstract String record(List<Column> columns, String field);

  abstract String array(String element, String field);

  abstract String map(String value, String field);

  abstract String quoted(String name, String field);

  /** Notes what the database has no column for, and returns the words in place of its type. */
  final String fault(String field, String detail) {
    faults.add(field + " " + detail);
    return "";
  }

  /** What no table can have, a sentence each. */
  final List<String> faults() {
    return faults;
  }

  static boolean isEnvelope(TopicContract topic) {
    return topic.kind() == TopicContract.Kind.EVENTS && topic.value().getName().equals("Envelope");
  }

  /** A column for each field of a record. */
  final List<Column> columns(Schema record, String path) {
    List<Column> columns = new ArrayList<>();
    for (Schema.Field field : record.getFields()) {
      String name = path + "." + field.name();
      boolean isReserved = reserved.contains(field.name().toLowerCase(Locale.ROOT));
      columns.add(
          new Column(
              isReserved ? quoted(field.name(), name) : field.name(),
              type(field.schema(), name),
              field.schema().isNullable()));
    }
    return columns;
  }

  /** The schema of the values of a field that may be null. */
  static Schema present(Schema schema) {
    return schema.isUnion()
        ? schema.getTypes().stream()
            .filter(type -> type.getType() != Schema.Type.NULL)
            .findFirst()
            .orElseThrow()
        : schema;
  }

  private String type(Schema optional, String field) {
    Schema schema = present(optional);
    String name = String.valueOf(schema.getProp("connect.name"));
    if (schema.getLogicalType() instanceof LogicalTypes.Decimal decimal) {
      return decimal(decimal.getPrecision(), decimal.getScale(), field);
    }
    return switch (schema.getType()) {
      case RECORD -> record(columns(schema, field), field);
      case ARRAY -> array(type(schema.getElementType(), field), field);
      case MAP -> map(type(schema.getValueType(), field), field);
      case BOOLEAN -> scalar(Scalar.BOOLEAN);
      case FLOAT -> scalar(Scalar.FLOAT);
      case DOUBLE -> scalar(Scalar.DOUBLE);
      case INT -> scalar(ofInt(name));
      case LONG -> scalar(ofLong(name));
      case STRING -> scalar(ofString(name));
      case BYTES, FIXED, ENUM, UNION, NULL ->
          throw new IllegalStateException(field + " is " + schema.getType());
    };
  }

  private static Scalar ofInt(String name) {
    return switch (name) {
      case "org.apache.kafka.connect.data.Date" -> Scalar.DATE;
      case "org.apache.kafka.connect.data.Time" -> Scalar.TIME;
      default -> Scalar.INT;
    };
  }

  private static Scalar ofLong(String name) {
    return switch (name) {
      case "org.apache.kafka.connect.data.Timestamp" -> Scalar.TIMESTAMP;
      case "io.debezium.time.MicroTimestamp" -> Scalar.MICROS;
      default -> Scalar.LONG;
    };
  }

  private static Scalar ofString(String name) {
    return switch (name) {
      case "io.debezium.data.Json" -> Scalar.JSON;
      case "io.debezium.data.Uuid" -> Scalar.UUID;
      default -> Scalar.TEXT;
    };
  }

  /** The lines between the brackets of a statement. */
  static String body(List<String> lines) {
    return lines.stream().map(line -> "  " + line).collect(joining(",\n"));
  }
}
