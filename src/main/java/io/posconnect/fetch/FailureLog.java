package io.posconnect.fetch;

import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

/**
 * Tells the log what goes wrong with one stream: a line when it begins, one when it suspends the
 * stream, one every hour that it lasts, and one when it ends, so that a night's outage can be read
 * in the morning. What it does not tell is told at DEBUG, and counted by the metrics.
 */
final class FailureLog {

  /** What comes again sooner is the same trouble, however often the stream recovered between. */
  static final Duration SAME = Duration.ofMinutes(10);

  /** What lasts is told again so often. */
  static final Duration REMINDER = Duration.ofHours(1);

  private final Logger log;
  private long beganNanos;
  private long toldNanos;
  private boolean ever;
  private boolean told;
  private long failures;
  private long failuresSinceTold;
  private @Nullable String suspension;

  FailureLog(Logger log) {
    this.log = log;
  }

  /** Whether something failed that is not over. */
  boolean isFailing() {
    return failures > 0;
  }

  /**
   * Something failed that will be tried again.
   *
   * @param line what failed, and what follows
   */
  void failed(String line, long now) {
    count(now);
    Duration silence = told ? REMINDER : SAME;
    if (!ever || now - toldNanos >= silence.toNanos()) {
      log.warn("{}{}", line, counted());
      told(now);
    } else {
      log.debug("{}", line);
    }
  }

  /**
   * The stream is suspended, or still is.
   *
   * @param code why, in a word: another reason is told at once
   * @param line why, and what follows
   */
  void suspended(String code, String line, long now) {
    count(now);
    if (!code.equals(suspension) || now - toldNanos >= REMINDER.toNanos()) {
      suspension = code;
      log.error("{}{}", line, counted());
      told(now);
    } else {
      log.debug("{}", line);
    }
  }

  /**
   * Nothing is wrong any more, and something was.
   *
   * @param line that it goes on
   */
  void recovered(String line, long now) {
    if (told) {
      log.info(
          "{}, after {} failures in {}",
          line,
          failures,
          Duration.ofMillis(Duration.ofNanos(now - beganNanos).toMillis()));
    } else {
      log.debug("{}", line);
    }
    told = false;
    failures = 0;
    suspension = null;
  }

  private void count(long now) {
    if (failures == 0) {
      beganNanos = now;
    }
    failures++;
    failuresSinceTold++;
  }

  /** How many failures the log knows nothing of. */
  private String counted() {
    return failuresSinceTold > 1 ? " (" + failuresSinceTold + " failures since the last line)" : "";
  }

  private void told(long now) {
    ever = true;
    told = true;
    toldNanos = now;
    failuresSinceTold = 0;
  }
}
