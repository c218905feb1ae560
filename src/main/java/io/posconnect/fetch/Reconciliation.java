package io.posconnect.fetch;

import io.posconnect.resource.Key;
import java.time.Instant;
import java.util.HashSet;
import java.util.Set;

/**
 * A reconciliation while it goes on, from the increment right before it until its last response.
 */
class Reconciliation {

  private final Instant began;
  private final Set<Key> fresh = new HashSet<>();
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

  /**
   * An increment, or this reconciliation, has said what there is: it has nothing newer to say of
   * the key.
   */
  void refresh(Key key) {
    fresh.add(key);
  }

  /** Whether it has nothing to say of the key, neither what it is nor that it is gone. */
  boolean isFresh(Key key) {
    return fresh.contains(key);
  }

  /**
   * Whether a row that it reads may be older than what was said before.
   *
   * @param recent whether an increment returned it less than an lookback ago
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
}
