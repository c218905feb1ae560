package io.posconnect.fetch;

import java.time.Duration;

/**
 * Decides when something that happens again and again is reported: at once, and then once an hour
 * with the number of times. A list of broken rows would otherwise fill the log.
 */
final class Reminder {

  static final Duration HOURLY = Duration.ofHours(1);

  /** What ends and comes again sooner is the same trouble. */
  static final Duration SAME = Duration.ofMinutes(10);

  private long unreported;
  private long reportedNanos;
  private boolean hasReported;

  /** Counts so many times. */
  void add(long times) {
    unreported += times;
  }

  /** Takes what is to be reported now; returns how many times it happened, 0 for nothing to do. */
  long takeDue(Duration pause, long now) {
    if (unreported == 0 || (hasReported && now - reportedNanos < pause.toNanos())) {
      return 0;
    }
    long due = unreported;
    unreported = 0;
    reportedNanos = now;
    hasReported = true;
    return due;
  }
}
