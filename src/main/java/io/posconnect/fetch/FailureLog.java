package io.posconnect.fetch;

import io.posconnect.problem.Text;
import java.time.Duration;
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
  private final Reminder reminder = new Reminder();
  private long beganNanos;
  private boolean isLogged;
  private long failures;

  FailureLog(Logger log) {
    this.log = log;
  }

  /** Logs a failure after which the request is made again. */
  void failed(String line, long now) {
    long times = count(isLogged ? Reminder.HOURLY : SAME, now);
    if (times > 0) {
      log.warn("{}{}", line, counted(times));
    } else {
      log.debug("{}", line);
    }
  }

  /**
   * Logs that the stream is suspended, or still is.
   *
   * @param isNews whether it was not, or for another reason
   */
  void suspended(String line, boolean isNews, long now) {
    if (isNews) {
      reminder.startAgain();
    }
    long times = count(Reminder.HOURLY, now);
    if (times > 0) {
      log.error("{}{}", line, counted(times));
    } else {
      log.debug("{}", line);
    }
  }

  void recovered(String line, long now) {
    if (isLogged) {
      log.info(
          "{}, after {} in {}",
          line,
          Text.count(failures, "failure"),
          Text.duration(Duration.ofNanos(now - beganNanos)));
    } else {
      log.debug("{}", line);
    }
    isLogged = false;
    failures = 0;
  }

  /** Counts a failure; returns how many the line about it stands for, 0 if there is none. */
  private long count(Duration pause, long now) {
    if (failures == 0) {
      beganNanos = now;
    }
    failures++;
    reminder.add(1);
    long times = reminder.takeDue(pause, now);
    isLogged |= times > 0;
    return times;
  }

  private static String counted(long times) {
    return times > 1 ? " (" + times + " failures since the last line)" : "";
  }
}
