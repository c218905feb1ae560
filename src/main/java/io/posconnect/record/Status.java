package io.posconnect.record;

import io.posconnect.json.JsonText;
import io.posconnect.problem.Problem;
import io.posconnect.resource.Stream;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import org.apache.kafka.connect.data.Schema;
import org.apache.kafka.connect.data.SchemaBuilder;
import org.apache.kafka.connect.data.Struct;

/**
 * Tells operators, as data, what became of a stream; in the shape of Debezium's notifications.
 *
 * @param data what is known beside the type; names are the type's own
 */
public record Status(Type type, Map<String, String> data, Instant time) {

  /** The same for all streams; a new field has to be optional. */
  static final Schema SCHEMA =
      SchemaBuilder.struct()
          .name("io.posconnect.Status")
          .version(1)
          .doc("The state of a stream has changed.")
          .field("location", FieldSchemas.LOCATION)
          .field("resource_name", FieldSchemas.RESOURCE)
          .field("id", FieldSchemas.text("Identifies this record."))
          .field("aggregate_type", FieldSchemas.text("What it is about: Stream."))
          .field("type", FieldSchemas.text("What happened."))
          .field(
              "additional_data",
              FieldSchemas.json().doc("What is known of it, an object of texts.").build())
          .field("ts_ms", FieldSchemas.count("When it happened, in milliseconds."))
          .build();

  private static final String AGGREGATE = "Stream";

  /** What happened. */
  public enum Type {
    /** The first full read has begun, or goes on after a start. */
    SNAPSHOT_STARTED,
    /** It is still going on: {@code rows} read since the start. */
    SNAPSHOT_IN_PROGRESS,
    /** It is complete. */
    SNAPSHOT_COMPLETED,
    /** The stream is not read for now: {@code code}, {@code reason}. */
    SUSPENDED,
    /** It is read again. */
    RESUMED,
    /**
     * Keys vanished, and what must confirm it has yet to come, a second read or the location's
     * identity: {@code code}, {@code reason}.
     */
    DELETES_HELD,
    /** It has come: what is still missing is deleted. */
    DELETES_RELEASED,
    /** The digest is full: {@code code}, {@code reason}. */
    CEILING_REACHED,
    /** The key was refused, and the configuration has another one. */
    KEY_ROTATED,
    /** Rows that were told before have another form: {@code code}, {@code reason}. */
    CONTRACT_CHANGED
  }

  public Status {
    Objects.requireNonNull(type, "type is null");
    data = Map.copyOf(data);
    Objects.requireNonNull(time, "time is null");
  }

  /**
   * A change with a reason that begins with its code.
   *
   * @param reason such as {@code POS-201 …}
   */
  public static Status of(Type type, String reason, Instant time) {
    Map<String, String> data = new LinkedHashMap<>();
    data.put("code", Problem.codeOf(reason));
    data.put("reason", reason);
    return new Status(type, data, time);
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
