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

  private final ScalarTypes scalars;
  private final String namespace;
  private final Set<String> open = new LinkedHashSet<>();

  /**
   * @param namespace for the names of nested records that have none
   */
  Declaration(DecimalMode decimals, String namespace) {
    this.scalars = new ScalarTypes(decimals);
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
    if (field.doc() != null && declared.getType() != Schema.Type.RECORD) {
      builder.doc(field.doc()); // a named record must look the same wherever it stands
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
    if (schema.getObjectProp(LogicalType.LOGICAL_TYPE_PROP) != null) {
      return scalars.logical(schema, field);
    }
    return switch (schema.getType()) {
      case RECORD -> nested(schema);
      case ARRAY -> elements(schema.getElementType(), field);
      case MAP -> entries(schema.getValueType(), field);
      default -> scalars.plain(schema, field);
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
}
