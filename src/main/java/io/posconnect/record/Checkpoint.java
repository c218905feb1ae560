package io.posconnect.record;

import io.posconnect.record.Provenance.FetchKind;
import io.posconnect.resource.Numbering;
import io.posconnect.resource.Stream;
import io.posconnect.resource.Window;
import java.time.Duration;
import java.time.Instant;
import java.util.Date;
import java.util.Objects;
import org.apache.kafka.connect.data.Schema;
import org.apache.kafka.connect.data.SchemaBuilder;
import org.apache.kafka.connect.data.Struct;

/**
 * Tells what a complete fetch did; its stream is known to the {@link RecordBuilder}.
 *
 * @param kind why the fetch was made
 * @param window what it asked for
 * @param watermark server time up to which the stream is now complete
 * @param received rows that the service sent
 * @param created events with {@code op} c or r
 * @param updated events with {@code op} u
 * @param deleted events with {@code op} d
 * @param suppressed rows that brought no news
 * @param typeMismatches values that did not fit their declared type
 * @param deadLetters rows that could not become events
 * @param requests requests that the fetch took, retries included
 * @param retries requests that had to be sent again
 * @param numbering of the stream's latest event: that one and all before stand in the topic
 * @param duration from the first request to the last row
 */
public record Checkpoint(
    FetchKind kind,
    Window window,
    Instant watermark,
    long received,
    long created,
    long updated,
    long deleted,
    long suppressed,
    long typeMismatches,
    long deadLetters,
    long requests,
    long retries,
    Numbering numbering,
    Duration duration) {

  /** The same for all streams; a new field has to be optional. */
  public static final Schema SCHEMA =
      SchemaBuilder.struct()
          .name("io.posconnect.Checkpoint")
          .version(1)
          .doc("A fetch is complete: all its events stand before this record.")
          .field("location", FieldSchemas.LOCATION)
          .field("resource_name", FieldSchemas.RESOURCE)
          .field("fetch_kind", FieldSchemas.FETCH_KIND)
          .field(
              "window_from", FieldSchemas.optionalTime("Beginning of the window; null where open."))
          .field("window_to", FieldSchemas.optionalTime("End of the window; null where open."))
          .field(
              "complete_to", FieldSchemas.time("Server time up to which the stream is complete."))
          .field("received", FieldSchemas.count("Rows that the service sent."))
          .field("created", FieldSchemas.count("Events with op c or r."))
          .field("updated", FieldSchemas.count("Events with op u."))
          .field("deleted", FieldSchemas.count("Events with op d."))
          .field("suppressed", FieldSchemas.count("Rows that brought no news."))
          .field(
              "type_mismatches", FieldSchemas.count("Values that did not fit their declared type."))
          .field("dead_letters", FieldSchemas.count("Rows that could not become events."))
          .field("requests", FieldSchemas.count("Requests sent, retries included."))
          .field("retries", FieldSchemas.count("Requests that had to be sent again."))
          .field("duration_ms", FieldSchemas.count("Milliseconds that the fetch took."))
          .field("seq", FieldSchemas.count("Number of the latest event that this vouches for."))
          .field("epoch_ms", FieldSchemas.count("When that numbering began, in milliseconds."))
          .build();

  public Checkpoint {
    Objects.requireNonNull(kind, "kind is null");
    Objects.requireNonNull(window, "window is null");
    Objects.requireNonNull(watermark, "watermark is null");
    Objects.requireNonNull(numbering, "numbering is null");
    Objects.requireNonNull(duration, "duration is null");
  }

  @SuppressWarnings("JavaUtilDate") // what Connect's Timestamp is made of
  Struct struct(Stream stream) {
    return FieldSchemas.about(stream, SCHEMA)
        .put("fetch_kind", kind.spelling())
        .put("window_from", window.hasFrom() ? Date.from(window.from()) : null)
        .put("window_to", window.hasTo() ? Date.from(window.to()) : null)
        .put("complete_to", Date.from(watermark))
        .put("received", received)
        .put("created", created)
        .put("updated", updated)
        .put("deleted", deleted)
        .put("suppressed", suppressed)
        .put("type_mismatches", typeMismatches)
        .put("dead_letters", deadLetters)
        .put("requests", requests)
        .put("retries", retries)
        .put("duration_ms", duration.toMillis())
        .put("seq", numbering.seq())
        .put("epoch_ms", numbering.epochMillis());
  }
}
