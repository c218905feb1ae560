package io.posconnect.record;

import io.posconnect.json.JsonText;
import io.posconnect.problem.Incident;
import io.posconnect.resource.Stream;
import java.time.Instant;
import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import org.apache.kafka.connect.data.Schema;
import org.apache.kafka.connect.data.Struct;

/**
 * Reports a change of a stream's state as data, in the shape of Debezium's notifications.
 *
 * @param data details; the names depend on the type
 */
public record Status(Type type, Map<String, String> data, Instant time) {

  static final Schema SCHEMA = FieldSchemas.own("Status");

  private static final String AGGREGATE = "Stream";

  public enum Type {
    /**
     * The first full read has begun, or continues after a start: {@code mode} is {@code baseline}
     * if nothing of it is emitted.
     */
    SNAPSHOT_STARTED,
    /** The first full read is running: {@code rows} read since the start. */
    SNAPSHOT_IN_PROGRESS,
    SNAPSHOT_COMPLETED,
    /** A baseline has learned {@code keys} so far: the record stores a part of them. */
    BASELINE_STORED,
    /** The stream is not read for now: {@code code}, {@code reason}. */
    SUSPENDED,
    RESUMED,
    /**
     * Keys vanished, and a second read or the location's identity has to confirm it: {@code code},
     * {@code reason}.
     */
    DELETES_HELD,
    /** The keys that are still missing are deleted. */
    DELETES_RELEASED,
    /**
     * Rows could not become events, since the start or the last hour: {@code code}, {@code reason}.
     */
    ROWS_REJECTED,
    /** The digest is full: {@code code}, {@code reason}. */
    CEILING_REACHED,
    /**
     * A list in pages ends with a page that does not exist, as it did not before: {@code reason}.
     */
    LIST_ENDED,
    /** The key was refused, and the configuration has another one. */
    KEY_ROTATED,
    /** Rows are emitted in another form than before: {@code code}, {@code reason}. */
    CONTRACT_CHANGED,
    /** No row has a private field, whose name may be misspelt: {@code code}, {@code reason}. */
    PRIVATE_FIELD_ABSENT,
    /** Rows have a field that is not on the list to keep: {@code code}, {@code reason}. */
    FIELD_UNLISTED
  }

  public Status {
    // In one order, whatever the run.
    data = Collections.unmodifiableMap(new TreeMap<>(data));
  }

  /** A change with its reason: {@code code} and {@code reason} are those of the incident. */
  public static Status of(Type type, Incident incident, Instant time) {
    return new Status(type, Map.of("code", incident.code(), "reason", incident.toString()), time);
  }

  Struct struct(Stream stream) {
    return FieldSchemas.about(stream, SCHEMA)
        .put("id", UUID.randomUUID().toString())
        .put("aggregate_type", AGGREGATE)
        .put("type", type.name())
        .put("additional_data", JsonText.object(data))
        .put("ts_ms", time.toEpochMilli());
  }
}
