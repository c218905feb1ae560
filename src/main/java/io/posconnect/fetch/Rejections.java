package io.posconnect.fetch;

/**
 * Decides when the rows of one stream that cannot become events are reported: the first at once,
 * later ones once an hour with their number. A list of broken rows would otherwise fill the log.
 */
final class Rejections {

  private long unreported;
  private long reportedNanos;
  private boolean hasReported;

  /** Adds rows; returns how many are to be reported now, or 0. */
  long add(long rows, long now) {
    unreported += rows;
    boolean isSoon = hasReported && now - reportedNanos < FailureLog.REMINDER.toNanos();
    if (unreported == 0 || isSoon) {
      return 0;
    }
    long due = unreported;
    unreported = 0;
    reportedNanos = now;
    hasReported = true;
    return due;
  }
}
