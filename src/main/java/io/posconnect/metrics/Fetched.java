package io.posconnect.metrics;

import java.time.Duration;
import java.util.Objects;

/**
 * What a complete fetch adds to a stream's metrics; its events were counted as they left.
 *
 * @param received rows that the service sent
 * @param suppressed rows that brought no news
 * @param typeMismatches values that did not fit their declared type
 * @param deadLetters rows that could not become events
 * @param duration from the first request to the last row
 */
public record Fetched(
    long received, long suppressed, long typeMismatches, long deadLetters, Duration duration) {
  public Fetched {
    Objects.requireNonNull(duration, "duration is null");
  }
}
