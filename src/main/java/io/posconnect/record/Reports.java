package io.posconnect.record;

import io.posconnect.json.Row;
import io.posconnect.resource.Stream;
import java.util.Date;
import org.apache.kafka.connect.data.Schema;
import org.apache.kafka.connect.data.SchemaBuilder;
import org.apache.kafka.connect.data.Struct;

/**
 * The records that are about a stream rather than of it: checkpoints and dead letters. Their
 * schemas are the same for all streams; a new field has to be optional.
 */
@SuppressWarnings("JavaUtilDate") // what Connect's Timestamp is made of
final class Reports {

  static final Schema KEY =
      SchemaBuilder.struct()
          .name("io.posconnect.StreamKey")
          .version(1)
          .field("location", Stamp.LOCATION)
          .field("resource", Stamp.RESOURCE)
          .build();

  static final Schema CHECKPOINT =
      SchemaBuilder.struct()
          .name("io.posconnect.Checkpoint")
          .version(1)
          .doc("A fetch is complete: all its events stand before this record.")
          .field("location", Stamp.LOCATION)
          .field("resource", Stamp.RESOURCE)
          .field("fetch", Stamp.FETCH)
          .field("window_from", Stamp.optionalTime("Beginning of the window; null where open."))
          .field("window_to", Stamp.optionalTime("End of the window; null where open."))
          .field("watermark", Stamp.time("Server time up to which the stream is complete."))
          .field("received", Stamp.count("Rows that the service sent."))
          .field("created", Stamp.count("Events with op c or r."))
          .field("updated", Stamp.count("Events with op u."))
          .field("deleted", Stamp.count("Events with op d."))
          .field("suppressed", Stamp.count("Rows that brought no news."))
          .field("type_mismatches", Stamp.count("Values that did not fit their declared type."))
          .field("dead_letters", Stamp.count("Rows that could not become events."))
          .field("requests", Stamp.count("Requests sent, retries included."))
          .field("retries", Stamp.count("Requests that had to be sent again."))
          .field("duration_ms", Stamp.count("Milliseconds that the fetch took."))
          .build();

  static final Schema DEAD_LETTER =
      SchemaBuilder.struct()
          .name("io.posconnect.DeadLetter")
          .version(1)
          .doc("A row that could not become an event.")
          .field("location", Stamp.LOCATION)
          .field("resource", Stamp.RESOURCE)
          .field("reason", Stamp.text("Why the row could not become an event."))
          .field("raw", Semantics.json().doc("The row as it was sent.").build())
          .field("fetch", Stamp.FETCH)
          .field("ts", Stamp.time("Server time of the fetch."))
          .build();

  private Reports() {}

  static Struct key(Stream stream) {
    return about(KEY, stream);
  }

  private static Struct about(Schema schema, Stream stream) {
    return new Struct(schema).put("location", stream.location()).put("resource", stream.resource());
  }

  static Struct checkpoint(Stream stream, Checkpoint checkpoint) {
    return about(CHECKPOINT, stream)
        .put("fetch", checkpoint.kind().spelling())
        .put(
            "window_from",
            checkpoint.window().hasFrom() ? Date.from(checkpoint.window().from()) : null)
        .put("window_to", checkpoint.window().hasTo() ? Date.from(checkpoint.window().to()) : null)
        .put("watermark", Date.from(checkpoint.watermark()))
        .put("received", checkpoint.received())
        .put("created", checkpoint.created())
        .put("updated", checkpoint.updated())
        .put("deleted", checkpoint.deleted())
        .put("suppressed", checkpoint.suppressed())
        .put("type_mismatches", checkpoint.typeMismatches())
        .put("dead_letters", checkpoint.deadLetters())
        .put("requests", checkpoint.requests())
        .put("retries", checkpoint.retries())
        .put("duration_ms", checkpoint.duration().toMillis());
  }

  static Struct deadLetter(Stream stream, Row row, String reason, Provenance provenance) {
    return about(DEAD_LETTER, stream)
        .put("reason", reason)
        .put("raw", row.json())
        .put("fetch", provenance.kind().spelling())
        .put("ts", Date.from(provenance.time()));
  }
}
