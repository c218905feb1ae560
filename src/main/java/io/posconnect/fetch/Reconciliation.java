package io.posconnect.fetch;

import io.posconnect.resource.Key;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/**
 * Follows a reconciliation while it goes on, from the increment right before it until its last
 * response, and knows the keys of which it must not say anything.
 */
class Reconciliation {

  private final Instant began;
  private final Set<Key> fresh = new HashSet<>();
  private final Set<Key> said = new HashSet<>();
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

  /** An increment has said what there is: it has nothing newer to say of the key. */
  void refresh(Key key) {
    fresh.add(key);
  }

  /** It has said itself what there is, and what it reads later may be older. */
  void said(Key key) {
    said.add(key);
  }

  /** Whether an increment has returned the key since it began. */
  boolean isRefreshed(Key key) {
    return fresh.contains(key);
  }

  /** Whether it has nothing to say of the key, neither what it is nor that it is gone. */
  boolean isFresh(Key key) {
    return fresh.contains(key) || said.contains(key);
  }

  /**
   * Whether a row that it reads may be older than what was said before.
   *
   * @param recent whether an increment returned it less than a lookback ago
   */
  boolean ignores(Key key, boolean recent) {
    return recent || isFresh(key);
  }

  /**
   * A fetch of this reconciliation, or the increment before it, began at that tick of the digest.
   */
  void began(long tick) {
    sinceTick = Math.min(sinceTick, tick);
  }

  /** What the digest stamped since then was seen by this reconciliation or is fresh. */
  long sinceTick() {
    return sinceTick;
  }

  /**
   * The keys that increments returned of late: a list that holds one of them may be older than
   * that, and show a row that was changed and then deleted as it was before. Such a row is in no
   * later increment, but it is here. That a list lacks the key is another matter: the increment
   * before the list would have returned a row that changed so lately and is still there.
   */
  static final class RecentKeys {

    private final long memoryNanos;

    // In the order of their times.
    private final Map<Key, Long> returned = new LinkedHashMap<>();

    /**
     * @param memory how old a list may be
     */
    RecentKeys(Duration memory) {
      memoryNanos = memory.toNanos();
    }

    /** An increment has returned that key. */
    void add(Key key, long nowNanos) {
      returned.remove(key);
      returned.put(key, nowNanos);
      forget(nowNanos);
    }

    /** Whether the key was returned not longer ago than a list may be old. */
    boolean contains(Key key, long nowNanos) {
      forget(nowNanos);
      return returned.containsKey(key);
    }

    private void forget(long nowNanos) {
      Iterator<Long> times = returned.values().iterator();
      while (times.hasNext() && nowNanos - times.next() > memoryNanos) {
        times.remove();
      }
    }
  }
}
