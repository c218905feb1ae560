package io.posconnect.fetch;

import io.posconnect.resource.Key;
import java.util.HashSet;
import java.util.Set;

/**
 * Finds out whether the pages of one fetch lead on: each must bring a key that no page before it
 * had; otherwise a service that ignores or repeats the page it is asked for would be read for ever.
 * Of pages that bring none, since each of their keys has several rows, as many may come as of the
 * others: a loop is longer than that. Empty pages are {@link io.posconnect.resource.Reading}'s.
 *
 * <p>It holds no keys: the digest knows at which tick each was last seen. Where the digest does not
 * know, since it has no room for a key or an increment saw it meanwhile, a page with exactly the
 * keys of an earlier one brings none. Bounded by the number of pages.
 */
final class PageProgress {

  // Pages of nothing but identical rows. A loop is longer; a list has fewer.
  private static final int MOST_IDENTICAL = 1_000;

  private static final long SPREAD = 0x9E3779B97F4A7C15L;

  private final boolean identicalRows;
  private final Set<Long> ticks = new HashSet<>();
  private final Set<Long> pages = new HashSet<>();
  private int leading;
  private int idle;
  private long tick;
  private boolean isEmpty;
  private boolean news;
  private long keys;

  /**
   * @param identicalRows whether the list may hold the same row many times, so that a page of
   *     nothing else is not one that was served before
   */
  PageProgress(boolean identicalRows) {
    this.identicalRows = identicalRows;
  }

  /** Begins a page, for the first time or again. */
  void request(long newTick) {
    tick = newTick;
    isEmpty = true;
    news = false;
    keys = 0;
  }

  long tick() {
    return tick;
  }

  /**
   * Records a row of the page.
   *
   * @param lastSeen the digest's tick at which its key was last seen; anything before the fetch for
   *     one that it does not know
   */
  void row(Key key, long lastSeen) {
    isEmpty = false;
    news |= lastSeen != tick && !ticks.contains(lastSeen);
    long mixed = (key.hashCode() + 1L) * SPREAD;
    keys += (mixed ^ (mixed >>> 29)) * SPREAD;
  }

  /** Records a row that is identical to one before it, and may be that one. */
  void identical(Key key) {
    row(key, tick);
  }

  /** Ends the page, before another; returns false when it leads nowhere. */
  boolean leadsOn() {
    ticks.add(tick);
    if (pages.add(keys) && news) {
      leading++;
      return true;
    }
    return isEmpty || ++idle <= leading + (identicalRows ? MOST_IDENTICAL : 0);
  }
}
