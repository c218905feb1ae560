package io.posconnect.record;

import io.posconnect.resource.FieldName;
import io.posconnect.resource.KeyPart;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.avro.JsonProperties;
import org.apache.avro.LogicalType;
import org.apache.avro.LogicalTypes;
import org.apache.avro.Schema;

/** Declares fields without an Avro schema: in one line, or as the keys of a resource. */
public final class FieldList {

  private static final String NAMES = "[^,:|]+(\\|[^,:|]+)*";
  private static final Pattern FIELD =
      Pattern.compile("(?<names>" + NAMES + "):(?<type>[a-z-]+)(\\((?<scale>\\d{1,2})\\))?");

  private static final int LONGEST = 200;
  private static final int PRECISION = 38;
  private static final int SCALE = 9;

  private FieldList() {}

  /** The types of one word. A sink has a column for each of them. */
  private enum Type {
    BOOLEAN("boolean", Schema.Type.BOOLEAN),
    INT("int", Schema.Type.INT),
    LONG("long", Schema.Type.LONG),
    FLOAT("float", Schema.Type.FLOAT),
    DOUBLE("double", Schema.Type.DOUBLE),
    STRING("string", Schema.Type.STRING),
    DECIMAL("decimal", Schema.Type.BYTES),
    DATE("date", Schema.Type.INT, "date"),
    TIME("time", Schema.Type.INT, "time-millis"),
    TIMESTAMP("timestamp", Schema.Type.LONG, "timestamp-millis"),
    TIMESTAMP_MICROS("timestamp-micros", Schema.Type.LONG, "timestamp-micros"),
    UUID("uuid", Schema.Type.STRING, "uuid"),
    JSON("json", Schema.Type.STRING);

    private final String spelling;
    private final Schema.Type base;
    private final String logical;

    Type(String spelling, Schema.Type base) {
      this(spelling, base, "");
    }

    Type(String spelling, Schema.Type base, String logical) {
      this.spelling = spelling;
      this.base = base;
      this.logical = logical;
    }

    private static Optional<Type> of(String spelling) {
      return Arrays.stream(values()).filter(type -> type.spelling.equals(spelling)).findFirst();
    }

    private Schema avro(int scale) {
      Schema avro = Schema.create(base);
      if (this == JSON) {
        avro.addProp(AvroSchemaReader.SEMANTIC_TYPE, FieldSchemas.JSON);
      } else if (this == DECIMAL) {
        LogicalTypes.decimal(PRECISION, scale).addToSchema(avro);
      }
      if (logical.isEmpty()) {
        return avro;
      }
      avro.addProp(LogicalType.LOGICAL_TYPE_PROP, logical);
      return LogicalTypes.fromSchema(avro).addToSchema(avro);
    }
  }

  /** The spelling of a field, for a message. */
  public static String demand() {
    return "fields such as productId:long or name|alias:decimal(2), each once, of "
        + Arrays.stream(Type.values()).map(type -> type.spelling).collect(Collectors.joining(", "));
  }

  /** Returns whether the text is such a field. */
  public static boolean isField(String text) {
    if (text.length() > LONGEST) {
      return false;
    }
    Matcher field = FIELD.matcher(text);
    return field.matches()
        && Type.of(field.group("type"))
            .filter(type -> type == Type.DECIMAL || field.group("scale") == null)
            .isPresent()
        && (field.group("scale") == null || Integer.parseInt(field.group("scale")) <= PRECISION);
  }

  /**
   * The schema with these fields beside its own, or in place of those that go by the same name.
   *
   * @param declared of a record
   * @param fields each of which {@link #isField}
   * @throws IllegalArgumentException when a field comes twice
   */
  public static Schema added(Schema declared, List<String> fields) {
    if (fields.isEmpty()) {
      return declared;
    }
    List<Schema.Field> all = new ArrayList<>(declared.getFields());
    List<Schema.Field> added = fields.stream().map(FieldList::field).toList();
    refuseTwins(added);
    for (Schema.Field more : added) {
      int place = all.size();
      for (int i = all.size() - 1; i >= 0; i--) {
        if (isSame(all.get(i), more)) {
          all.remove(i);
          place = i;
        }
      }
      all.add(place, more);
    }
    // A field belongs to one schema only.
    List<Schema.Field> copies =
        all.stream().map(field -> new Schema.Field(field, field.schema())).toList();
    return Schema.createRecord(
        declared.getName(), declared.getDoc(), declared.getNamespace(), false, copies);
  }

  private static void refuseTwins(List<Schema.Field> fields) {
    for (int i = 0; i < fields.size(); i++) {
      for (int j = 0; j < i; j++) {
        if (isSame(fields.get(i), fields.get(j))) {
          throw new IllegalArgumentException(
              "the fields %s and %s have a name in common: keep one of them"
                  .formatted(fields.get(j).name(), fields.get(i).name()));
        }
      }
    }
  }

  private static Schema.Field field(String text) {
    Matcher field = FIELD.matcher(text);
    if (!isField(text) || !field.matches()) {
      throw new IllegalArgumentException(text + " is none of the " + demand());
    }
    Type type = Type.of(field.group("type")).orElseThrow();
    int scale = field.group("scale") == null ? SCALE : Integer.parseInt(field.group("scale"));
    Schema optional = Schema.createUnion(Schema.create(Schema.Type.NULL), type.avro(scale));
    List<String> names = Arrays.asList(field.group("names").split("\\|", -1));
    return named(
        names,
        new Schema.Field(
            SchemaNames.segment(names.get(0)), optional, null, JsonProperties.NULL_VALUE));
  }

  /** The first name is what consumers see; an alias keeps one that Avro does not allow. */
  private static Schema.Field named(List<String> names, Schema.Field field) {
    names.stream().filter(name -> !name.equals(field.name())).forEach(field::addAlias);
    return field;
  }

  private static boolean isSame(Schema.Field one, Schema.Field other) {
    return names(one).anyMatch(name -> names(other).anyMatch(each -> FieldName.isSame(each, name)));
  }

  /** The name of a declared field and the other names that the service may use for it. */
  public static Stream<String> names(Schema.Field field) {
    return Stream.concat(Stream.of(field.name()), field.aliases().stream());
  }

  /**
   * The schema of a resource that is not described: its key fields, which may be strings, numbers
   * or booleans and are written as strings.
   *
   * @param name of the record
   * @param keyFields as the service names them
   * @throws IllegalArgumentException when two of them would have one name
   */
  public static Schema keysOnly(String name, List<String> keyFields) {
    List<Schema.Field> fields =
        KeyPart.all(keyFields).stream()
            .flatMap(part -> part.names().stream())
            .distinct()
            .map(key -> named(List.of(key), new Schema.Field(SchemaNames.segment(key), scalar())))
            .toList();
    refuseTwins(fields);
    return Schema.createRecord(name, null, null, false, fields);
  }

  private static Schema scalar() {
    Schema scalar = Schema.create(Schema.Type.STRING);
    scalar.addProp(AvroSchemaReader.ACCEPTS, AvroSchemaReader.SCALAR);
    return scalar;
  }
}
