package io.posconnect.client;

import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.random.RandomGenerator;

/**
 * Computes how long to wait before the next attempt: a random part of a span that doubles with each
 * failure, so that clients that failed together do not come back together. Pure.
 *
 * @param initial the span after the first failure
 * @param max the longest span
 */
public record RetryPolicy(Duration initial, Duration max) {

  public RetryPolicy {
    if (max.compareTo(initial) < 0) {
      throw new IllegalArgumentException(
          "the first back-off, %s ms, is longer than the longest, %s ms"
              .formatted(initial.toMillis(), max.toMillis()));
    }
  }

  /**
   * Computes the delay before the next attempt.
   *
   * @param failures how many attempts have failed in a row, from 1
   * @param retryAfter the pause that the service asked for, if it did
   * @return a random part of the span of that many failures, but at least the granted pause
   */
  public Duration delay(int failures, Optional<Duration> retryAfter, RandomGenerator random) {
    Duration own = Duration.ofNanos(random.nextLong(span(failures).toNanos() + 1));
    return Collections.max(List.of(own, pause(retryAfter)));
  }

  /** Returns the pause that the service asked for, at most the longest span; zero if none. */
  public Duration pause(Optional<Duration> retryAfter) {
    return Collections.min(List.of(retryAfter.orElse(Duration.ZERO), max));
  }

  private Duration span(int failures) {
    Duration span = initial;
    for (int i = 1; i < failures && span.compareTo(max) < 0; i++) {
      span = span.multipliedBy(2);
    }
    return Collections.min(List.of(span, max));
  }
}
