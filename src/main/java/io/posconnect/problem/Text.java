package io.posconnect.problem;

import java.time.Duration;

/** Text as a person writes it in a file, or reads it in a message: "1 row", "2 rows", "90 s". */
public final class Text {

  private static final long SECOND_MS = 1000;
  private static final long MINUTE_MS = 60 * SECOND_MS;
  private static final long HOUR_MS = 60 * MINUTE_MS;
  private static final long DAY_MS = 24 * HOUR_MS;

  private Text() {}

  /** The text of a file without the byte order mark that some editors put before it. */
  public static String unmarked(String file) {
    return file.startsWith("\ufeff") ? file.substring(1) : file;
  }

  /**
   * Refuses a secret that holds a reference such as {@code ${file:/path:key}}: a worker leaves it
   * as it is where it has no such provider, or the file no entry.
   *
   * @param holder of the secret, which begins the message; empty for a setting
   * @throws IllegalArgumentException that does not repeat the secret
   */
  public static void checkResolved(String holder, String secret) {
    if (hasReference(secret)) {
      throw new IllegalArgumentException(
          holder + "is a reference to which this worker finds no secret");
    }
  }

  public static boolean hasReference(String text) {
    int start = text.indexOf("${");
    return start >= 0 && text.indexOf('}', start) >= 0;
  }

  /** A number and its noun, with an s unless the number is one. */
  public static String count(long number, String noun) {
    return number + " " + noun + (number == 1 ? "" : "s");
  }

  /**
   * A duration in one unit, rounded to whole numbers of it: ms below a second, s below two minutes,
   * min below two hours, h below two days, then days.
   */
  public static String duration(Duration duration) {
    long ms = duration.toMillis();
    if (ms < SECOND_MS) {
      return ms + " ms";
    }
    if (ms < 2 * MINUTE_MS) {
      return rounded(ms, SECOND_MS) + " s";
    }
    if (ms < 2 * HOUR_MS) {
      return rounded(ms, MINUTE_MS) + " min";
    }
    return ms < 2 * DAY_MS ? rounded(ms, HOUR_MS) + " h" : rounded(ms, DAY_MS) + " days";
  }

  private static long rounded(long ms, long unit) {
    return (ms + unit / 2) / unit;
  }
}
