package io.posconnect.record;

import io.posconnect.json.Row;
import io.posconnect.record.BrokenRowException.Reason;
import io.posconnect.record.Destination.EventFormat;
import io.posconnect.record.FieldType.Conversion;
import io.posconnect.resource.Key;
import io.posconnect.resource.Spelled;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.connect.data.Field;
import org.apache.kafka.connect.data.Schema;
import org.apache.kafka.connect.data.SchemaBuilder;
import org.apache.kafka.connect.data.Struct;

/**
 * Defines how one resource's rows look in Kafka, whatever the service sends: the schemas of key and
 * row, and how a row is fitted into them without loss. Immutable.
 */
public final class RowSchema {

  /**
   * So many bytes more than its row an event may take: with the rest of the record, a row of the
   * default size then stays below the producer's limit of 1 MiB.
   */
  public static final long MOST_GROWTH = 100_000;

  /** The field that keeps everything undeclared. */
  static final String EXTRA = "extra";

  private static final Schema EXTRA_SCHEMA = FieldSchemas.json().optional().build();

  // The fields of every row that are none of the service.
  private final List<String> own;
  private final Columns columns;
  private final Extra extra = new Extra();
  private final KeyLayout key;
  private final Schema valueSchema;
  private final Schema nullableValueSchema;
  private final Schema eventSchema;
  private final long growth;

  /**
   * The row schema that an Avro record schema declares. Every field but the key becomes optional.
   *
   * @param declared ours or a user's; a field's aliases are other names that the service may use
   *     for it
   * @param keyFields names of the fields that identify a row, as {@link
   *     io.posconnect.resource.KeyPart} reads them
   * @param occurrences whether a key ends with an occurrence number
   * @throws IllegalArgumentException when the schema cannot be honoured; the message names the
   *     field and the remedy
   */
  public RowSchema(
      org.apache.avro.Schema declared,
      List<String> keyFields,
      boolean occurrences,
      DecimalMode decimals,
      SchemaNames names) {
    this.own =
        occurrences
            ? List.of(KeyLayout.LOCATION, KeyLayout.OCCURRENCE, EXTRA)
            : List.of(KeyLayout.LOCATION, EXTRA);
    refuseOwnNames(declared);
    this.columns =
        new AvroSchemaReader(decimals, names.nested())
            .columns(declared, field -> !KeyLayout.requires(keyFields, field));
    this.key = new KeyLayout(keyFields, occurrences, columns, names);
    SchemaBuilder row = SchemaBuilder.struct().name(names.value(declared)).doc(declared.getDoc());
    // All of the key, for consumers that drop the key or upsert by fields.
    row.field(KeyLayout.LOCATION, Schema.STRING_SCHEMA);
    if (occurrences) {
      row.field(KeyLayout.OCCURRENCE, Schema.INT32_SCHEMA);
    }
    columns.addTo(row).field(EXTRA, EXTRA_SCHEMA);
    this.valueSchema = row.build();
    this.nullableValueSchema = row.optional().build();
    this.eventSchema = Envelope.schema(names.envelope(), nullableValueSchema);
    this.growth = RecordSize.growth(valueSchema, decimals);
  }

  private void refuseOwnNames(org.apache.avro.Schema declared) {
    for (org.apache.avro.Schema.Field field : declared.getFields()) {
      if (own.stream().anyMatch(field.name()::equalsIgnoreCase)) {
        throw new IllegalArgumentException(
            ("every row has a field %s of its own (the connector adds %s): give the service's field"
                    + " another name, and %s as an alias")
                .formatted(field.name(), String.join(", ", own), field.name()));
      }
    }
  }

  /**
   * Refuses an event in which two records have one name: no converter to Avro can write it.
   *
   * @throws IllegalArgumentException that names it, and the remedy
   */
  public void refuseTwinRecords(EventFormat format) {
    Schema event = format == EventFormat.FLAT ? valueSchema : eventSchema;
    refuseTwinRecords(event, new HashMap<>());
  }

  private static void refuseTwinRecords(Schema schema, Map<String, List<Field>> records) {
    switch (schema.type()) {
      case STRUCT -> {
        List<Field> other = records.putIfAbsent(schema.name(), schema.fields());
        if (other != null && !other.equals(schema.fields())) {
          throw new IllegalArgumentException(
              ("two records of one event would be called %s: give that of the schema another name or"
                      + " namespace, and a resource without a schema another name")
                  .formatted(schema.name()));
        }
        schema.fields().forEach(field -> refuseTwinRecords(field.schema(), records));
      }
      case ARRAY, MAP -> refuseTwinRecords(schema.valueSchema(), records);
      default -> {}
    }
  }

  /**
   * The names and types of a record's key, such as {@code location,productId:int64}. Under another
   * layout remembered keys mean nothing, and keys in a topic have other bytes.
   */
  public String keyLayout() {
    return key.text();
  }

  /** The fields and types of a row, to be stored with the position. */
  public Contract contract() {
    return Contract.of(valueSchema);
  }

  /** Makes the key of a record, from nothing but the identity, which is all that a delete knows. */
  KeyLayout key() {
    return key;
  }

  Columns columns() {
    return columns;
  }

  /** Returns whether that is a field of every row, and no field of the service. */
  boolean isOwn(String field) {
    return own.contains(field);
  }

  /** The schema of a row: location, the declared fields, and {@code extra}. */
  Schema valueSchema() {
    return valueSchema;
  }

  Schema nullableValueSchema() {
    return nullableValueSchema;
  }

  /** The schema of a row's events, unless they are flat. */
  Schema eventSchema() {
    return eventSchema;
  }

  /**
   * The identity of a row: its number when there is exactly one key field and that is an integer,
   * else a JSON array of the typed values. Equal exactly for rows with equal key fields, whatever
   * the spelling. Where occurrences count, {@link #occurrence} completes it.
   *
   * <p>A row that exceeds a limit or is not JSON has a key as well, if its key fields can be read:
   * {@link #admit} rejects it.
   *
   * @throws BrokenRowException when the key cannot be read: the row is no object, or a key field is
   *     missing, named twice, not reached, too long or does not fit its type
   */
  public Key keyOf(Row row) throws BrokenRowException {
    return key.keyOf(row);
  }

  /**
   * Rejects a row whose event cannot be written.
   *
   * @param mostBytes that a row may take in an event, in whatever format
   * @throws BrokenRowException when the row has a {@link Row#fault}, or takes more: what a declared
   *     type cannot hold exactly stands there twice, and a short text can be a long record
   */
  public void admit(Row row, long mostBytes) throws BrokenRowException {
    if (row.fault().isPresent()) {
      throw BrokenRowException.of(row.fault().get());
    }
    if (row.length() * growth > mostBytes
        && RecordSize.of(fields(valueSchema, row, new Conversion())) > mostBytes) {
      throw new BrokenRowException(
          Reason.TOO_LARGE, "more than " + mostBytes + " bytes as an event");
    }
  }

  /**
   * The identity of one of several rows with the same key fields.
   *
   * @param number which of them, from 1
   */
  public Key occurrence(Key base, int number) {
    return KeyLayout.occurrence(base, number);
  }

  /**
   * The row. A value that is not declared, does not fit or is not represented exactly stands in
   * {@code extra} as it was sent.
   *
   * @param form {@link #valueSchema} or {@link #nullableValueSchema}
   * @param key the row's, with its occurrence number where those count
   * @param row one that {@link #keyOf} and {@link #admit} accept
   * @param conversion counts the values that do not fit
   */
  Struct row(Schema form, String location, Key key, Row row, Conversion conversion) {
    Struct struct = fields(form, row, conversion);
    this.key.complete(location, key, struct);
    return struct;
  }

  private Struct fields(Schema schema, Row row, Conversion conversion) {
    Struct struct = new CheckedStruct(schema);
    boolean[] represented = columns.fill(struct, row, conversion);
    return struct.put(EXTRA, extra.of(row, represented));
  }

  /** A row of which only the identity is known. */
  Struct keyRow(String location, Key key) {
    Struct struct = new CheckedStruct(nullableValueSchema);
    this.key.put(location, key, struct);
    return struct;
  }

  public enum DecimalMode implements Spelled {
    /** As Connect's Decimal, which converters turn into Avro's {@code decimal}. */
    PRECISE,
    STRING,
    DOUBLE
  }
}
