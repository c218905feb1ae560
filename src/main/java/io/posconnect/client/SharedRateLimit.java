package io.posconnect.client;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/**
 * Spaces the slots of one limit of the service, which is one key's on one path: when the last one
 * was taken, what 429s have left of the rate, and who shares it. Safe for several threads.
 *
 * <p>The slots are everybody's: all keep the distance that the slowest of them needs, for the
 * service has one limit and whoever states the lowest is safe. Those who wait take turns, so that
 * none of them starves; one that does not come for its turn loses it.
 */
final class SharedRateLimit {

  private static final long MINUTE = TimeUnit.MINUTES.toNanos(1);

  // How long a free slot is kept for the one whose turn it is: threads wake up late.
  private static final long COURTESY = TimeUnit.MILLISECONDS.toNanos(100);

  private final Set<RateLimit> members = new HashSet<>();
  private final Deque<RateLimit> waiting = new ArrayDeque<>();
  private final Reduction reduction = new Reduction();
  private boolean used;
  private long lastSlot;
  private long lastSpacing;

  /** Lets one take part. */
  synchronized void join(RateLimit member) {
    members.add(member);
  }

  synchronized void leave(RateLimit member) {
    members.remove(member);
    waiting.remove(member);
  }

  /** Takes a slot for a request that was, or may have been, sent then. */
  synchronized void spent(RateLimit member, long nanos) {
    if (!used || nanos - lastSlot > 0) {
      take(member, nanos);
    }
  }

  /** Takes the next free slot for a request that was sent without one. */
  synchronized void charge(RateLimit member, long nowNanos) {
    long next = used ? lastSlot + spacing(member, nowNanos) : nowNanos;
    take(member, next - nowNanos > 0 ? next : nowNanos);
  }

  /** Takes a slot and returns 0, or returns the nanoseconds until it is worth asking again. */
  synchronized long tryAcquire(RateLimit member, long nowNanos) {
    long wait = used ? lastSlot + spacing(member, nowNanos) - nowNanos : 0;
    if (wait > 0) {
      queue(member);
      return isOthersTurn(member) ? wait + COURTESY : wait;
    }
    if (isOthersTurn(member)) {
      if (wait + COURTESY > 0) {
        queue(member);
        return wait + COURTESY;
      }
      waiting.remove();
    }
    waiting.remove(member);
    take(member, nowNanos);
    return 0;
  }

  /**
   * The service said 429: its minute is full, so one slot is left out for it to drain, and all that
   * lie in the pause that it asked for.
   */
  synchronized void throttled(RateLimit member, long nowNanos, long pauseNanos) {
    reduction.throttled(nowNanos, fullSpacing(member));
    long spacing = spacing(member, nowNanos);
    spent(member, nowNanos + Math.max(spacing, pauseNanos - spacing));
  }

  /** The distance between two slots, in nanoseconds. */
  synchronized long spacing(RateLimit member, long nowNanos) {
    return (long) Math.ceil(fullSpacing(member) / reduction.factor(nowNanos));
  }

  /** Whether nobody takes part and nothing is known that a newcomer would not assume. */
  synchronized boolean isForgettable(long nowNanos) {
    return members.isEmpty()
        && (!used || nowNanos - lastSlot > Math.max(2 * MINUTE, lastSpacing))
        && reduction.factor(nowNanos) >= 1;
  }

  private long fullSpacing(RateLimit member) {
    long full = member.spacing();
    for (RateLimit other : members) {
      full = other.guest() ? full : Math.max(full, other.spacing());
    }
    return full;
  }

  private void take(RateLimit member, long nanos) {
    used = true;
    lastSlot = nanos;
    lastSpacing = spacing(member, nanos);
  }

  private void queue(RateLimit member) {
    if (members.contains(member) && !waiting.contains(member)) {
      waiting.add(member);
    }
  }

  private boolean isOthersTurn(RateLimit member) {
    return !waiting.isEmpty() && !waiting.element().equals(member);
  }

  /**
   * How much of a rate is left after 429s: each halves it, down to a sixteenth, and every full
   * minute without another gives a tenth of the full rate back, up to a tenth below where the last
   * one came.
   *
   * <p>Who uses the rest of the limit is likely to use it still, and to find out costs a refusal.
   * So that step, and those after it, must first be earned by two hundred requests without one, but
   * by half an hour at most; then fewer than one in a hundred is refused however low the limit is.
   */
  private static final class Reduction {

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
}
