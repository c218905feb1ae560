package io.posconnect.client;

import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * Keeps one user of a key on a path within its limit of N requests a minute. Arithmetic over the
 * times it is given, which all come from one monotonic clock; nothing here waits. Safe for several
 * threads.
 *
 * <p>Slots are spaced evenly, so no sliding minute, both of its ends included, holds more than N of
 * them, however many limiters share them. The first slot is one spacing after the start: a process
 * that follows a crashed one keeps the distance to a request it never heard of.
 *
 * <p>A 429 halves the rate, which recovers step by step; see {@link SharedRateLimit}.
 */
public final class RateLimit implements AutoCloseable {

  private static final long MINUTE = TimeUnit.MINUTES.toNanos(1);

  // N spacings are longer than a minute by this, or both ends of a minute would hold N + 1 slots.
  private static final long FENCE = TimeUnit.MILLISECONDS.toNanos(50);

  private final SharedRateLimit budget;
  private final long spacing;
  private final boolean guest;

  /**
   * One that shares its slots with whatever uses that budget.
   *
   * @param requestsPerMinute the service's limit
   * @param share of it to use, above 0 and up to 1
   * @param guest whether only this one keeps to its limit, not the others for its sake
   */
  RateLimit(int requestsPerMinute, double share, SharedRateLimit budget, boolean guest) {
    this.budget = budget;
    this.spacing = spacing(requestsPerMinute, share);
    this.guest = guest;
  }

  /** What it needs between any two slots, in nanoseconds. */
  long spacing() {
    return spacing;
  }

  boolean guest() {
    return guest;
  }

  /** Counts a request that was sent then, or may have been. */
  void spent(long nanos) {
    budget.spent(this, nanos);
  }

  /**
   * Charges the limit for a request that was sent then without a slot, such as a redirect that was
   * followed: the next free slot is lost. So the average keeps the limit, and one minute may hold
   * as many more as one request had redirects.
   */
  public void charge(long nowNanos) {
    budget.charge(this, nowNanos);
  }

  /** What one limiter alone needs between any two slots, in nanoseconds. */
  public static long spacing(int requestsPerMinute, double share) {
    if (requestsPerMinute < 1) {
      throw new IllegalArgumentException("requests per minute is " + requestsPerMinute);
    }
    if (!(share > 0 && share <= 1)) {
      throw new IllegalArgumentException("share is " + share);
    }
    double wanted = MINUTE / (requestsPerMinute * share);
    double allowed = (double) (MINUTE + FENCE) / requestsPerMinute;
    return (long) Math.ceil(Math.max(wanted, allowed));
  }

  /**
   * Takes a slot, or tells how long to wait for one.
   *
   * @return 0 when the request may be sent now, else nanoseconds until it is worth asking again
   */
  public long tryAcquire(long nowNanos) {
    return budget.tryAcquire(this, nowNanos);
  }

  /** The service said 429. */
  public void throttled(long nowNanos) {
    throttled(nowNanos, Duration.ZERO);
  }

  /**
   * The service said 429, and for how long it wants no request: all who share the limit wait.
   *
   * @param pause from now on, zero where nothing was said
   */
  public void throttled(long nowNanos, Duration pause) {
    budget.throttled(this, nowNanos, pause.toNanos());
  }

  /** Requests a minute that are allowed now, to all who share them together. */
  public double rate(long nowNanos) {
    return (double) MINUTE / budget.spacing(this, nowNanos);
  }

  /** Leaves the slots to the others. */
  @Override
  public void close() {
    budget.leave(this);
  }
}
