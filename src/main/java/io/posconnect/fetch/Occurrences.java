package io.posconnect.fetch;

import io.posconnect.resource.Key;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Numbers identical rows within one pass over a list, since nothing else tells them apart.
 *
 * <p>Rows shift between pages, so a row may be served twice without there being two of it: an
 * occurrence number never seen before counts only when two passes in a row show it.
 */
final class Occurrences {

  private final Map<Key, Integer> counts = new HashMap<>();
  private final List<Key> page = new ArrayList<>();
  private final Set<Key> unconfirmed = new HashSet<>();
  private final Set<Key> doubtfulOnPage = new HashSet<>();
  private Set<Key> unconfirmedBefore = Set.of();

  /** A request is about to be sent; {@code first} when the pass begins anew. */
  void request(boolean first) {
    if (first) {
      counts.clear();
      unconfirmed.clear();
    }
    page.clear();
    doubtfulOnPage.clear();
  }

  /** The response broke off: its rows will come again, and what it showed is in doubt as before. */
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

  /** How much it remembers of this pass. */
  int size() {
    return counts.size() + unconfirmed.size();
  }

  /** Whether a second pass must show this new occurrence before it is believed. */
  boolean needsSecondPass(Key occurrence) {
    if (unconfirmed.add(occurrence)) {
      doubtfulOnPage.add(occurrence);
    }
    return !unconfirmedBefore.contains(occurrence);
  }

  /** The pass has ended; true when something in it waits for a second one. */
  boolean passEnded() {
    unconfirmed.removeAll(unconfirmedBefore);
    unconfirmedBefore = Set.copyOf(unconfirmed);
    counts.clear();
    unconfirmed.clear();
    return !unconfirmedBefore.isEmpty();
  }
}
