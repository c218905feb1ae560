package io.posconnect.fetch;

import io.posconnect.record.Provenance.FetchKind;
import java.util.EnumMap;
import java.util.Map;

/**
 * Counts failures in a row at one place: the furthest page of a kind of fetch that failed. Neither
 * the pages before it nor fetches of another kind end them. What suspends a stream may end later.
 */
final class Streaks {

  /** A place behind every page. */
  static final int UNTIL_COMPLETE = Integer.MAX_VALUE;

  /** Failures of one kind of fetch, without success behind the furthest page that failed. */
  static final class Streak {
    private int page;
    private int failedPage;
    private int failures;
    private boolean suspends;

    int failures() {
      return failures;
    }

    /** The stream is suspended until this streak ends. */
    void suspend() {
      suspends = true;
    }
  }

  private final Map<FetchKind, Streak> streaks = new EnumMap<>(FetchKind.class);

  Streak failed(FetchKind kind, int page) {
    Streak streak = streak(kind, page);
    streak.failedPage = Math.max(streak.failedPage, page);
    streak.failures++;
    return streak;
  }

  /** Suspends the stream until a response at or behind the page is whole: it is no failure. */
  void suspend(FetchKind kind, int page) {
    streak(kind, page).suspend();
  }

  private Streak streak(FetchKind kind, int page) {
    Streak streak = streaks.computeIfAbsent(kind, k -> new Streak());
    streak.page = Math.max(streak.page, page);
    return streak;
  }

  void succeeded(FetchKind kind, int page) {
    Streak streak = streaks.get(kind);
    if (streak != null && page >= streak.page) {
      streaks.remove(kind);
    } else if (streak != null && page >= streak.failedPage) {
      streak.failedPage = 0;
      streak.failures = 0;
    }
  }

  boolean isEmpty() {
    return streaks.isEmpty();
  }

  /** Returns whether one of them keeps the stream suspended. */
  boolean suspends() {
    return streaks.values().stream().anyMatch(streak -> streak.suspends);
  }
}
