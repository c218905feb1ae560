package io.posconnect.resource;

import java.util.HashSet;
import java.util.Set;

/**
 * Finds out which pages of one reading bring a key that no page before had: {@link Reading} follows
 * no others without an end.
 *
 * <p>The caller says which keys are new, so this class holds no keys. If the caller does not know,
 * a page that has exactly the keys of an earlier page brings no new key. A broken row may have
 * another text at each read, so it counts only on a page of nothing but broken rows, and only a
 * thousand such pages count. Bounded by the number of pages.
 */
public final class PageProgress {

  private static final long SPREAD = 0x9E3779B97F4A7C15L;

  // Pages of nothing but broken rows. A service that ignores the page's number sends more.
  private static final int MOST_BROKEN = 1_000;

  private final Set<Long> pages = new HashSet<>();
  private boolean news;
  private boolean brokenNews;
  private boolean readable;
  private long keys;
  private int broken;

  /** Begins a page, for the first time or again. */
  public void begins() {
    news = false;
    brokenNews = false;
    readable = false;
    keys = 0;
  }

  /**
   * Records a row of the page.
   *
   * @param key of a broken row that of its dead letter, unless its own is known to be new
   * @param isNew whether no page before had it
   */
  public void row(Key key, boolean isNew) {
    if (key.isDeadLetter()) {
      brokenNews |= isNew;
    } else {
      news |= isNew;
      readable = true;
    }
    long mixed = (key.hashCode() + 1L) * SPREAD;
    keys += (mixed ^ (mixed >>> 29)) * SPREAD;
  }

  /** Ends the page; returns whether it brought such a key. */
  public boolean endsNew() {
    boolean isOther = pages.add(keys);
    boolean isBroken = brokenNews && !readable;
    broken += isBroken ? 1 : 0;
    return isOther && (news || (isBroken && broken <= MOST_BROKEN));
  }
}
