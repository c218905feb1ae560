package io.posconnect.fetch;

import io.posconnect.problem.Text;
import java.time.Duration;
import java.util.function.Consumer;
import org.apache.kafka.common.utils.Time;
import org.slf4j.Logger;

/**
 * Logs what goes wrong with one stream: a line when it begins, one when it suspends the stream, one
 * an hour while it lasts, and one when it ends, so that an outage can be read from the log.
 * Everything between is logged at DEBUG, and counted by the metrics.
 */
final class FailureLog {

  /** Failures that come again sooner are the same trouble, also if the stream recovered between. */
  static final Duration SAME = Duration.ofMinutes(10);

  private final Logger log;
  private final Time time;
  private final Reminder reminder = new Reminder();
  private long beganNanos;
  private boolean isLogged;
  private long failures;

  FailureLog(Logger log, Time time) {
    this.log = log;
    this.time = time;
  }

  /** Logs a failure after which the request is made again. */
  void failed(String line) {
    write(log::warn, line, isLogged ? Reminder.HOURLY : SAME);
  }

  /**
   * Logs that the stream is suspended, or still is.
   *
   * @param isNews whether it was not, or for another reason
   */
  void suspended(String line, boolean isNews) {
    if (isNews) {
      reminder.startAgain();
    }
    write(log::error, line, Reminder.HOURLY);
  }

  /** Counts a failure, and logs it at its level if the last line was longer ago than the pause. */
  private void write(Consumer<String> level, String line, Duration pause) {
    long now = time.nanoseconds();
    if (failures == 0) {
      beganNanos = now;
    }
    failures++;
    reminder.add(1);
    long times = reminder.takeDue(pause, now);
    if (times > 0) {
      isLogged = true;
      level.accept(line + (times > 1 ? " (" + times + " failures since the last line)" : ""));
    } else {
      log.debug("{}", line);
    }
  }

  void recovered(String line) {
    if (isLogged) {
      log.info(
          "{}, after {} in {}",
          line,
          Text.count(failures, "failure"),
          Text.duration(Duration.ofNanos(time.nanoseconds() - beganNanos)));
    } else {
      log.debug("{}", line);
    }
    isLogged = false;
    failures = 0;
  }
}
