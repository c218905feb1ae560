package io.posconnect.fetch;

import io.posconnect.resource.Key;
import java.util.HashSet;
import java.util.Set;

/**
 * Finds out whether the pages of one fetch lead on: each must bring a key that no page before it
 * had; otherwise a service that ignores or repeats the page it is asked for would be read for ever.
 * Of pages that bring none, since each of their keys has several rows, as many may come as of the
 * others, unless one has exactly the rows of an earlier one.
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
  private final Set<Long> pagesByKeys = new HashSet<>();
  private final Set<Long> pagesByRows = new HashSet<>();
  private int leading;
  private int idle;
  private long tick;
  private boolean news;
  private long keys;
  private long rows;

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
    news = false;
    keys = 0;
    rows = 0;
  }

  long tick() {
    return tick;
  }

  /**
   * Records a row of the page.
   *
   * @param hash of its content, if it matters
   * @param lastSeen the digest's tick at which its key was last seen; anything before the fetch for
   *     one that it does not know
   */
  void row(Key key, long hash, long lastSeen) {
    news |= lastSeen != tick && !ticks.contains(lastSeen);
    keys += mixed(key.hashCode());
    rows += mixed(key.hashCode() ^ hash);
  }

  private static long mixed(long value) {
    long mixed = (value + 1) * SPREAD;
    return (mixed ^ (mixed >>> 29)) * SPREAD;
  }

  /** Records a row that is identical to one before it, and may be that one. */
  void identical(Key key) {
    row(key, 0, tick);
  }

  /** Ends the page, before another; returns false when it leads nowhere. */
  boolean leadsOn() {
    ticks.add(tick);
    boolean isRepeated = !pagesByRows.add(rows);
    if (pagesByKeys.add(keys) && news) {
      leading++;
      return true;
    }
    // More pages of nothing but repeats than a list has: a loop is longer than that.
    return identicalRows ? ++idle <= leading + MOST_IDENTICAL : !isRepeated && ++idle <= leading;
  }
}
