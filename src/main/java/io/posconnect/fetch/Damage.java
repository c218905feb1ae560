package io.posconnect.fetch;

import io.posconnect.resource.Key;
import java.util.HashSet;
import java.util.Set;

/**
 * Holds back rows that arrived with a byte that is not UTF-8, or are no JSON, until they arrive
 * damaged again: a byte that is damaged once on its way must not become an event that the service
 * never had. A row is the same when it has the same key, or the same bytes where its key cannot be
 * read. The digest knows what was believed, so a row that stays damaged is no news.
 *
 * <p>Three rows end otherwise. A row without a readable key whose bytes differ each time is
 * believed in the third read. A row that is damaged in every read, each time in another way, is
 * believed from its second read on. Beyond {@link #MOST} rows damage is no accident, and is
 * believed at once.
 *
 * <p>One is for lists, and one for increments: they may have a path each, of which only one damages
 * a row. In memory only: a restart costs one more read.
 */
class Damage {

  /** So many rows are held back. */
  static final int MOST = 10_000;

  private static final int READS_WITHOUT_KEY = 2;

  private final Set<Key> before = new HashSet<>();
  private final Set<Key> heldBack = new HashSet<>();

  // How many of the latest reads had damaged rows without a readable key.
  private int reads;
  private boolean lacksKey;
  private boolean isDamaged;

  /** Begins a response. */
  void responseBegins() {
    heldBack.clear();
    lacksKey = false;
    isDamaged = false;
  }

  /** Returns whether a damaged row that is news must arrive once more. */
  boolean holdsBack(Key row) {
    isDamaged = true;
    boolean cameAgain = before.contains(row);
    // One that came again is no longer in doubt, so it is none whose bytes differ each time.
    lacksKey |= row.isDeadLetter() && !cameAgain;
    boolean believed =
        cameAgain
            || (row.isDeadLetter() && reads >= READS_WITHOUT_KEY)
            || before.size() + heldBack.size() >= MOST;
    if (!believed) {
      heldBack.add(row);
    }
    return !believed;
  }

  /** Returns whether a row of this response must arrive once more. */
  boolean holdsBackAny() {
    return !heldBack.isEmpty();
  }

  /** Records a row that arrived undamaged. */
  void arrivedWhole(Key key) {
    before.remove(key);
  }

  /** Ends a response that was read to its end; returns how many of its rows are held back. */
  int responseEnds() {
    if (heldBack.isEmpty()) {
      // Those of them that came again are in the digest.
      before.removeIf(Key::isDeadLetter);
    }
    if (!isDamaged) {
      before.clear();
    }
    before.addAll(heldBack);
    reads = lacksKey ? reads + 1 : 0;
    return heldBack.size();
  }
}
