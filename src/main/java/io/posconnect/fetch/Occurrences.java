package io.posconnect.fetch;

import io.posconnect.resource.Key;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Numbers identical rows within one pass over a list, since nothing else distinguishes them.
 *
 * <p>Rows shift between pages, so one row may be served twice: an occurrence number that is new
 * counts only when two passes in a row show it.
 */
final class Occurrences {

  private final Map<Key, Integer> counts = new HashMap<>();
  private final List<Key> page = new ArrayList<>();
  private final Set<Key> unconfirmed = new HashSet<>();
  private final Set<Key> doubtfulOnPage = new HashSet<>();
  private Set<Key> unconfirmedBefore = Set.of();

  /** Begins a response; {@code first} when a pass begins with it. */
  void request(boolean first) {
    if (first) {
      counts.clear();
      unconfirmed.clear();
    }
    page.clear();
    doubtfulOnPage.clear();
  }

  /** Takes back a response that broke off: its rows will come again. */
  void rollBack() {
    page.forEach(key -> counts.computeIfPresent(key, (k, n) -> n == 1 ? null : n - 1));
    page.clear();
    unconfirmed.removeAll(doubtfulOnPage);
    doubtfulOnPage.clear();
  }

  /** Counts one more row of that key: 1 for the first in this pass. */
  int next(Key key) {
    page.add(key);
    return counts.merge(key, 1, Integer::sum);
  }

  /** Returns how many keys it holds for this pass. */
  int size() {
    return counts.size() + unconfirmed.size();
  }

  /** Doubts a new occurrence number; returns whether another pass must show it first. */
  boolean doubt(Key occurrence) {
    if (unconfirmed.add(occurrence)) {
      doubtfulOnPage.add(occurrence);
    }
    return !unconfirmedBefore.contains(occurrence);
  }

  /** Returns whether an occurrence number of this pass waits for another pass. */
  boolean areUnconfirmed() {
    return !unconfirmedBefore.containsAll(unconfirmed);
  }

  void passEnded() {
    unconfirmed.removeAll(unconfirmedBefore);
    unconfirmedBefore = Set.copyOf(unconfirmed);
    counts.clear();
    unconfirmed.clear();
  }
}
