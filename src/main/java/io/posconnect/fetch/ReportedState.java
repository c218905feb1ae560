package io.posconnect.fetch;

import io.posconnect.problem.Problem;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Decides when a state is reported that comes and goes, and has a problem as its reason: at once,
 * unless it was reported for the same problem within ten minutes, or else as soon as these are
 * over. What was reported of another problem keeps none from being reported.
 */
final class ReportedState {

  private final Map<Problem, Long> reportedNanos = new EnumMap<>(Problem.class);
  private @Nullable Problem reported;

  /**
   * Returns whether the state, which has come or still is, is to be reported now, and takes it as
   * reported then.
   *
   * @param again how long after a report the same one follows while the state lasts
   */
  boolean takeDue(Problem problem, Duration again, long now) {
    Duration pause = problem == reported ? again : Reminder.SAME;
    Long before = reportedNanos.get(problem);
    boolean isDue = before == null || now - before >= pause.toNanos();
    if (isDue) {
      reported = problem;
      reportedNanos.put(problem, now);
    }
    return isDue;
  }

  /** Ends the state; returns whether it was reported. */
  boolean end() {
    boolean wasReported = reported != null;
    reported = null;
    return wasReported;
  }
}
