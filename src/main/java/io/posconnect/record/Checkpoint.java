package io.posconnect.record;

import io.posconnect.record.Provenance.FetchKind;
import io.posconnect.resource.Numbering;
import io.posconnect.resource.Stream;
import io.posconnect.resource.Window;
import java.time.Duration;
import java.time.Instant;
import java.util.Date;
import org.apache.kafka.connect.data.Schema;
import org.apache.kafka.connect.data.Struct;

/**
 * Reports what a complete fetch did; {@code Checkpoint.avsc} documents its fields. Its stream is
 * known to the {@link RecordBuilder}.
 *
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
  public static final Schema SCHEMA = FieldSchemas.own("Checkpoint");

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
