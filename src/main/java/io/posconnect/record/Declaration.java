package io.posconnect.record;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import org.apache.avro.AvroRuntimeException;
import org.apache.avro.JsonProperties;
import org.apache.avro.LogicalType;
import org.apache.avro.LogicalTypes;
import org.apache.avro.NameValidator;
import org.apache.avro.Schema;
import org.apache.kafka.connect.data.SchemaBuilder;

/**
 * Reads a declared Avro record schema into columns. What it cannot honour it refuses, naming the
 * field and the remedy.
 */
final class Declaration {

  /** The field in which everything undeclared is kept. */
  static final String EXTRA = "extra";

  /** Property of a string in a schema: what else it takes. */
  static final String ACCEPTS = "accepts";

  /** Value of {@link #ACCEPTS}: numbers and booleans too, as text. */
  static final String SCALAR = "scalar";

  private static final int MAX_PRECISION = 400;

  private final DecimalMode decimals;
  private final String namespace;
  private final Set<String> open = new LinkedHashSet<>();

  /**
   * @param namespace for the names of nested records that have none
   */
  Declaration(DecimalMode decimals, String namespace) {
    this.decimals = decimals;
    this.namespace = namespace;
  }

  /** The record schema that the text is. */
  static Schema parse(String avro) {
    Schema schema;
    try {
      schema = new Schema.Parser(NameValidator.STRICT_VALIDATOR).parse(avro);
    } catch (AvroRuntimeException e) {
      throw new IllegalArgumentException(
          "the schema is not a valid Avro schema: " + e.getMessage(), e);
    }
    if (schema.getType() != Schema.Type.RECORD) {
      throw new IllegalArgumentException(
          "the schema is "
              + schema.getType().getName()
              + ": give an Avro schema of type \"record\"");
    }
    return schema;
  }

  /** The columns of a row: optional, all but those that {@code required} picks. */
  Columns row(Schema record, Predicate<Schema.Field> required) {
    if (record.getFields().stream().anyMatch(f -> f.name().equalsIgnoreCase(EXTRA))) {
      throw new IllegalArgumentException(
          "field "
              + EXTRA
              + " is reserved for what the schema does not declare: rename it, and"
              + " give the service's name as an alias");
    }
    return columns(record, field -> !required.test(field));
  }

  private Columns columns(Schema record, Predicate<Schema.Field> optional) {
    if (!open.add(record.getFullName())) {
      throw new IllegalArgumentException(
          "record "
              + record.getFullName()
              + " contains itself: flatten it, or leave the field out"
              + " of the schema");
    }
    List<Column> columns = new ArrayList<>();
    for (Schema.Field field : record.getFields()) {
      columns.add(column(field, optional.test(field)));
    }
    open.remove(record.getFullName());
    refuseTwins(columns);
    return new Columns(columns);
  }

  private static void refuseTwins(List<Column> columns) {
    Map<String, String> owners = new HashMap<>();
    for (Column column : columns) {
      for (String spelling : new LinkedHashSet<>(column.spellings())) {
        String owner = owners.put(spelling.toLowerCase(Locale.ROOT), column.name());
        if (owner != null && !owner.equals(column.name())) {
          throw new IllegalArgumentException(
              "fields "
                  + owner
                  + " and "
                  + column.name()
                  + " have names or aliases that differ at"
                  + " most in case, which cannot be told apart: keep one of them");
        }
      }
    }
  }

  private Column column(Schema.Field field, boolean optional) {
    Schema declared = unwrapped(field.schema(), field.name());
    Type type = type(declared, field.name());
    SchemaBuilder builder = type.builder();
    if (optional) {
      builder.optional();
      defaultOf(field, declared).ifPresent(builder::defaultValue);
    }
    if (field.doc() != null) {
      builder.doc(field.doc());
    }
    org.apache.kafka.connect.data.Schema schema = builder.build();
    return new Column(
        field.name(),
        List.copyOf(field.aliases()),
        field.schema().isNullable(),
        type.within(schema),
        schema);
  }

  private static Optional<Object> defaultOf(Schema.Field field, Schema declared) {
    if (!field.hasDefaultValue() || field.defaultVal() == JsonProperties.NULL_VALUE) {
      return Optional.empty();
    }
    boolean plain = declared.getLogicalType() == null;
    return switch (declared.getType()) {
      case STRING, ENUM -> plain ? Optional.of(field.defaultVal().toString()) : refuse(field);
      case BOOLEAN, INT, LONG, FLOAT, DOUBLE ->
          plain ? Optional.of(field.defaultVal()) : refuse(field);
      default -> refuse(field);
    };
  }

  private static Optional<Object> refuse(Schema.Field field) {
    throw new IllegalArgumentException(
        "field "
            + field.name()
            + " has a default of a type other than boolean, int, long, float,"
            + " double, string or enum: make the default null");
  }

  private static Schema unwrapped(Schema schema, String field) {
    if (schema.getType() != Schema.Type.UNION) {
      return schema;
    }
    List<Schema> branches =
        schema.getTypes().stream().filter(s -> s.getType() != Schema.Type.NULL).toList();
    if (branches.size() != 1) {
      throw new IllegalArgumentException(
          "field " + field + " is a union of several types: declare one type, or [\"null\", type]");
    }
    return branches.get(0);
  }

  private Type type(Schema schema, String field) {
    LogicalType logical = schema.getLogicalType();
    if (logical != null) {
      return logical(logical, field);
    }
    if (schema.getObjectProp(LogicalType.LOGICAL_TYPE_PROP) != null) {
      throw new IllegalArgumentException(
          "field "
              + field
              + " has the logical type "
              + schema.getObjectProp(LogicalType.LOGICAL_TYPE_PROP)
              + " on "
              + schema.getType().getName()
              + ", which Avro does not allow or know: correct"
              + " its base type and attributes, or remove it");
    }
    return switch (schema.getType()) {
      case BOOLEAN -> new BooleanType();
      case INT -> new WholeType(false);
      case LONG -> new WholeType(true);
      case FLOAT -> new FloatingType(false);
      case DOUBLE -> new FloatingType(true);
      case STRING -> text(schema, field);
      case ENUM -> new TextType.Choice(schema.getEnumSymbols());
      case RECORD -> nested(schema);
      case ARRAY -> elements(schema.getElementType(), field);
      case MAP -> entries(schema.getValueType(), field);
      case BYTES, FIXED, NULL, UNION ->
          throw new IllegalArgumentException(
              "field "
                  + field
                  + " is "
                  + schema.getType().getName()
                  + ", which JSON has no value for:"
                  + " declare a decimal, a string, or leave the field out of the schema");
    };
  }

  private Type elements(Schema element, String field) {
    Type type = type(unwrapped(element, field), field);
    org.apache.kafka.connect.data.Schema schema = elementSchema(element, type);
    return new NestedType.Elements(type.within(schema), schema);
  }

  private Type entries(Schema value, String field) {
    Type type = type(unwrapped(value, field), field);
    org.apache.kafka.connect.data.Schema schema = elementSchema(value, type);
    return new NestedType.Entries(type.within(schema), schema);
  }

  private static org.apache.kafka.connect.data.Schema elementSchema(Schema element, Type type) {
    SchemaBuilder builder = type.builder();
    return (element.isNullable() ? builder.optional() : builder).build();
  }

  private static Type text(Schema schema, String field) {
    Object accepts = schema.getObjectProp(ACCEPTS);
    if (accepts == null) {
      return new TextType.Plain();
    }
    if (accepts.equals(SCALAR)) {
      return new TextType.Scalar();
    }
    throw new IllegalArgumentException(
        "field " + field + " " + ACCEPTS + " " + accepts + ": only \"" + SCALAR + "\" is known");
  }

  private Type nested(Schema record) {
    Columns columns = columns(record, field -> field.schema().isNullable());
    String name =
        record.getNamespace() == null
            ? namespace + ".nested." + record.getName()
            : record.getFullName();
    SchemaBuilder builder = SchemaBuilder.struct().name(name).doc(record.getDoc());
    columns.list().forEach(column -> builder.field(column.name(), column.schema()));
    return new NestedType.Fields(columns, builder.build());
  }

  private Type logical(LogicalType logical, String field) {
    if (logical instanceof LogicalTypes.Decimal decimal) {
      if (decimal.getPrecision() > MAX_PRECISION) {
        throw new IllegalArgumentException(
            "field " + field + " has a precision above " + MAX_PRECISION + ": 38 is customary");
      }
      return new DecimalType(decimal.getPrecision(), decimal.getScale(), decimals);
    }
    return switch (logical.getName()) {
      case "date" -> new TemporalType.Day();
      case "time-millis" -> new TemporalType.TimeOfDay();
      case "timestamp-millis" -> new TemporalType.PointInTime(false);
      case "timestamp-micros" -> new TemporalType.PointInTime(true);
      case "uuid" -> new TextType.Uuid();
      default ->
          throw new IllegalArgumentException(
              "field "
                  + field
                  + " has the logical type "
                  + logical.getName()
                  + ": declare decimal,"
                  + " date, time-millis, timestamp-millis, timestamp-micros, uuid, or a plain string");
    };
  }
}
