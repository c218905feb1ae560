package io.posconnect.client;

import java.util.concurrent.TimeUnit;

/**
 * How much of a rate is left after 429s: each halves it, down to a sixteenth, and every full minute
 * without another gives a tenth of the full rate back, up to a tenth below where the last one came.
 *
 * <p>Who uses the rest of the limit is likely to use it still, and to find out costs a refusal. So
 * that step, and those after it, must first be earned by two hundred requests without one, but by
 * half an hour at most; then fewer than one in a hundred is refused however low the limit is. Not
 * safe for several threads.
 */
final class RateReduction {

  private static final long MINUTE = TimeUnit.MINUTES.toNanos(1);
  private static final double SLOWEST = 1.0 / 16;
  private static final double STEP = 0.1;
  private static final int TO_EARN = 200;
  private static final long SHORTEST = 2 * MINUTE;
  private static final long LONGEST = 30 * MINUTE;

  private double reduced = 1;
  private long reducedAt;

  // Where it was refused last, having climbed there; and how long it keeps below that.
  private double ceiling = 1;
  private long patience;

  /**
   * The service said 429.
   *
   * @param fullSpacing of two requests at the full rate, in nanoseconds
   */
  void throttled(long nowNanos, long fullSpacing) {
    double before = factor(nowNanos);
    if (before > reduced) {
      // Not for one of a burst, before anything was given back.
      ceiling = before;
    }
    reduced = Math.max(SLOWEST, before / 2);
    reducedAt = nowNanos;
    long earning = (long) (TO_EARN * (fullSpacing / held()));
    patience = Math.max(SHORTEST, Math.min(LONGEST, earning));
  }

  /** What is left of the full rate, up to 1. */
  double factor(long nowNanos) {
    if (reduced >= 1) {
      return 1;
    }
    long since = Math.max(0, nowNanos - reducedAt);
    long climb = (long) Math.ceil((held() - reduced) / STEP - 1e-9) * MINUTE;
    long beyond = since - climb - patience;
    if (beyond < 0) {
      return Math.min(held(), reduced + STEP * steps(since));
    }
    return Math.min(1, held() + STEP * (1 + steps(beyond)));
  }

  private static long steps(long nanos) {
    return nanos / MINUTE;
  }

  private double held() {
    return Math.max(reduced, ceiling - STEP);
  }
}
