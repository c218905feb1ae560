package io.posconnect.fetch;

import io.posconnect.problem.Text;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

/**
 * Logs what goes wrong with one stream: a line when it begins, one when it suspends the stream, one
 * an hour while it lasts, and one when it ends, so that an outage can be read from the log.
 * Everything between is logged at DEBUG, and counted by the metrics.
 */
final class FailureLog {

  /** Failures that come again sooner are the same trouble, also if the stream recovered between. */
  static final Duration SAME = Duration.ofMinutes(10);

  /** Trouble that lasts is logged again so often. */
  static final Duration REMINDER = Duration.ofHours(1);

  private final Logger log;
  private long beganNanos;
  private long loggedNanos;
  private boolean hasLogged;
  private boolean isLogged;
  private long failures;
  private long failuresSinceLine;
  private @Nullable String suspension;

  FailureLog(Logger log) {
    this.log = log;
  }

  /** Logs a failure after which the request is made again. */
  void failed(String line, long now) {
    count(now);
    Duration silence = isLogged ? REMINDER : SAME;
    if (!hasLogged || now - loggedNanos >= silence.toNanos()) {
      log.warn("{}{}", line, counted());
      logged(now);
    } else {
      log.debug("{}", line);
    }
  }

  /**
   * Logs that the stream is suspended, or still is.
   *
   * @param code of the reason: another one is logged at once
   */
  void suspended(String code, String line, long now) {
    count(now);
    if (!code.equals(suspension) || now - loggedNanos >= REMINDER.toNanos()) {
      suspension = code;
      log.error("{}{}", line, counted());
      logged(now);
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
    suspension = null;
  }

  private void count(long now) {
    if (failures == 0) {
      beganNanos = now;
    }
    failures++;
    failuresSinceLine++;
  }

  /** The number of failures since the last line, this one included. */
  private String counted() {
    return failuresSinceLine > 1 ? " (" + failuresSinceLine + " failures since the last line)" : "";
  }

  private void logged(long now) {
    hasLogged = true;
    isLogged = true;
    loggedNanos = now;
    failuresSinceLine = 0;
  }
}
