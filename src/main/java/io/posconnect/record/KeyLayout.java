package io.posconnect.record;

import io.posconnect.json.JsonText;
import io.posconnect.json.Row;
import io.posconnect.record.BrokenRowException.Reason;
import io.posconnect.resource.Key;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.kafka.connect.data.Field;
import org.apache.kafka.connect.data.Schema;
import org.apache.kafka.connect.data.SchemaBuilder;
import org.apache.kafka.connect.data.Struct;
import org.jspecify.annotations.Nullable;

/** How a key is taken from a row, spelled, and turned into the key of a Kafka record. */
final class KeyLayout {

  static final String LOCATION = "location";
  static final String OCCURRENCE = "occurrence";

  private final List<KeyField> fields;
  private final boolean occurrences;
  private final Schema schema;

  private KeyLayout(List<KeyField> fields, boolean occurrences, Schema schema) {
    this.fields = fields;
    this.occurrences = occurrences;
    this.schema = schema;
  }

  /**
   * @param keyFields names of columns or their aliases, {@code a|b} for alternatives
   * @throws IllegalArgumentException when the columns lack one, or its type identifies nothing
   */
  static KeyLayout of(List<String> keyFields, boolean occurrences, Columns columns, String name) {
    List<KeyField> fields =
        keyFields.stream().map(f -> field(f, columns, keyFields.size() == 1)).toList();
    Set<String> taken = new HashSet<>();
    taken.add(LOCATION);
    if (occurrences) {
      taken.add(OCCURRENCE);
    }
    SchemaBuilder schema = SchemaBuilder.struct().name(name).field(LOCATION, Stamp.LOCATION);
    for (KeyField field : fields) {
      if (!taken.add(field.name().toLowerCase(Locale.ROOT))) {
        throw new IllegalArgumentException(
            "key field "
                + field.name()
                + " is named twice, or like a field that every key has ("
                + LOCATION
                + ", "
                + OCCURRENCE
                + "): give it another name in the schema, and the"
                + " service's name as an alias");
      }
      schema.field(field.name(), field.schema());
    }
    if (occurrences) {
      schema.field(OCCURRENCE, Stamp.OCCURRENCE);
    }
    return new KeyLayout(fields, occurrences, schema.build());
  }

  private static KeyField field(String names, Columns columns, boolean only) {
    List<Column> alternatives = new ArrayList<>();
    boolean nullable = !only;
    for (String name : names.split("\\|", -1)) {
      Column column = column(name, columns);
      alternatives.add(column);
      nullable &= column.nullable();
    }
    Type.Identifying type = identifying(alternatives.get(0));
    for (Column column : alternatives) {
      if (!column.type().equals(type)) {
        throw new IllegalArgumentException(
            "key fields " + names + " have different types: declare the same for all of them");
      }
    }
    return new KeyField(alternatives, type, nullable);
  }

  private static Column column(String name, Columns columns) {
    return columns.list().stream()
        .filter(column -> column.spelled(name))
        .findFirst()
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "the schema lacks the key field "
                        + name
                        + ": declare it there, or name another"
                        + " key field"));
  }

  private static Type.Identifying identifying(Column column) {
    if (column.type() instanceof Type.Identifying type) {
      return type;
    }
    throw new IllegalArgumentException(
        "key field "
            + column.name()
            + " has a type that cannot identify a row: declare int, long,"
            + " string, boolean, decimal, enum, uuid, or a date or time");
  }

  Schema schema() {
    return schema;
  }

  /** Equal exactly for layouts under which a key that is remembered means the same. */
  String text() {
    return schema.fields().stream().map(KeyLayout::text).collect(Collectors.joining(","));
  }

  private static String text(Field field) {
    if (field.name().equals(LOCATION)) {
      return LOCATION;
    }
    Schema type = field.schema();
    String name = type.name() == null ? type.type().getName() : type.name();
    return field.name() + ":" + name.substring(name.lastIndexOf('.') + 1).toLowerCase(Locale.ROOT);
  }

  /** Whether a row without that field has no key. */
  static boolean requires(List<String> keyFields, org.apache.avro.Schema.Field field) {
    boolean named =
        keyFields.stream()
            .anyMatch(
                key ->
                    key.equalsIgnoreCase(field.name())
                        || field.aliases().stream().anyMatch(key::equalsIgnoreCase));
    return named && (keyFields.size() == 1 || !field.schema().isNullable());
  }

  Key keyOf(Row row) throws BrokenRowException {
    if (row.kind() != Row.Kind.OBJECT) {
      throw new BrokenRowException(Reason.NOT_AN_OBJECT);
    }
    if (fields.size() == 1 && fields.get(0).type() instanceof WholeType) {
      return Key.of(((Number) present(fields.get(0).read(row))).longValue());
    }
    StringBuilder text = new StringBuilder("[");
    boolean some = fields.isEmpty();
    for (KeyField field : fields) {
      @Nullable Object value = field.read(row);
      some |= value != null;
      text.append(text.length() == 1 ? "" : ",");
      text.append(value == null ? "null" : field.type().canonical(value));
    }
    if (!some) {
      throw new BrokenRowException(Reason.KEY_MISSING, fields.get(0).name());
    }
    return Key.of(text.append(']').toString());
  }

  private static Object present(@Nullable Object value) {
    return Optional.ofNullable(value)
        .orElseThrow(() -> new IllegalStateException("a single key field cannot be null"));
  }

  /** The key of the n-th of several rows that have the same. */
  static Key occurrence(Key base, int number) {
    if (number < 1) {
      throw new IllegalArgumentException("occurrence is " + number);
    }
    if (base.isNumber()) {
      return Key.of("[" + base.number() + "," + number + "]");
    }
    String text = base.text();
    String open = text.substring(0, text.length() - 1);
    return Key.of(open + (open.length() == 1 ? "" : ",") + number + "]");
  }

  /** The values of the key's fields, in order, without location; the last one the occurrence. */
  private List<JsonText> parts(Key key) {
    return JsonText.array(key.isNumber() ? "[" + key.number() + "]" : key.text()).items();
  }

  Struct struct(String location, Key key) {
    List<JsonText> parts = parts(key);
    Struct struct = new Struct(schema).put(LOCATION, location);
    put(parts, struct);
    if (occurrences) {
      struct.put(OCCURRENCE, Integer.valueOf(parts.get(fields.size()).value()));
    }
    return struct;
  }

  /** Puts the key's fields into a row's struct. */
  void put(Key key, Struct row) {
    put(parts(key), row);
  }

  private void put(List<JsonText> parts, Struct struct) {
    int expected = fields.size() + (occurrences ? 1 : 0);
    if (parts.size() != expected) {
      throw new IllegalArgumentException(
          "a key that was remembered has "
              + parts.size()
              + " fields, and key.fields has "
              + expected
              + " now: stop the connector and delete its offsets");
    }
    for (int i = 0; i < fields.size(); i++) {
      @Nullable Object value = fields.get(i).parsed(parts.get(i));
      struct.put(fields.get(i).name(), value);
    }
  }
}
