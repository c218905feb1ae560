package io.posconnect.record;

import io.posconnect.json.JsonText;
import io.posconnect.json.Row;
import io.posconnect.json.Row.Fault;
import io.posconnect.problem.Problem;
import io.posconnect.record.BrokenRowException.Reason;
import io.posconnect.record.NumericType.WholeNumber;
import io.posconnect.resource.Key;
import io.posconnect.resource.KeyPart;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.StringJoiner;
import org.apache.kafka.connect.data.Schema;
import org.apache.kafka.connect.data.SchemaBuilder;
import org.apache.kafka.connect.data.Struct;
import org.jspecify.annotations.Nullable;

/**
 * Takes a key from a row, spells it, and turns it into the key of a Kafka record.
 *
 * <p>A field {@code a|b} has an alias: of the two names the first that has a value in a row gives
 * it, and in the key it is called {@code a}.
 */
final class KeyLayout {

  /** The field of every key and every row that names its location. */
  static final String LOCATION = "location";

  /** The field that numbers identical rows where those exist. */
  static final String OCCURRENCE = "occurrence";

  // A longer one makes offsets that Connect cannot write.
  private static final int MOST_BYTES = 1024;

  private final List<KeyField> fields;
  private final boolean occurrences;
  private final SchemaNames names;
  private final Schema schema;

  /**
   * @param keyFields names of columns or their aliases, {@code a|b} for one with an alias
   * @throws IllegalArgumentException when the columns lack one, or its type identifies nothing
   */
  KeyLayout(List<String> keyFields, boolean occurrences, Columns columns, SchemaNames names) {
    this.fields =
        KeyPart.all(keyFields).stream()
            .map(part -> KeyField.of(part, columns, keyFields.size() == 1))
            .toList();
    this.occurrences = occurrences;
    this.names = names;
    this.schema = schema(fields, occurrences, names.key());
  }

  private static Schema schema(List<KeyField> fields, boolean occurrences, String name) {
    Set<String> taken = new HashSet<>();
    SchemaBuilder builder = SchemaBuilder.struct().name(name).field(LOCATION, Schema.STRING_SCHEMA);
    for (KeyField field : fields) {
      if (!taken.add(field.name())) {
        throw new IllegalArgumentException(
            "key field %s is named twice: name it once".formatted(field.name()));
      }
      builder.field(field.name(), field.schema());
    }
    if (occurrences) {
      builder.field(OCCURRENCE, Schema.INT32_SCHEMA);
    }
    return builder.build();
  }

  /** Returns whether a row without that field has no key. */
  static boolean requires(List<String> keyFields, org.apache.avro.Schema.Field field) {
    return KeyPart.all(keyFields).stream()
        .filter(part -> part.names().size() == 1 && !part.nullable())
        .anyMatch(part -> FieldList.names(field).anyMatch(part::isNamed));
  }

  /** The schema of a record's key: location, key fields, occurrence number. */
  Schema schema() {
    return schema;
  }

  /**
   * The names and types of the schema as text, with the other names under which a value may come:
   * equal exactly for layouts whose keys have the same bytes, and under which a stored key means
   * the same. It stands in every offset, so a default name is left out.
   */
  String text() {
    List<String> parts = new ArrayList<>(List.of(LOCATION));
    fields.forEach(field -> parts.add(field.text()));
    if (occurrences) {
      parts.add(OCCURRENCE);
    }
    String text = String.join(",", parts);
    return names.isDefault() ? text : schema.name() + "(" + text + ")";
  }

  Key keyOf(Row row) throws BrokenRowException {
    return row.fault().isPresent() ? keyOfBroken(row.fault().get()) : keyOfWhole(row);
  }

  /** The key of a broken row, if all of its fields were read before the fault. */
  private Key keyOfBroken(Fault fault) throws BrokenRowException {
    Row readable = fault.readable();
    try {
      if (fault.complete() || fields.stream().allMatch(field -> field.isDecided(readable))) {
        return keyOfWhole(readable);
      }
    } catch (BrokenRowException e) {
      // The fault is the reason that a person has to know.
    }
    throw BrokenRowException.of(fault);
  }

  private Key keyOfWhole(Row row) throws BrokenRowException {
    if (row.kind() != Row.Kind.OBJECT) {
      throw BrokenRowException.notAnObject(row.kind().name());
    }
    List<@Nullable Object> values = new ArrayList<>(fields.size());
    for (KeyField field : fields) {
      values.add(field.read(row));
    }
    if (!values.isEmpty() && Collections.frequency(values, null) == values.size()) {
      throw new BrokenRowException(Reason.KEY_MISSING, fields.get(0).name());
    }
    Key key = key(values);
    if (!key.isNumber() && key.text().getBytes(StandardCharsets.UTF_8).length > MOST_BYTES) {
      throw new BrokenRowException(Reason.KEY_TOO_LONG, "more than " + MOST_BYTES + " bytes");
    }
    return key;
  }

  /** The key of these values, one for each field. */
  private Key key(List<@Nullable Object> values) {
    if (fields.size() == 1 && fields.get(0).type() instanceof WholeNumber) {
      // The only field of a key is never null.
      return Key.of(((Number) Objects.requireNonNull(values.get(0))).longValue());
    }
    StringJoiner text = new StringJoiner(",", "[", "]");
    for (int i = 0; i < fields.size(); i++) {
      Object value = values.get(i);
      text.add(value == null ? "null" : fields.get(i).type().canonical(value));
    }
    return Key.of(text.toString());
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

  Struct struct(String location, Key key) {
    Struct struct = new CheckedStruct(schema);
    put(location, key, struct);
    return struct;
  }

  /**
   * The identity that {@link #struct} put into a record's key.
   *
   * @throws RuntimeException when it is a key of another layout
   */
  Key keyOf(Struct struct) {
    List<@Nullable Object> values = new ArrayList<>();
    fields.forEach(field -> values.add(struct.get(field.name())));
    return occurrences ? occurrence(key(values), struct.getInt32(OCCURRENCE)) : key(values);
  }

  /** Puts what the service does not send of a key into a row's struct, and spells it as the key. */
  void complete(String location, Key key, Struct row) {
    row.put(LOCATION, location);
    fields.forEach(field -> field.respell(row));
    if (occurrences) {
      putOccurrence(parts(key), row);
    }
  }

  void put(String location, Key key, Struct struct) {
    struct.put(LOCATION, location);
    if (key.isNumber()
        && schema.fields().size() == 2
        && fields.get(0).type() instanceof WholeNumber type) {
      struct.put(fields.get(0).name(), type.of(key.number()));
      return;
    }
    List<JsonText> parts = parts(key);
    for (int i = 0; i < fields.size(); i++) {
      String name = fields.get(i).name();
      struct.put(name, fields.get(i).parsed(parts.get(i), schema.field(name).schema().type()));
    }
    if (occurrences) {
      putOccurrence(parts, struct);
    }
  }

  private void putOccurrence(List<JsonText> parts, Struct struct) {
    struct.put(OCCURRENCE, Integer.parseInt(parts.get(fields.size()).value()));
  }

  /** The values of the key's fields, in order, without location; the last one the occurrence. */
  private List<JsonText> parts(Key key) {
    List<JsonText> parts =
        JsonText.of(Row.parse(key.isNumber() ? "[" + key.number() + "]" : key.text())).items();
    int expected = fields.size() + (occurrences ? 1 : 0);
    if (parts.size() != expected) {
      throw new IllegalArgumentException(
          Problem.KEY_FIELDS_CHANGED.at(
              names.resource(),
              "a remembered key has %s fields, and keys have %s now"
                  .formatted(parts.size(), expected)));
    }
    return parts;
  }
}
