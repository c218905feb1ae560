package io.posconnect.metrics;

import java.util.regex.Pattern;

/**
 * Why a stream is set aside, and since when.
 *
 * @param reason in one line of bounded length
 * @param sinceEpochMs local time of the first of the failures that follow one another
 */
record Quarantine(String reason, long sinceEpochMs) {

  private static final int LONGEST_REASON = 300;
  private static final Pattern BLANKS = Pattern.compile("[\\p{Cntrl}\\s]+");

  /** Not set aside; after the constants that its constructor needs. */
  static final Quarantine NONE = new Quarantine("", -1);

  Quarantine {
    String line = BLANKS.matcher(reason).replaceAll(" ").strip();
    reason = line.length() <= LONGEST_REASON ? line : line.substring(0, LONGEST_REASON - 1) + "…";
  }

  boolean active() {
    return sinceEpochMs != NONE.sinceEpochMs;
  }

  /** Set aside, or still set aside: the newest reason counts, and the oldest time. */
  Quarantine again(String newest, long nowEpochMs) {
    return new Quarantine(newest, active() ? sinceEpochMs : nowEpochMs);
  }
}
