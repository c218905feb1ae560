package io.posconnect.record;

import io.posconnect.json.Row;
import io.posconnect.resource.Key;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.apache.kafka.connect.data.Schema;
import org.apache.kafka.connect.data.SchemaBuilder;
import org.apache.kafka.connect.data.Struct;

/**
 * What one resource's rows are promised to look like in Kafka, whatever the service sends: the
 * schemas of key and row, and how a row is fitted into them without losing anything. Immutable.
 */
public final class Contract {

  private final Columns columns;
  private final KeyLayout key;
  private final SchemaNames names;
  private final Schema rowSchema;
  private final Schema nullableRowSchema;

  private Contract(
      Columns columns, KeyLayout key, SchemaNames names, Schema rowSchema, Schema nullable) {
    this.columns = columns;
    this.key = key;
    this.names = names;
    this.rowSchema = rowSchema;
    this.nullableRowSchema = nullable;
  }

  /**
   * The contract that an Avro record schema declares. Every field but the key becomes optional.
   *
   * @param avroSchema text of the schema, ours or a user's; a field's aliases are other names that
   *     the service may use for it
   * @param keyFields names of the fields that identify a row, {@code a|b} for alternatives
   * @param occurrences whether a key ends with an occurrence number
   * @throws IllegalArgumentException when the schema cannot be honoured; the message names the
   *     field and the remedy
   */
  public static Contract of(
      String avroSchema,
      List<String> keyFields,
      boolean occurrences,
      DecimalMode decimals,
      SchemaNames names) {
    org.apache.avro.Schema avro = Declaration.parse(avroSchema);
    Columns columns =
        new Declaration(decimals, names.base())
            .row(avro, field -> KeyLayout.requires(keyFields, field));
    KeyLayout key = KeyLayout.of(keyFields, occurrences, columns, names.key());
    Optional<String> doc = Optional.ofNullable(avro.getDoc());
    Schema row = rowSchema(columns, names, doc).build();
    Schema nullable = rowSchema(columns, names, doc).optional().build();
    return new Contract(columns, key, names, row, nullable);
  }

  private static SchemaBuilder rowSchema(Columns columns, SchemaNames names, Optional<String> doc) {
    SchemaBuilder builder = SchemaBuilder.struct().name(names.value());
    doc.ifPresent(builder::doc);
    columns.list().forEach(column -> builder.field(column.name(), column.schema()));
    return builder.field(Declaration.EXTRA, Extra.SCHEMA);
  }

  /**
   * The Avro schema of the fields that the service's interface publishes for a resource; empty for
   * a resource that it does not publish.
   */
  public static Optional<String> builtIn(String resource) {
    if (!resource.matches("[a-z-]+")) {
      return Optional.empty();
    }
    try (InputStream text = Contract.class.getResourceAsStream(resource + ".avsc")) {
      return text == null
          ? Optional.empty()
          : Optional.of(new String(text.readAllBytes(), StandardCharsets.UTF_8));
    } catch (IOException e) {
      throw new UncheckedIOException("the schema of " + resource + " is unreadable", e);
    }
  }

  /**
   * The Avro schema for a resource that nobody described: its key fields, which may be strings,
   * numbers or booleans and are written as strings.
   *
   * @param keyFields as the service names them; an alias keeps a name that Avro does not allow
   */
  public static String keysOnly(List<String> keyFields) {
    Map<String, String> fields = new LinkedHashMap<>();
    for (String alternatives : keyFields) {
      for (String name : alternatives.split("\\|", -1)) {
        fields.put(name, keyField(name));
      }
    }
    return fields.values().stream()
        .collect(
            Collectors.joining(",", "{\"type\":\"record\",\"name\":\"Row\",\"fields\":[", "]}"));
  }

  private static String keyField(String name) {
    StringBuilder text = new StringBuilder("{\"name\":\"").append(SchemaNames.segment(name));
    text.append("\",\"aliases\":[");
    Text.quote(name, text);
    return text.append("],\"type\":{\"type\":\"string\",\"")
        .append(ScalarTypes.ACCEPTS)
        .append("\":\"")
        .append(ScalarTypes.SCALAR)
        .append("\"}}")
        .toString();
  }

  /** The schema of a record's key: location, key fields, occurrence number. */
  public Schema keySchema() {
    return key.schema();
  }

  /**
   * What a record's key is made of, such as {@code location,inventoryId:int64}: names and types,
   * and the occurrence number. Keys that are remembered mean nothing under another layout.
   */
  public String keyLayout() {
    return key.text();
  }

  /** The schema of a row: the declared fields, and {@code extra}. */
  public Schema rowSchema() {
    return rowSchema;
  }

  Schema nullableRowSchema() {
    return nullableRowSchema;
  }

  SchemaNames names() {
    return names;
  }

  /**
   * The identity of a row: its number when there is exactly one key field and that is an integer,
   * else a JSON array of the typed values. Equal exactly for rows with equal key fields, whatever
   * the spelling. Where occurrences count, {@link #occurrence} completes it.
   *
   * @throws BrokenRowException when the row is no object, or a key field is missing or does not fit
   */
  public Key keyOf(Row row) throws BrokenRowException {
    return key.keyOf(row);
  }

  /**
   * The identity of one of several rows with the same key fields.
   *
   * @param number which of them, from 1
   */
  public Key occurrence(Key base, int number) {
    return KeyLayout.occurrence(base, number);
  }

  /** The key of a record, from nothing but the identity, which is all that a delete knows. */
  public Struct keyStruct(String location, Key key) {
    return this.key.struct(location, key);
  }

  /**
   * The row in {@link #rowSchema}. What the contract does not declare, does not fit or says less
   * than the original stands in {@code extra} as it was sent.
   *
   * @param row one that {@link #keyOf} accepts
   * @param typeMismatches told of every value that does not fit
   */
  public Struct row(Row row, TypeMismatches typeMismatches) {
    return row(rowSchema, row, typeMismatches);
  }

  Struct nullableRow(Row row, TypeMismatches typeMismatches) {
    return row(nullableRowSchema, row, typeMismatches);
  }

  private Struct row(Schema schema, Row row, TypeMismatches typeMismatches) {
    Struct struct = new Struct(schema);
    boolean[] said = columns.fill(struct, row, typeMismatches);
    return struct.put(Declaration.EXTRA, Extra.of(row, said));
  }

  /** A row of which only the identity is known. */
  Struct keyRow(Key key) {
    Struct struct = new Struct(nullableRowSchema);
    this.key.put(key, struct);
    return struct;
  }
}
