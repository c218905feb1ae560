package io.posconnect.fetch;

/**
 * Decides when the rows of one stream that cannot become events are reported: the first at once,
 * later ones once an hour with their number. A list of broken rows would otherwise fill the log.
 */
final class Rejections {

  private long unreported;
  private long reportedNanos;
  private boolean hasReported;

  /** Counts rows. */
  void add(long rows) {
    unreported += rows;
  }

  /** Takes the rows that are to be reported now; returns how many. */
  long takeDue(long now) {
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
