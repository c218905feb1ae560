package io.posconnect.acceptance;

import java.time.Duration;
import java.time.Instant;

/**
 * A time in which a process died or tasks moved.
 *
 * @param from when it was killed
 * @param to when it served again
 */
record Disturbance(Instant from, Instant to) {

  /** How long what was served may take to be committed, on a machine that is short of time. */
  private static final Duration IN_FLIGHT = Duration.ofSeconds(15);

  /** How long after a start tasks may still be on the move, or repeat what was in flight. */
  private static final Duration SETTLING = Duration.ofSeconds(30);

  /** Whether what was served then may have been lost on its way, and read again only later. */
  boolean excuses(Instant served) {
    return served.isAfter(from.minus(IN_FLIGHT)) && served.isBefore(to.plus(IN_FLIGHT));
  }

  /** Whether what was written then may be a repeat. */
  boolean mayRepeat(Instant written) {
    return written.isAfter(from) && written.isBefore(to.plus(SETTLING));
  }
}
