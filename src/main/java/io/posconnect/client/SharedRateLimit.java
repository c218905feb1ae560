package io.posconnect.client;

import io.posconnect.resource.Request;
import java.net.URI;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/**
 * The slots of one limit of the service, which is one key's on one path: when the last one was
 * taken, what 429s have left of the rate, and who shares it. Safe for several threads.
 *
 * <p>The slots are everybody's: all keep the distance that the slowest of them needs, for the
 * service has one limit and whoever states the lowest is safe. Those who wait take turns, so that
 * none of them starves; one that does not come for its turn loses it.
 */
final class SharedRateLimit {

  private static final long MINUTE = TimeUnit.MINUTES.toNanos(1);

  // How long a free slot is kept for the one whose turn it is: threads wake up late.
  private static final long COURTESY = TimeUnit.MILLISECONDS.toNanos(100);

  /** What tells one limit from another; holds a hash of the key. */
  record Id(String url, String key) {

    static Id of(URI baseUrl, Credentials credentials, String path) {
      String url = new RequestUrl(baseUrl).of(new Request(path)).toString();
      return new Id(url, credentials.fingerprint());
    }
  }

  /**
   * One who shares the slots; no two are equal.
   *
   * @see #join
   */
  static final class Member {
    private final long spacing;
    private final boolean guest;

    private Member(long spacing, boolean guest) {
      this.spacing = spacing;
      this.guest = guest;
    }
  }

  private final Set<Member> members = new HashSet<>();
  private final Deque<Member> waiting = new ArrayDeque<>();
  private final RateReduction reduction = new RateReduction();
  private boolean used;
  private long lastSlot;
  private long lastSpacing;

  /**
   * Lets one take part.
   *
   * @param spacing that it needs between any two slots, in nanoseconds
   * @param guest whether only it keeps to that spacing, not the others for its sake
   */
  synchronized Member join(long spacing, boolean guest) {
    Member member = new Member(spacing, guest);
    members.add(member);
    return member;
  }

  synchronized void leave(Member member) {
    members.remove(member);
    waiting.remove(member);
  }

  /** Takes a slot for a request that was, or may have been, sent then. */
  synchronized void spent(Member member, long nanos) {
    if (!used || nanos - lastSlot > 0) {
      take(member, nanos);
    }
  }

  /** Takes a slot and returns 0, or returns the nanoseconds until it is worth asking again. */
  synchronized long tryAcquire(Member member, long nowNanos) {
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
  synchronized void throttled(Member member, long nowNanos, long pauseNanos) {
    reduction.throttled(nowNanos, fullSpacing(member));
    long spacing = spacing(member, nowNanos);
    spent(member, nowNanos + Math.max(spacing, pauseNanos - spacing));
  }

  /** The distance between two slots, in nanoseconds. */
  synchronized long spacing(Member member, long nowNanos) {
    return (long) Math.ceil(fullSpacing(member) / reduction.factor(nowNanos));
  }

  /** Whether nobody takes part and nothing is known that a newcomer would not assume. */
  synchronized boolean isForgettable(long nowNanos) {
    return members.isEmpty()
        && (!used || nowNanos - lastSlot > Math.max(2 * MINUTE, lastSpacing))
        && reduction.factor(nowNanos) >= 1;
  }

  private long fullSpacing(Member member) {
    long full = member.spacing;
    for (Member other : members) {
      full = other.guest ? full : Math.max(full, other.spacing);
    }
    return full;
  }

  private void take(Member member, long nanos) {
    used = true;
    lastSlot = nanos;
    lastSpacing = spacing(member, nanos);
  }

  private void queue(Member member) {
    if (members.contains(member) && !waiting.contains(member)) {
      waiting.add(member);
    }
  }

  private boolean isOthersTurn(Member member) {
    return !waiting.isEmpty() && !waiting.element().equals(member);
  }
}
