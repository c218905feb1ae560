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
 * A reconciliation while it runs, from the increment right before it until its last response: it
 * holds the keys that increments returned meanwhile. If another read of the list must confirm it,
 * that is a reconciliation of its own: what was fresh long ago must not keep deletes for ever.
 */
final class Reconciliation {

  private final Instant began;
  private final Set<Key> refreshed = new HashSet<>();
  private long sinceTick = Long.MAX_VALUE;
  private boolean passStarted;

  /**
   * @param began server time at which the increment before it began
   */
  Reconciliation(Instant began) {
    this.began = began;
  }

  Instant began() {
    return began;
  }

  /** Starts its pass; returns false when that was started before. */
  boolean startPass() {
    boolean starts = !passStarted;
    passStarted = true;
    return starts;
  }

  /** Records a key that an increment returned meanwhile. */
  void refresh(Key key) {
    refreshed.add(key);
  }

  /** Returns whether it must leave the key alone. */
  boolean isFresh(Key key) {
    return refreshed.contains(key);
  }

  /** Records that one of its fetches, or the increment before it, began at that tick. */
  void began(long tick) {
    sinceTick = Math.min(sinceTick, tick);
  }

  /** The tick of the digest at which the first of them began. */
  long sinceTick() {
    return sinceTick;
  }

  /**
   * Keys that were returned within a time. A list that holds one that an increment returned may be
   * older than the increment, and show a row as it was before it was changed and then deleted: such
   * a row is in no later increment. A list that lacks a key proves more: the increment before the
   * list would have returned a row that changed so lately and is still there.
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

    /** Records that the key was returned. */
    void add(Key key, long nowNanos) {
      returned.remove(key);
      returned.put(key, nowNanos);
      forget(nowNanos);
    }

    /** Returns whether the key was returned within the time. */
    boolean contains(Key key, long nowNanos) {
      Long at = returned.get(key);
      return at != null && nowNanos - at <= memoryNanos;
    }

    void remove(Key key) {
      returned.remove(key);
    }

    /** Returns how many were returned within the time. */
    int size(long nowNanos) {
      return (int) returned.values().stream().filter(at -> nowNanos - at <= memoryNanos).count();
    }

    void clear() {
      returned.clear();
    }

    /** Forgets what was returned longer ago. */
    void forget(long nowNanos) {
      Iterator<Long> times = returned.values().iterator();
      while (times.hasNext() && nowNanos - times.next() > memoryNanos) {
        times.remove();
      }
    }
  }
}
