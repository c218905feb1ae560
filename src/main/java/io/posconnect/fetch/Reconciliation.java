package io.posconnect.fetch;

import java.time.Instant;

/**
 * A reconciliation while it runs, from the increment right before it until its last response: what
 * increments return meanwhile is fresh. If another read of the list must confirm it, that is a
 * reconciliation of its own: what was fresh long ago must not keep deletes for ever.
 */
final class Reconciliation {

  private final Instant began;
  private long sinceNanos;
  private long sinceTick = Long.MAX_VALUE;

  /**
   * @param began server time at which the increment before it began
   */
  Reconciliation(Instant began) {
    this.began = began;
  }

  Instant began() {
    return began;
  }

  /** Records that one of its fetches, or the increment before it, began then, at that tick. */
  void began(long nanos, long tick) {
    if (tick < sinceTick) {
      sinceNanos = nanos;
      sinceTick = tick;
    }
  }

  /** Monotonic time at which the first of them began; meaningless before. */
  long sinceNanos() {
    return sinceNanos;
  }

  /** The tick of the digest at which the first of them began. */
  long sinceTick() {
    return sinceTick;
  }
}
