package io.posconnect.simulator;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.List;
import java.util.TreeMap;

/**
 * Every request, from the moment it was read; the oldest go when there are more than {@link
 * #CAPACITY}. Safe for several threads.
 */
final class RequestLog {

  static final int CAPACITY = 200_000;

  private final ServerClock clock;
  private final TreeMap<Long, LoggedRequest> entries = new TreeMap<>();
  private long last;

  RequestLog(ServerClock clock) {
    this.clock = clock;
  }

  /** Notes a request that was just read; returns its number. */
  synchronized LoggedRequest begin(Call call, String alias) {
    LoggedRequest entry =
        new LoggedRequest(
            ++last,
            clock.now(),
            clock.nanos(),
            call.method(),
            call.path(),
            call.query(),
            alias,
            call.header("Accept").orElse(""),
            call.header("User-Agent").orElse(""),
            0,
            0,
            0,
            false,
            false,
            Duration.ZERO);
    entries.put(entry.sequence(), entry);
    if (entries.size() > CAPACITY) {
      entries.pollFirstEntry();
    }
    return entry;
  }

  /** Notes how a request ended; the first word counts. */
  synchronized void end(LoggedRequest begun, int status, int rows, long bytes, boolean whole) {
    entries.computeIfPresent(
        begun.sequence(),
        (sequence, entry) ->
            entry.finished() ? entry : entry.finished(status, rows, bytes, whole, clock.nanos()));
  }

  synchronized boolean isOver(LoggedRequest begun) {
    LoggedRequest entry = entries.get(begun.sequence());
    return entry == null || entry.finished();
  }

  synchronized List<LoggedRequest> all() {
    return List.copyOf(entries.values());
  }

  synchronized void clear() {
    entries.clear();
  }

  /** The most requests of this store to this path that came within less than 60 seconds. */
  int maxInAnySlidingMinute(String path, String alias) {
    ArrayDeque<Long> window = new ArrayDeque<>();
    int most = 0;
    for (LoggedRequest request : all()) {
      if (request.path().equals(path) && request.store().equals(alias)) {
        window.addLast(request.nanos());
        while (request.nanos() - window.peekFirst() >= Limits.WINDOW_NANOS) {
          window.removeFirst();
        }
        most = Math.max(most, window.size());
      }
    }
    return most;
  }
}
