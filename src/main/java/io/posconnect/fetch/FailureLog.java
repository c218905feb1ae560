package io.posconnect.fetch;

import io.posconnect.problem.Text;
import java.time.Duration;
import java.util.function.Consumer;
import org.apache.kafka.common.utils.Time;
import org.slf4j.Logger;

/**
 * Logs what goes wrong with one stream: a line when it begins, one when it suspends the stream, one
 * an hour while it lasts, and one when it ends, so that an outage can be read from the log. What
 * ends and comes again within ten minutes is logged once in that time. Everything between is logged
 * at DEBUG, and counted by the metrics.
 */
final class FailureLog {

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
    write(log::warn, line, isLogged ? Reminder.HOURLY : Reminder.SAME);
  }

  /**
   * Logs that the stream is suspended, or still is.
   *
   * @param isDue whether it is to be logged at once, or with what is repeated
   */
  void suspended(String line, boolean isDue) {
    write(log::error, line, isDue ? Duration.ZERO : Reminder.HOURLY);
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

  /** Logs that what failed works again, if anything did. */
  void recovered(String line) {
    if (isLogged) {
      log.info(
          "{}, after {} in {}",
          line,
          Text.count(failures, "failure"),
          Text.duration(Duration.ofNanos(time.nanoseconds() - beganNanos)));
    } else if (failures > 0) {
      log.debug("{}", line);
    }
    isLogged = false;
    failures = 0;
  }
}
