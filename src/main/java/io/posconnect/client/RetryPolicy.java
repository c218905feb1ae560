package io.posconnect.client;

import java.time.Duration;
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
    if (initial.isNegative() || initial.isZero()) {
      throw new IllegalArgumentException("initial back-off is " + initial);
    }
    if (max.compareTo(initial) < 0) {
      throw new IllegalArgumentException(
          "the first back-off, %d ms, is longer than the longest, %d ms"
              .formatted(initial.toMillis(), max.toMillis()));
    }
    if (max.compareTo(Duration.ofDays(365)) > 0) {
      throw new IllegalArgumentException("longest back-off is " + max);
    }
  }

  /**
   * The delay before the next attempt.
   *
   * @param failures how many attempts have failed in a row, from 1
   * @return up to the span of that many failures
   */
  public Duration delay(int failures, RandomGenerator random) {
    return Duration.ofNanos(random.nextLong(span(failures).toNanos() + 1));
  }

  /**
   * The delay before the next attempt when the service may have named one.
   *
   * @return at least what the service asked for, unless that is more than the longest span
   */
  public Duration delay(int failures, Optional<Duration> retryAfter, RandomGenerator random) {
    Duration own = delay(failures, random);
    Duration asked = pause(retryAfter);
    return asked.compareTo(own) > 0 ? asked : own;
  }

  /** What is granted of what the service asked for: zero if nothing, the longest span at most. */
  public Duration pause(Optional<Duration> retryAfter) {
    return min(retryAfter.orElse(Duration.ZERO), max);
  }

  private Duration span(int failures) {
    if (failures < 1) {
      throw new IllegalArgumentException("failures is " + failures);
    }
    Duration span = initial;
    for (int i = 1; i < failures && span.compareTo(max) < 0; i++) {
      span = span.multipliedBy(2);
    }
    return min(span, max);
  }

  private static Duration min(Duration a, Duration b) {
    return a.compareTo(b) < 0 ? a : b;
  }
}
