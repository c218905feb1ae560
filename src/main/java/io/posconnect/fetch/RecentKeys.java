package io.posconnect.fetch;

import io.posconnect.resource.Key;
import java.time.Duration;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The keys that increments returned of late: a list that holds one of them may be older than that,
 * and show a row that was changed and then deleted as it was before. Such a row is in no later
 * increment, but it is here. That a list lacks the key is another matter: the increment before the
 * list would have returned a row that changed so lately and is still there.
 */
final class RecentKeys {

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
