package io.posconnect.simulator;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;

/**
 * Counts the requests of each key to each endpoint over the last 60 seconds. Refused ones do not
 * count. Safe for several threads.
 */
final class Limits {

  static final long WINDOW_NANOS = Duration.ofMinutes(1).toNanos();

  private record Bucket(String path, String key) {}

  private final Map<Bucket, Deque<Long>> admitted = new HashMap<>();

  /** Whether one more request may be served at that time. */
  synchronized boolean admit(String path, String key, int limit, long nanos) {
    Deque<Long> times = admitted.computeIfAbsent(new Bucket(path, key), any -> new ArrayDeque<>());
    while (!times.isEmpty() && nanos - times.peekFirst() >= WINDOW_NANOS) {
      times.removeFirst();
    }
    if (times.size() >= limit) {
      return false;
    }
    times.addLast(nanos);
    return true;
  }

  synchronized void forget() {
    admitted.clear();
  }
}
