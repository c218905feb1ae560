package io.posconnect.client;

import java.util.concurrent.TimeUnit;

/**
 * How much of a rate is left after 429s: each halves it, down to a sixteenth; every full minute
 * without another gives a tenth of the full rate back.
 *
 * <p>When the next 429 comes on the way there, somebody else uses the limit too, and each step
 * takes twice as long as before, up to eight minutes: finding out again and again how much is left
 * costs a refusal every time. Not safe for several threads.
 */
final class Reduction {

  private static final long MINUTE = TimeUnit.MINUTES.toNanos(1);
  private static final double SLOWEST = 1.0 / 16;
  private static final double STEP = 0.1;
  private static final int MOST_MINUTES_A_STEP = 8;

  private double reduced = 1;
  private long reducedAt;
  private int minutesAStep = 1;

  void throttled(long nowNanos) {
    double before = factor(nowNanos);
    if (before >= 1) {
      minutesAStep = 1;
    } else if (before > reduced) {
      // Not for one of a burst, before anything was given back.
      minutesAStep = Math.min(MOST_MINUTES_A_STEP, 2 * minutesAStep);
    }
    reduced = Math.max(SLOWEST, before / 2);
    reducedAt = nowNanos;
  }

  /** What is left of the full rate, up to 1. */
  double factor(long nowNanos) {
    long steps = Math.max(0, nowNanos - reducedAt) / (minutesAStep * MINUTE);
    return Math.min(1, reduced + STEP * steps);
  }
}
