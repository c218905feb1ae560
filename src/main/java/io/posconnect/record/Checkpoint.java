package io.posconnect.record;

import io.posconnect.resource.Window;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;

/**
 * What a complete fetch has to say; its stream is known to the {@link RecordBuilder}.
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
    Duration duration) {
  public Checkpoint {
    Objects.requireNonNull(kind, "kind is null");
    Objects.requireNonNull(window, "window is null");
    Objects.requireNonNull(watermark, "watermark is null");
    Objects.requireNonNull(duration, "duration is null");
  }
}
