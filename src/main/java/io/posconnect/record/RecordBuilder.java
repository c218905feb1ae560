package io.posconnect.record;

import io.posconnect.json.Row;
import io.posconnect.record.Destination.EventFormat;
import io.posconnect.record.Envelope.Operation;
import io.posconnect.record.FieldType.Conversion;
import io.posconnect.resource.Key;
import io.posconnect.resource.Stream;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import org.apache.kafka.connect.data.Schema;
import org.apache.kafka.connect.data.Struct;
import org.apache.kafka.connect.header.ConnectHeaders;
import org.apache.kafka.connect.header.Headers;
import org.apache.kafka.connect.source.SourceRecord;
import org.jspecify.annotations.Nullable;

/**
 * Builds the records of one stream. All schemas are built with the builder, none with a record. For
 * one thread at a time.
 */
public final class RecordBuilder {

  private final RowSchema rowSchema;
  private final Destination destination;
  private final boolean flat;
  private final String topic;
  private final InstantSource clock;
  private final Envelope envelope;
  private final Conversion conversion = new Conversion();

  /**
   * @param clock the time at which the connector sees a change: the timestamp of each record
   */
  public RecordBuilder(RowSchema rowSchema, Destination destination, InstantSource clock) {
    this.rowSchema = rowSchema;
    this.destination = destination;
    this.flat = destination.format() == EventFormat.FLAT;
    this.topic = destination.topics().of(destination.stream());
    this.clock = clock;
    this.envelope = new Envelope(rowSchema, destination);
  }

  public Stream stream() {
    return destination.stream();
  }

  /** Counts the values of all rows so far that did not fit their declared type. */
  public long typeMismatches() {
    return conversion.typeMismatches();
  }

  /**
   * The event of a row that was created, updated or read.
   *
   * @param operation anything but {@link Operation#DELETE}
   * @param key the row's, with its occurrence number where those count
   * @param row one that {@link RowSchema#keyOf} and {@link RowSchema#admit} accept
   */
  public SourceRecord change(
      Operation operation, Key key, Row row, Provenance provenance, Commit commit) {
    Instant seen = clock.instant();
    Schema form = flat ? rowSchema.valueSchema() : rowSchema.nullableValueSchema();
    Struct after = rowSchema.row(form, destination.stream().location(), key, row, conversion);
    Struct value = flat ? after : envelope.of(operation, null, after, provenance, seen);
    return event(key, value, headers(operation, provenance), seen, commit);
  }

  /** The number of records that {@link #delete} returns. */
  public int recordsOfDelete() {
    return !flat && destination.tombstones() ? 2 : 1;
  }

  /**
   * The events of a row that is gone: the delete and its tombstone, each with the same offset, as
   * the format and the destination want them. Never empty, and never split.
   */
  public List<SourceRecord> delete(Key key, Provenance provenance, Commit commit) {
    Instant seen = clock.instant();
    Struct before = rowSchema.keyRow(destination.stream().location(), key);
    Struct value = flat ? null : envelope.of(Operation.DELETE, before, null, provenance, seen);
    Headers headers = headers(Operation.DELETE, provenance);
    SourceRecord delete = event(key, value, headers, seen, commit);
    return recordsOfDelete() == 1
        ? List.of(delete)
        : List.of(delete, event(key, null, new ConnectHeaders(), seen, commit));
  }

  private Headers headers(Operation operation, Provenance provenance) {
    return flat ? envelope.headers(operation, provenance) : new ConnectHeaders();
  }

  private SourceRecord event(
      Key key, @Nullable Struct value, Headers headers, Instant seen, Commit commit) {
    Struct keyStruct = rowSchema.key().struct(destination.stream().location(), key);
    return new TrackedRecord(commit, topic, keyStruct, value, seen.toEpochMilli(), headers);
  }

  /**
   * The record of a row that cannot become an event.
   *
   * @param reason why, such as {@link BrokenRowException#getMessage}
   */
  public SourceRecord deadLetter(Row row, String reason, Provenance provenance, Commit commit) {
    DeadLetter letter = new DeadLetter(row, reason, provenance);
    Struct key = letter.key(destination.stream());
    Struct value = letter.struct(destination.stream());
    return record(destination.topics().deadLetters(), key, value, commit);
  }

  public SourceRecord checkpoint(Checkpoint checkpoint, Commit commit) {
    Struct value = checkpoint.struct(destination.stream());
    return aboutStream(destination.topics().checkpoints(), value, commit);
  }

  public Status status(Status.Type type, Map<String, String> data) {
    return new Status(type, data, clock.instant());
  }

  public SourceRecord status(Status status, Commit commit) {
    return aboutStream(destination.topics().status(), status.struct(destination.stream()), commit);
  }

  private SourceRecord aboutStream(String topic, Struct value, Commit commit) {
    Struct key = FieldSchemas.about(destination.stream(), FieldSchemas.STREAM_KEY);
    return record(topic, key, value, commit);
  }

  private SourceRecord record(String topic, Struct key, Struct value, Commit commit) {
    return new TrackedRecord(commit, topic, key, value, clock.millis(), new ConnectHeaders());
  }
}
