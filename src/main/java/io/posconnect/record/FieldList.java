package io.posconnect.record;

import io.posconnect.resource.FieldName;
import io.posconnect.resource.KeyPart;
import io.posconnect.resource.Spelled;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.avro.JsonProperties;
import org.apache.avro.Schema;

/** Declares fields without an Avro schema: in one line, or as the keys of a resource. */
public final class FieldList {

  /** Digits in all, and behind the point, of a decimal whose field states no others. */
  public static final int PRECISION = 38;

  public static final int SCALE = 9;

  private static final String NAMES = "[^,:|]+(\\|[^,:|]+)*";
  private static final Pattern FIELD =
      Pattern.compile(
          "(?<names>" + NAMES + "):\\s*(?<type>[a-z-]+)(\\((?<scale>\\d{1,2})\\))?\\s*");

  private static final int LONGEST = 200;

  private FieldList() {}

  /** The types of one word, as Avro declares them. A sink has a column for each of them. */
  private enum Type implements Spelled {
    BOOLEAN("'boolean'"),
    INT("'int'"),
    LONG("'long'"),
    FLOAT("'float'"),
    DOUBLE("'double'"),
    STRING("'string'"),
    DECIMAL("'bytes','logicalType':'decimal','precision':" + PRECISION + ",'scale':%s"),
    DATE("'int','logicalType':'date'"),
    TIME("'int','logicalType':'time-millis'"),
    TIMESTAMP("'long','logicalType':'timestamp-millis'"),
    TIMESTAMP_MICROS("'long','logicalType':'timestamp-micros'"),
    UUID("'string','logicalType':'uuid'"),
    JSON("'string','" + AvroSchemaReader.SEMANTIC_TYPE + "':'" + FieldSchemas.JSON + "'");

    private final String declaration;

    Type(String declaration) {
      this.declaration = ("{'type':" + declaration + "}").replace('\'', '"');
    }

    private Schema avro(int scale) {
      return new Schema.Parser().parse(declaration.formatted(scale));
    }
  }

  /** The spelling of a field, for a message. */
  public static String demand() {
    return "fields such as productId:long or name|alias:decimal(2), each once, of "
        + Arrays.stream(Type.values()).map(Type::spelling).collect(Collectors.joining(", "));
  }

  /** Returns whether the text is such a field. */
  public static boolean isField(String text) {
    return parsed(text).isPresent();
  }

  private static Optional<Schema.Field> parsed(String text) {
    Matcher field = FIELD.matcher(text);
    if (text.length() > LONGEST || !field.matches()) {
      return Optional.empty();
    }
    List<String> names =
        Stream.of(field.group("names").split("\\|", -1)).map(String::strip).toList();
    Optional<String> given = Optional.ofNullable(field.group("scale"));
    int scale = given.map(Integer::parseInt).orElse(SCALE);
    return Spelled.find(Type.class, field.group("type"))
        .filter(type -> given.isEmpty() || (type == Type.DECIMAL && scale <= PRECISION))
        .filter(type -> names.stream().noneMatch(String::isEmpty))
        .map(type -> optional(names, type.avro(scale)));
  }

  /** A field that may be null; consumers see its first name, as Avro allows it. */
  public static Schema.Field optional(List<String> names, Schema type) {
    Schema union = Schema.createUnion(Schema.create(Schema.Type.NULL), type);
    String name = SchemaNames.segment(names.get(0));
    return named(names, new Schema.Field(name, union, null, JsonProperties.NULL_VALUE));
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
    List<Schema.Field> added = fields.stream().map(FieldList::field).toList();
    refuseTwins(added);
    Map<String, Schema.Field> named = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
    added.forEach(more -> composed(more).forEach(name -> named.put(name, more)));
    Set<Schema.Field> all = new LinkedHashSet<>();
    for (Schema.Field own : declared.getFields()) {
      all.add(composed(own).map(named::get).filter(Objects::nonNull).findFirst().orElse(own));
    }
    all.addAll(added);
    return with(declared, all);
  }

  /** The schema of the same record with these fields. */
  public static Schema with(Schema record, Collection<Schema.Field> fields) {
    Schema changed =
        Schema.createRecord(record.getName(), record.getDoc(), record.getNamespace(), false);
    record.getObjectProps().forEach(changed::addProp);
    // A field belongs to one schema only.
    changed.setFields(fields.stream().map(each -> new Schema.Field(each, each.schema())).toList());
    return changed;
  }

  private static Schema.Field field(String text) {
    return parsed(text)
        .orElseThrow(() -> new IllegalArgumentException(text + " is none of the " + demand()));
  }

  /** Refuses two fields of which one has a name or an alias of the other. */
  static void refuseTwins(List<Schema.Field> fields) {
    Map<String, Integer> owners = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
    for (int i = 0; i < fields.size(); i++) {
      for (String name : composed(fields.get(i)).toList()) {
        Integer owner = owners.put(name, i);
        if (owner != null && owner != i) {
          throw new IllegalArgumentException(
              ("fields %s and %s have names or aliases that differ at most in case, which cannot be"
                      + " distinguished: keep one of them")
                  .formatted(fields.get(owner).name(), fields.get(i).name()));
        }
      }
    }
  }

  /** The first name is what consumers see; an alias keeps one that Avro does not allow. */
  private static Schema.Field named(List<String> names, Schema.Field field) {
    names.stream().filter(name -> !name.equals(field.name())).forEach(field::addAlias);
    return field;
  }

  private static Stream<String> composed(Schema.Field field) {
    return names(field).map(FieldName::composed);
  }

  /** The name of a declared field and the other names that the service may use for it. */
  public static Stream<String> names(Schema.Field field) {
    return Stream.concat(Stream.of(field.name()), field.aliases().stream());
  }

  /** The path under every name of the declared fields on its way; composed, itself first. */
  public static Stream<String> spellings(Schema type, String path) {
    Stream<String> declared =
        switch (type.getType()) {
          case UNION -> type.getTypes().stream().flatMap(each -> spellings(each, path));
          case ARRAY -> spellings(type.getElementType(), path);
          case RECORD -> type.getFields().stream().flatMap(field -> spellings(field, path));
          default -> Stream.empty();
        };
    return Stream.concat(Stream.of(path), declared).distinct();
  }

  private static Stream<String> spellings(Schema.Field field, String path) {
    return composed(field)
        .filter(name -> (path + ".").regionMatches(true, 0, name + ".", 0, name.length() + 1))
        .map(name -> path.substring(name.length()))
        .flatMap(
            rest ->
                rest.isEmpty()
                    ? Stream.of("")
                    : spellings(field.schema(), rest.substring(1)).map(each -> "." + each))
        .flatMap(rest -> composed(field).map(name -> name + rest));
  }

  /** The parts of a key, each with every name under which a row may have it. */
  public static List<KeyPart> key(List<String> keyFields, Schema declared) {
    return KeyPart.all(keyFields).stream()
        .map(part -> new KeyPart(names(part, declared), part.nullable()))
        .toList();
  }

  private static List<String> names(KeyPart part, Schema declared) {
    Stream<String> others =
        declared.getFields().stream()
            .filter(field -> names(field).anyMatch(part::isNamed))
            .flatMap(FieldList::names);
    return Stream.concat(part.names().stream(), others).distinct().toList();
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
