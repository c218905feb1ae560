package io.posconnect.record;

import io.posconnect.resource.KeyPart;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
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

  /** The types of one word. All of them are such that a sink has a column for them. */
  private enum Type {
    BOOLEAN("boolean", "\"boolean\""),
    INT("int", "\"int\""),
    LONG("long", "\"long\""),
    FLOAT("float", "\"float\""),
    DOUBLE("double", "\"double\""),
    STRING("string", "\"string\""),
    DECIMAL(
        "decimal",
        "{\"type\":\"bytes\",\"logicalType\":\"decimal\",\"precision\":" + PRECISION + "%s}"),
    DATE("date", "{\"type\":\"int\",\"logicalType\":\"date\"}"),
    TIME("time", "{\"type\":\"int\",\"logicalType\":\"time-millis\"}"),
    TIMESTAMP("timestamp", "{\"type\":\"long\",\"logicalType\":\"timestamp-millis\"}"),
    TIMESTAMP_MICROS(
        "timestamp-micros", "{\"type\":\"long\",\"logicalType\":\"timestamp-micros\"}"),
    UUID("uuid", "{\"type\":\"string\",\"logicalType\":\"uuid\"}"),
    JSON(
        "json",
        "{\"type\":\"string\",\"%s\":\"%s\"}"
            .formatted(AvroSchemaReader.SEMANTIC_TYPE, FieldSchemas.JSON));

    private final String spelling;
    private final String avro;

    Type(String spelling, String avro) {
      this.spelling = spelling;
      this.avro = avro;
    }

    private static Optional<Type> of(String spelling) {
      return Arrays.stream(values()).filter(type -> type.spelling.equals(spelling)).findFirst();
    }
  }

  /** How a field is spelled, for who has to correct one. */
  public static String demand() {
    return "fields such as productId:long or name|alias:decimal(2), each once, of "
        + Arrays.stream(Type.values()).map(type -> type.spelling).collect(Collectors.joining(", "));
  }

  /** Whether it is such a field. */
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
   * @param avroSchema of a record
   * @param fields each of which {@link #isField}
   * @throws IllegalArgumentException when a field comes twice, or the schema is none
   */
  public static String added(String avroSchema, List<String> fields) {
    if (fields.isEmpty()) {
      return avroSchema;
    }
    Schema declared = AvroSchemaReader.parse(avroSchema);
    List<Schema.Field> all = new ArrayList<>(declared.getFields());
    List<Schema.Field> added = AvroSchemaReader.parse(record("Fields", fields)).getFields();
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
            declared.getName(), declared.getDoc(), declared.getNamespace(), false, copies)
        .toString();
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

  private static String record(String name, List<String> fields) {
    return record(name, fields.stream().map(FieldList::avro));
  }

  private static String record(String name, Stream<String> fields) {
    return fields.collect(
        Collectors.joining(
            ",", "{\"type\":\"record\",\"name\":\"" + name + "\",\"fields\":[", "]}"));
  }

  private static String avro(String text) {
    Matcher field = FIELD.matcher(text);
    if (!isField(text) || !field.matches()) {
      throw new IllegalArgumentException(text + " is none of the " + demand());
    }
    Type type = Type.of(field.group("type")).orElseThrow();
    int scale = field.group("scale") == null ? SCALE : Integer.parseInt(field.group("scale"));
    String[] names = field.group("names").split("\\|", -1);
    return avro(names, "[\"null\"," + type.avro.formatted(",\"scale\":" + scale) + "]", true);
  }

  /** The first name is what consumers see; an alias keeps one that Avro does not allow. */
  private static String avro(String[] names, String type, boolean optional) {
    String aliases = Arrays.stream(names).map(TextType::quoted).collect(Collectors.joining(","));
    return "{\"name\":\"%s\",\"aliases\":[%s],\"type\":%s%s}"
        .formatted(
            SchemaNames.segment(names[0]), aliases, type, optional ? ",\"default\":null" : "");
  }

  private static boolean isSame(Schema.Field one, Schema.Field other) {
    return names(one).anyMatch(name -> names(other).anyMatch(name::equalsIgnoreCase));
  }

  private static Stream<String> names(Schema.Field field) {
    return Stream.concat(Stream.of(field.name()), field.aliases().stream());
  }

  /**
   * The Avro schema for a resource that nobody described: its key fields, which may be strings,
   * numbers or booleans and are written as strings.
   *
   * @param name of the record
   * @param keyFields as the service names them
   */
  public static String keysOnly(String name, List<String> keyFields) {
    String scalar =
        "{\"type\":\"string\",\"%s\":\"%s\"}"
            .formatted(AvroSchemaReader.ACCEPTS, AvroSchemaReader.SCALAR);
    return record(
        name,
        KeyPart.all(keyFields).stream()
            .flatMap(part -> part.names().stream())
            .distinct()
            .map(field -> avro(new String[] {field}, scalar, false)));
  }
}
