package io.posconnect.metrics;

import java.util.regex.Pattern;

/**
 * Why a stream is suspended, and since when.
 *
 * @param reason in one line of bounded length
 * @param sinceEpochMs local time of the first of the failures that follow one another
 */
record Suspension(String reason, long sinceEpochMs) {

  private static final int LONGEST_REASON = 300;
  private static final Pattern BLANKS = Pattern.compile("[\\p{Cntrl}\\s]+");

  /** Not suspended; after the constants that its constructor needs. */
  static final Suspension NONE = new Suspension("", -1);

  Suspension {
    String line = BLANKS.matcher(reason).replaceAll(" ").strip();
    reason = line.length() <= LONGEST_REASON ? line : line.substring(0, LONGEST_REASON - 1) + "…";
  }

  boolean active() {
    return sinceEpochMs != NONE.sinceEpochMs;
  }

  /** Suspended, or still suspended: the newest reason counts, and the oldest time. */
  Suspension again(String newest, long nowEpochMs) {
    return new Suspension(newest, active() ? sinceEpochMs : nowEpochMs);
  }
}
