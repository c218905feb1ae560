package io.posconnect.simulator;

import io.posconnect.simulator.Simulator.ServiceClock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;

/**
 * Every request, from the moment it was read; the oldest go when there are more than {@link
 * #CAPACITY}. Safe for several threads.
 */
public final class RequestLog {

  static final int CAPACITY = 200_000;

  private final ServiceClock clock;
  private final TreeMap<Long, LoggedRequest> entries = new TreeMap<>();
  private long last;

  RequestLog(ServiceClock clock) {
    this.clock = clock;
  }

  /** Notes a request that was just read; returns its number. */
  synchronized LoggedRequest begin(Request request, String alias) {
    LoggedRequest entry =
        new LoggedRequest(
            ++last,
            clock.now(),
            clock.nanos(),
            request.method(),
            request.path(),
            request.query(),
            alias,
            request.header("User-Agent").orElse(""),
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

  /** Notes how a request ended; what was noted first counts. */
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

  /** The most requests of this location to this path that came within less than 60 seconds. */
  int maxInAnySlidingMinute(String path, String alias) {
    ArrayDeque<Long> window = new ArrayDeque<>();
    int most = 0;
    for (LoggedRequest request : all()) {
      if (request.path().equals(path) && request.location().equals(alias)) {
        window.addLast(request.nanos());
        while (request.nanos() - window.peekFirst() >= TimeUnit.MINUTES.toNanos(1)) {
          window.removeFirst();
        }
        most = Math.max(most, window.size());
      }
    }
    return most;
  }

  /**
   * One request that came in. Holds no key: the alias stands for it.
   *
   * @param sequence 1 for the first request of the service
   * @param at the service's time at which the request had been read
   * @param nanos the same moment on a monotonic clock; only differences mean something
   * @param query as it was sent, still encoded; empty when there was none
   * @param location alias of the location behind the key; empty when the key was missing or unknown
   * @param userAgent the {@code User-Agent} header; empty when there was none
   * @param status 0 while nothing is decided
   * @param rows written entirely
   * @param bytes of the body, before framing
   * @param finished whether the exchange is over
   * @param whole whether the response went out to its end
   * @param duration from the request to the end of the response; zero until then
   */
  public record LoggedRequest(
      long sequence,
      Instant at,
      long nanos,
      String method,
      String path,
      String query,
      String location,
      String userAgent,
      int status,
      int rows,
      long bytes,
      boolean finished,
      boolean whole,
      Duration duration) {

    private LoggedRequest finished(
        int finalStatus, int rowsSent, long bytesSent, boolean all, long end) {
      return new LoggedRequest(
          sequence,
          at,
          nanos,
          method,
          path,
          query,
          location,
          userAgent,
          finalStatus,
          rowsSent,
          bytesSent,
          true,
          all,
          Duration.ofNanos(end - nanos));
    }
  }

  /**
   * Delays of the requests of each stream: the time since the one before, less the interval.
   *
   * @param millis ascending
   */
  public record Delays(List<Long> millis) {

    public Delays {
      millis = millis.stream().sorted().toList();
    }

    /** Of the requests for rows; the identity is also asked between the readings of its stream. */
    public static Delays of(Collection<LoggedRequest> requests, long intervalMillis) {
      List<Long> late = new ArrayList<>();
      Map<String, Long> last = new HashMap<>();
      for (LoggedRequest request : requests) {
        if (!request.path().equals(Endpoint.WHOAMI)) {
          Long before = last.put(request.location() + request.path(), request.nanos());
          if (before != null) {
            late.add(TimeUnit.NANOSECONDS.toMillis(request.nanos() - before) - intervalMillis);
          }
        }
      }
      return new Delays(late);
    }

    public int size() {
      return millis.size();
    }

    /** In milliseconds; -1 of none. */
    public long percentile(int percent) {
      return millis.isEmpty() ? -1 : millis.get((millis.size() - 1) * percent / 100);
    }
  }
}
