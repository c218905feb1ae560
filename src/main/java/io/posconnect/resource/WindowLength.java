package io.posconnect.resource;

import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.Collections;
import java.util.List;

/**
 * Finds how long the next window of a date range may be: a day at first; it doubles while windows
 * hold few rows, up to {@code window.max.ms}, begins with a day again after one with many, and is
 * halved when the service refuses a window or cannot serve it. In whole seconds, as requests are.
 *
 * <p>It approaches a refused length only by half of the distance, and tries it again after 16
 * windows, and after twice as many each time that windows were read between two refusals, but a day
 * or less after 1,024 at most: the cause may have been an hour of trouble, or a rule of the
 * service. A window of the refused length that is read ends the doubt.
 */
public final class WindowLength {

  /** How much two windows overlap: whether the service's bounds are inclusive is not published. */
  public static final Duration SEAM = Duration.ofSeconds(1);

  /** A window of this length or less is not cut further. */
  private static final Duration SHORTEST = Duration.ofHours(1);

  private static final Duration FIRST = Duration.ofDays(1);
  private static final Duration UNKNOWN = Duration.ofSeconds(Long.MAX_VALUE);

  // Twice as few rows are still few; windows of even rows settle between the two.
  private static final int FEW = 1_000;
  private static final int MANY = 4 * FEW;

  private static final int FIRST_PATIENCE = 16;
  private static final int MOST_PATIENCE = 1 << 20;

  // Trouble that comes and goes leaves windows of an hour. To try a day so rarely costs nearly
  // nothing where a rule forbids it.
  private static final int MOST_PATIENCE_FOR_A_DAY = 1_024;

  // Closer than that to what was refused is not worth a request.
  private static final int CLOSE = 8;

  private final Duration first;
  private final Duration most;
  private Duration current;
  private Duration refused = UNKNOWN;
  private int patience = FIRST_PATIENCE / 2;
  private int windowsLeft;

  /**
   * @param most that no window exceeds
   */
  public WindowLength(Duration most) {
    this.most = most.truncatedTo(ChronoUnit.SECONDS);
    this.first = first(this.most);
    this.current = first;
  }

  /** The length of a first window, which a service is likely to serve. */
  public static Duration first(Duration most) {
    return Collections.min(List.of(FIRST, most.truncatedTo(ChronoUnit.SECONDS)));
  }

  public Duration current() {
    return current;
  }

  /** Records a window that was read, and how many rows it held. */
  public void read(Window window, long rows) {
    if (window.length().compareTo(current) < 0) {
      return; // It ended with the present, and shows nothing of a whole one.
    }
    if (window.length().compareTo(refused) >= 0) {
      refused = UNKNOWN;
      patience = FIRST_PATIENCE / 2;
    }
    windowsLeft = Math.max(0, windowsLeft - 1);
    if (rows < FEW) {
      current = longer().truncatedTo(ChronoUnit.SECONDS);
    } else if (rows > MANY) {
      current = Collections.min(List.of(first, current));
    }
  }

  private Duration longer() {
    Duration doubled = Collections.min(List.of(most, current.multipliedBy(2)));
    if (windowsLeft == 0 || doubled.compareTo(refused) < 0) {
      return doubled;
    }
    Duration left = refused.minus(current);
    return left.compareTo(current.dividedBy(CLOSE)) < 0 ? current : current.plus(left.dividedBy(2));
  }

  /** Shortens windows after one was too much; false when they cannot get shorter. */
  public boolean refused(Window window) {
    Duration tried = window.length();
    if (tried.compareTo(SHORTEST) <= 0) {
      return false;
    }
    int next = windowsLeft < patience ? 2 * patience : patience;
    patience = Math.min(tried.compareTo(first) > 0 ? MOST_PATIENCE : MOST_PATIENCE_FOR_A_DAY, next);
    refused = tried;
    windowsLeft = patience;
    current = tried.dividedBy(2).truncatedTo(ChronoUnit.SECONDS);
    return true;
  }
}
