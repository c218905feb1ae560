package io.posconnect.client;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/**
 * Keeps one member of those who share a key and a path within their limit of N requests a minute.
 * Arithmetic over the times it is given, which all come from one monotonic clock: it never waits.
 * Safe for several threads.
 *
 * <p>All members share the slots. The slots are spaced evenly, so no sliding minute, both of its
 * ends included, holds more than N, however many members there are. The lowest limit and the lowest
 * share of any member hold for all, since the service has one limit. Members that wait take turns,
 * so that none starves. One that is late for its turn has the next slot, which is kept for longer;
 * one that does not ask meanwhile, or is late five times, loses its turn. The first slot is one
 * spacing after the start: a process that follows a crashed one keeps the distance to requests that
 * it cannot know.
 *
 * <p>A 429 halves the rate, which recovers step by step. If its text states a lower limit, that
 * holds instead for all, until the last member has left or a day has passed without a 429.
 */
public final class RateLimit implements AutoCloseable {

  private static final long MINUTE = TimeUnit.MINUTES.toNanos(1);

  // N spacings are longer than a minute by this, or both ends of a minute would hold N + 1 slots.
  private static final long FENCE = TimeUnit.MILLISECONDS.toNanos(50);

  // How long a free slot is kept for the member whose turn it is, and by how much longer each time
  // that it was late: threads wake up late, and those of a busy worker always do.
  private static final long COURTESY = TimeUnit.MILLISECONDS.toNanos(100);
  private static final long MOST_COURTESY = 5 * COURTESY;

  private static final long DAY = TimeUnit.DAYS.toNanos(1);

  private static final int UNSTATED = Integer.MAX_VALUE;

  private final Slots slots;
  private final int requestsPerMinute;
  private final double share;
  private final boolean temporary;

  // Whether another member has taken the slot of its turn since it asked last, and how long the
  // next one is kept; guarded by the slots.
  private boolean late;
  private long courtesy = COURTESY;

  /**
   * Joins the members that share the slots.
   *
   * @param requestsPerMinute the service's limit
   * @param share of it to use, above 0 and up to 1
   * @param temporary whether only this member keeps to its limit, and the others do not
   */
  RateLimit(Slots slots, int requestsPerMinute, double share, boolean temporary) {
    this.slots = slots;
    this.requestsPerMinute = requestsPerMinute;
    this.share = share;
    this.temporary = temporary;
    synchronized (slots) {
      slots.members.add(this);
    }
  }

  /** The time between two slots of a member that shares them with no other, in nanoseconds. */
  public static long spacing(int requestsPerMinute, double share) {
    double wanted = MINUTE / (requestsPerMinute * share);
    double allowed = (double) (MINUTE + FENCE) / requestsPerMinute;
    return (long) Math.ceil(Math.max(wanted, allowed));
  }

  /**
   * Takes a slot if one is free.
   *
   * @return 0 when the request may be sent now, else the nanoseconds to wait before asking again
   */
  public long tryAcquire(long nowNanos) {
    synchronized (slots) {
      if (late) {
        late = false;
        courtesy += COURTESY;
      }
      long spacing = spacing(nowNanos);
      long toSlot = toSlot(nowNanos);
      RateLimit first = slots.waiting.isEmpty() ? this : slots.waiting.element();
      long wait = toSlot + (first.equals(this) ? 0 : first.courtesy);
      if (wait > 0) {
        queue();
        // The slot behind that of the first may be free before its courtesy ends.
        return Math.min(wait, Math.max(0, toSlot) + spacing);
      }
      if (!first.equals(this)) {
        first.missTurn();
      }
      endTurn();
      take(nowNanos);
      return 0;
    }
  }

  /** How long a member that begins to wait now has to, in nanoseconds, if all take their turns. */
  public long untilTurn(long nowNanos) {
    synchronized (slots) {
      return Math.max(0, toSlot(nowNanos)) + slots.waiting.size() * spacing(nowNanos);
    }
  }

  private long toSlot(long nowNanos) {
    return slots.used ? slots.last + spacing(nowNanos) - nowNanos : 0;
  }

  /** Another member takes the slot that was kept for this one. */
  private void missTurn() {
    if (late || courtesy == MOST_COURTESY) {
      endTurn();
    } else {
      late = true;
    }
  }

  private void endTurn() {
    slots.waiting.remove(this);
    late = false;
    courtesy = COURTESY;
  }

  private void queue() {
    if (slots.members.contains(this) && !slots.waiting.contains(this)) {
      slots.waiting.add(this);
    }
  }

  /** Counts a request that was sent then, or may have been. */
  void count(long nanos) {
    synchronized (slots) {
      if (!slots.used || nanos - slots.last > 0) {
        take(nanos);
      }
    }
  }

  /**
   * Charges the limit for a request that was sent without a slot, such as a redirect that was
   * followed: the next free slot is lost. So the average keeps the limit, and one minute may hold
   * as many more as one request had redirects.
   */
  public void charge(long nowNanos) {
    synchronized (slots) {
      take(Math.max(0, toSlot(nowNanos)) + nowNanos);
    }
  }

  /**
   * Halves the rate for all after a 429. The service's minute is full, so one slot is left out for
   * it to drain, and all that lie in the pause that the service asked for. Where the service states
   * a limit that is news, that is the rate, and its minute drains before the next request.
   *
   * @param pause from now on; zero if the service asked for none
   * @param stated the limit in the service's text, if any; it counts up to the configured one
   */
  public void throttled(long nowNanos, Duration pause, OptionalInt stated) {
    synchronized (slots) {
      long drain = pause.toNanos();
      if (stated.isPresent() && Math.min(stated.getAsInt(), requestsPerMinute) != limit(nowNanos)) {
        slots.stated = stated.getAsInt();
        drain = Math.max(drain, MINUTE);
      } else {
        slots.stated = slots.stated(nowNanos);
        slots.reduction.throttled(nowNanos, fullSpacing(nowNanos));
      }
      slots.throttled = nowNanos;
      long spacing = spacing(nowNanos);
      count(nowNanos + Math.max(spacing, drain - spacing));
    }
  }

  /** The limit that is configured, or the lower one that the service has stated. */
  private int limit(long nowNanos) {
    return Math.min(slots.stated(nowNanos), requestsPerMinute);
  }

  /** The requests a minute that all members together may send now. */
  public double rate(long nowNanos) {
    synchronized (slots) {
      return (double) MINUTE / spacing(nowNanos);
    }
  }

  @Override
  public void close() {
    synchronized (slots) {
      slots.members.remove(this);
      slots.waiting.remove(this);
      if (slots.members.isEmpty()) {
        slots.stated = UNSTATED;
      }
    }
  }

  private void take(long nanos) {
    slots.used = true;
    slots.last = nanos;
    slots.lastSpacing = spacing(nanos);
  }

  private long spacing(long nowNanos) {
    return (long) Math.ceil(fullSpacing(nowNanos) / slots.reduction.factor(nowNanos));
  }

  private long fullSpacing(long nowNanos) {
    int lowestLimit = limit(nowNanos);
    double lowestShare = share;
    for (RateLimit member : slots.members) {
      if (!member.temporary) {
        lowestLimit = Math.min(lowestLimit, member.limit(nowNanos));
        lowestShare = Math.min(lowestShare, member.share);
      }
    }
    return spacing(lowestLimit, lowestShare);
  }

  /** What members share; guarded by itself. */
  static final class Slots {

    private final Set<RateLimit> members = new HashSet<>();
    private final Deque<RateLimit> waiting = new ArrayDeque<>();
    private final Reduction reduction = new Reduction();
    private boolean used;

    // What the service stated last, and when its last 429 came.
    private int stated = UNSTATED;
    private long throttled;
    private long last;
    private long lastSpacing;

    /** The limit that the service stated, as long as it holds. */
    private int stated(long nowNanos) {
      return nowNanos - throttled < DAY ? stated : UNSTATED;
    }

    /** Returns whether there is no member and nothing that a new one would have to know. */
    synchronized boolean isForgettable(long nowNanos) {
      return members.isEmpty()
          && (!used || nowNanos - last > Math.max(2 * MINUTE, lastSpacing))
          && reduction.factor(nowNanos) >= 1;
    }
  }

  /**
   * How much of a rate is left after 429s: each halves it, down to a sixteenth, and every full
   * minute without another gives a tenth of the full rate back, up to a tenth below where the last
   * one came.
   *
   * <p>Whatever uses the rest of the limit is likely to use it still, and each try costs a refusal.
   * So that step, and those after it, are first earned by two hundred requests without a 429, but
   * by half an hour at most; then fewer than one in a hundred is refused however low the limit is.
   */
  private static final class Reduction {

    private static final double SLOWEST = 1.0 / 16;
    private static final double STEP = 0.1;
    private static final int REQUESTS_TO_EARN = 200;
    private static final long SHORTEST = 2 * MINUTE;
    private static final long LONGEST = 30 * MINUTE;

    private double reduced = 1;
    private long reducedAt;

    // The factor of the last refusal after a recovery; and how long the rate keeps below that.
    private double ceiling = 1;
    private long earning;

    void throttled(long nowNanos, long fullSpacing) {
      double before = factor(nowNanos);
      if (before > reduced) {
        // Not for one of a burst, before anything was given back.
        ceiling = before;
      }
      reduced = Math.max(SLOWEST, before / 2);
      reducedAt = nowNanos;
      long requests = (long) (REQUESTS_TO_EARN * (fullSpacing / held()));
      earning = Math.max(SHORTEST, Math.min(LONGEST, requests));
    }

    /** What is left of the full rate, up to 1. */
    double factor(long nowNanos) {
      if (reduced >= 1) {
        return 1;
      }
      long since = Math.max(0, nowNanos - reducedAt);
      long climb = (long) Math.ceil((held() - reduced) / STEP - 1e-9) * MINUTE;
      long beyond = since - climb - earning;
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
