package io.posconnect.fetch;

import io.posconnect.problem.Problem;
import java.time.Duration;
import java.util.Map;

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

  /** The one of that problem: what was reported of another must not keep it from being reported. */
  static Reminder of(Problem problem, Map<Problem, Reminder> reminders) {
    return reminders.computeIfAbsent(problem, each -> new Reminder());
  }

  /** Counts so many times. */
  void add(long times) {
    unreported += times;
  }

  /** Reports what comes next at once: it is something else. */
  void startAgain() {
    hasReported = false;
  }

  /**
   * Whether a state that ends and comes again is to be reported now.
   *
   * @param isNews whether it has come, or has another reason
   * @param isShown whether it is what was reported last: another reason is reported at once
   */
  boolean takeDue(boolean isNews, boolean isShown, long now) {
    if (isNews) {
      add(1);
      hasReported &= !isShown;
    }
    return takeDue(SAME, now) > 0;
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
