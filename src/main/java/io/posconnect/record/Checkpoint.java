package io.posconnect.record;

import io.posconnect.record.Provenance.FetchKind;
import io.posconnect.resource.Counts;
import io.posconnect.resource.Counts.Count;
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
    Counts counts,
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
        .put("received", counts.get(Count.RECEIVED))
        .put("created", counts.get(Count.CREATED) + counts.get(Count.READ))
        .put("updated", counts.get(Count.UPDATED))
        .put("deleted", counts.get(Count.DELETED))
        .put("suppressed", counts.get(Count.SUPPRESSED))
        .put("type_mismatches", counts.get(Count.TYPE_MISMATCHES))
        .put("dead_letters", counts.get(Count.DEAD_LETTERS))
        .put("requests", counts.get(Count.REQUESTS))
        .put("retries", counts.get(Count.RETRIES))
        .put("duration_ms", duration.toMillis())
        .put("seq", numbering.seq())
        .put("epoch_ms", numbering.epochMillis());
  }
}
