package io.posconnect.fetch;

import io.posconnect.resource.Key;
import java.time.Duration;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/**
 * The keys that increments returned of late: a list that may be older than that has nothing to say
 * of them. What was changed and then deleted is in no later increment, but it is here.
 */
final class Recent {

  private final long memoryNanos;

  // In the order of their times.
  private final Map<Key, Long> returned = new LinkedHashMap<>();

  /**
   * @param memory how old a list may be
   */
  Recent(Duration memory) {
    memoryNanos = memory.toNanos();
  }

  /** An increment has returned that key. */
  void add(Key key, long nowNanos) {
    returned.remove(key);
    returned.put(key, nowNanos);
    forget(nowNanos);
  }

  /** The keys that were returned not longer ago than a list may be old. */
  Set<Key> keys(long nowNanos) {
    forget(nowNanos);
    return Set.copyOf(returned.keySet());
  }

  private void forget(long nowNanos) {
    Iterator<Long> times = returned.values().iterator();
    while (times.hasNext() && nowNanos - times.next() > memoryNanos) {
      times.remove();
    }
  }
}
