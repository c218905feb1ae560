package io.posconnect.fetch;

import io.posconnect.resource.Key;
import java.util.HashSet;
import java.util.Set;

/**
 * Finds out which pages of one fetch bring a key that no page before had: {@link
 * io.posconnect.resource.Reading} follows no others without an end.
 *
 * <p>It holds no keys: the digest knows at which tick each was last seen. Where the digest does not
 * know, since it has no room for a key or an increment saw it meanwhile, a page with exactly the
 * keys of an earlier one brings none. Of broken rows, whose text may differ at each read, only a
 * page of nothing else brings one. Bounded by the number of pages.
 */
final class PageProgress {

  private static final long SPREAD = 0x9E3779B97F4A7C15L;

  private final Set<Long> ticks = new HashSet<>();
  private final Set<Long> pages = new HashSet<>();
  private long tick;
  private boolean news;
  private boolean brokenNews;
  private boolean readable;
  private long keys;

  /** Begins a page, for the first time or again. */
  void request(long newTick) {
    tick = newTick;
    news = false;
    brokenNews = false;
    readable = false;
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
    boolean isNew = lastSeen != tick && !ticks.contains(lastSeen);
    if (key.isDeadLetter()) {
      brokenNews |= isNew;
    } else {
      news |= isNew;
      readable = true;
    }
    long mixed = (key.hashCode() + 1L) * SPREAD;
    keys += (mixed ^ (mixed >>> 29)) * SPREAD;
  }

  /** Records a row that is identical to one before it, and may be that one. */
  void identical(Key key) {
    row(key, tick);
  }

  /** Ends the page; returns whether it brought such a key. */
  boolean endsNew() {
    ticks.add(tick);
    return pages.add(keys) && (news || (brokenNews && !readable));
  }
}
