package io.posconnect.client;

import java.util.concurrent.TimeUnit;

/**
 * Keeps one key on one path within its limit of N requests a minute. Arithmetic over the times it
 * is given, which all come from one monotonic clock; nothing here waits. Safe for several threads.
 *
 * <p>Slots are spaced evenly, so no sliding minute, both of its ends included, holds more than N of
 * them. The first slot is one spacing after the start: a process that follows a crashed one keeps
 * the distance to a request it never heard of.
 *
 * <p>A 429 halves the rate, down to a sixteenth; every full minute without another gives a tenth of
 * the full rate back. When the next 429 comes on the way there, somebody else uses the limit too,
 * and each step takes twice as long as before, up to eight minutes: finding out again and again how
 * much is left costs a refusal every time.
 */
public final class RateLimiter {

  private static final long MINUTE = TimeUnit.MINUTES.toNanos(1);

  // N spacings are longer than a minute by this, or both ends of a minute would hold N + 1 slots.
  private static final long FENCE = TimeUnit.MILLISECONDS.toNanos(50);
  private static final double SLOWEST = 1.0 / 16;
  private static final double STEP = 0.1;
  private static final int MOST_MINUTES_A_STEP = 8;

  private final long fullSpacing;
  private long lastSlot;
  private double reduced = 1;
  private long reducedAt;
  private int minutesAStep = 1;

  /**
   * @param requestsPerMinute the service's limit
   * @param share of it to use, above 0 and up to 1
   * @param startNanos when the process that will send began
   */
  public RateLimiter(int requestsPerMinute, double share, long startNanos) {
    if (requestsPerMinute < 1) {
      throw new IllegalArgumentException("requests per minute is " + requestsPerMinute);
    }
    if (!(share > 0 && share <= 1)) {
      throw new IllegalArgumentException("share is " + share);
    }
    double wanted = MINUTE / (requestsPerMinute * share);
    double allowed = (double) (MINUTE + FENCE) / requestsPerMinute;
    this.fullSpacing = (long) Math.ceil(Math.max(wanted, allowed));
    this.lastSlot = startNanos;
    this.reducedAt = startNanos;
  }

  /**
   * Takes a slot, or tells how long to wait for one.
   *
   * @return 0 when the request may be sent now, else nanoseconds until it is worth asking again
   */
  public synchronized long tryAcquire(long nowNanos) {
    long wait = lastSlot + spacing(nowNanos) - nowNanos;
    if (wait > 0) {
      return wait;
    }
    lastSlot = nowNanos;
    return 0;
  }

  /** The service said 429. */
  public synchronized void throttled(long nowNanos) {
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

  /** Requests a minute that are allowed now. */
  public synchronized double rate(long nowNanos) {
    return (double) MINUTE / spacing(nowNanos);
  }

  private long spacing(long nowNanos) {
    return (long) Math.ceil(fullSpacing / factor(nowNanos));
  }

  private double factor(long nowNanos) {
    long steps = Math.max(0, nowNanos - reducedAt) / (minutesAStep * MINUTE);
    return Math.min(1, reduced + STEP * steps);
  }
}
