package io.posconnect.record;

import io.posconnect.record.Columns.Column;
import io.posconnect.record.RowSchema.DecimalMode;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import org.apache.avro.JsonProperties;
import org.apache.avro.LogicalType;
import org.apache.avro.LogicalTypes;
import org.apache.avro.Schema;
import org.apache.kafka.connect.data.SchemaBuilder;

/**
 * Reads a declared Avro record schema into columns. Refuses a schema that it cannot honour, naming
 * the field and the remedy.
 */
final class AvroSchemaReader {

  /** Property of a string in a schema: what else it takes. */
  static final String ACCEPTS = "accepts";

  /** Value of {@link #ACCEPTS}: numbers and booleans too, as text. */
  static final String SCALAR = "scalar";

  /** Property of a string in a schema: the semantic type that it has in Kafka. */
  static final String SEMANTIC_TYPE = "connect.name";

  private static final int MAX_PRECISION = 400;

  private final DecimalMode decimals;
  private final String namespace;
  private final Set<String> open = new LinkedHashSet<>();

  /**
   * @param namespace for the names of nested records that have none
   */
  AvroSchemaReader(DecimalMode decimals, String namespace) {
    this.decimals = decimals;
    this.namespace = namespace;
  }

  /** The record's columns, of which {@code optional} picks those that consumers may find null. */
  Columns columns(Schema record, Predicate<Schema.Field> optional) {
    if (!open.add(record.getFullName())) {
      throw new IllegalArgumentException(
          "record %s contains itself: flatten it, or leave the field out of the schema"
              .formatted(record.getFullName()));
    }
    List<Column> columns = new ArrayList<>();
    for (Schema.Field field : record.getFields()) {
      columns.add(column(field, optional.test(field)));
    }
    open.remove(record.getFullName());
    FieldList.refuseTwins(record.getFields());
    return new Columns(columns);
  }

  private Column column(Schema.Field field, boolean optional) {
    Schema declared = unwrapped(field.schema(), field.name());
    FieldType type = type(declared, field.name());
    SchemaBuilder builder = type.builder();
    if (optional) {
      refuseDefault(field);
      builder.optional();
    }
    if (field.doc() != null && declared.getType() != Schema.Type.RECORD) {
      builder.doc(field.doc()); // a named record must look the same wherever it stands
    }
    return column(field.name(), List.copyOf(field.aliases()), type, builder);
  }

  /** Converters write the default of an optional field in place of a null; any other has no use. */
  private static void refuseDefault(Schema.Field field) {
    if (field.hasDefaultValue() && field.defaultVal() != JsonProperties.NULL_VALUE) {
      throw new IllegalArgumentException(
          "field %s has the default %s, and no default replaces what the service leaves out: declare [\"null\", type] with the default null, or no default"
              .formatted(field.name(), field.defaultVal()));
    }
  }

  static Schema unwrapped(Schema schema, String field) {
    if (schema.getType() != Schema.Type.UNION) {
      return schema;
    }
    List<Schema> branches =
        schema.getTypes().stream().filter(s -> s.getType() != Schema.Type.NULL).toList();
    if (branches.size() != 1) {
      throw new IllegalArgumentException(
          "field %s is a union of several types: declare one type, or [\"null\", type]"
              .formatted(field));
    }
    return branches.get(0);
  }

  private FieldType type(Schema schema, String field) {
    if (schema.getObjectProp(LogicalType.LOGICAL_TYPE_PROP) != null) {
      return logical(schema, field);
    }
    return switch (schema.getType()) {
      case BOOLEAN -> new FieldType.Bool();
      case INT -> new NumericType.WholeNumber(false);
      case LONG -> new NumericType.WholeNumber(true);
      case FLOAT -> new NumericType.FloatingPoint(false);
      case DOUBLE -> new NumericType.FloatingPoint(true);
      case STRING -> text(schema, field);
      case ENUM -> new TextType.Choice(schema.getEnumSymbols());
      case RECORD -> nested(schema);
      case ARRAY -> new NestedType.Elements(element(schema.getElementType(), field));
      case MAP -> new NestedType.Entries(element(schema.getValueType(), field));
      case BYTES, FIXED, NULL, UNION ->
          throw new IllegalArgumentException(
              ("field %s is %s, which JSON has no value for: declare a decimal, a string, or leave"
                      + " the field out of the schema")
                  .formatted(field, schema.getType().getName()));
    };
  }

  private static FieldType text(Schema schema, String field) {
    if (FieldSchemas.JSON.equals(schema.getObjectProp(SEMANTIC_TYPE))) {
      return new FieldType.Json();
    }
    Object accepts = schema.getObjectProp(ACCEPTS);
    if (accepts == null) {
      return new TextType.Plain();
    }
    if (accepts.equals(SCALAR)) {
      return new TextType.Scalar();
    }
    throw new IllegalArgumentException(
        "field %s %s %s: only \"%s\" is known".formatted(field, ACCEPTS, accepts, SCALAR));
  }

  private FieldType logical(Schema schema, String field) {
    LogicalType logical = schema.getLogicalType();
    if (logical == null) {
      throw new IllegalArgumentException(
          ("field %s has the logical type %s on %s, which Avro does not allow or know: correct its"
                  + " base type and attributes, or remove it")
              .formatted(
                  field,
                  schema.getObjectProp(LogicalType.LOGICAL_TYPE_PROP),
                  schema.getType().getName()));
    }
    if (logical instanceof LogicalTypes.Decimal decimal) {
      if (decimal.getPrecision() > MAX_PRECISION) {
        throw new IllegalArgumentException(
            "field %s has a precision above %s: 38 is customary".formatted(field, MAX_PRECISION));
      }
      return new NumericType.DecimalNumber(decimal.getPrecision(), decimal.getScale(), decimals);
    }
    return switch (logical.getName()) {
      case "date" -> new TemporalType.Day();
      case "time-millis" -> new TemporalType.TimeOfDay();
      case "timestamp-millis" -> new TemporalType.PointInTime(false);
      case "timestamp-micros" -> new TemporalType.PointInTime(true);
      case "uuid" -> new TextType.Uuid();
      default ->
          throw new IllegalArgumentException(
              ("field %s has the logical type %s: declare decimal, date, time-millis,"
                      + " timestamp-millis, timestamp-micros, uuid, or a plain string")
                  .formatted(field, logical.getName()));
    };
  }

  private Column element(Schema declared, String field) {
    FieldType type = type(unwrapped(declared, field), field);
    SchemaBuilder builder = type.builder();
    return column(field, List.of(), type, declared.isNullable() ? builder.optional() : builder);
  }

  private static Column column(
      String name, List<String> aliases, FieldType type, SchemaBuilder builder) {
    org.apache.kafka.connect.data.Schema schema = builder.build();
    return new Column(name, aliases, type.within(schema), schema);
  }

  private FieldType nested(Schema record) {
    record.getFields().forEach(AvroSchemaReader::refuseDefault);
    Columns columns = columns(record, field -> field.schema().isNullable());
    String name =
        record.getNamespace() == null
            ? namespace + ".nested." + record.getName()
            : record.getFullName();
    return new NestedType.Fields(columns, columns.struct(name, record.getDoc()).build());
  }
}
