package io.posconnect.fetch;

import io.posconnect.resource.Window;
import java.time.Duration;

/**
 * Finds how long the next window of a date range may be: it doubles while windows come back empty,
 * up to a year, and is halved when the service refuses a window or cannot serve it.
 *
 * <p>It approaches a refused length only by half of the distance, and tries it again after 16
 * windows, and after twice as many each time it is refused again: the cause may have been an hour
 * of trouble, or a rule of the service.
 */
final class WindowLength {

  static final Duration LONGEST = Duration.ofDays(365);

  /** A window of this length or less is not cut further. */
  static final Duration SHORTEST = Duration.ofHours(1);

  private static final int FIRST_PATIENCE = 16;

  // Closer than that to what was refused is not worth a request.
  private static final int CLOSE = 8;

  private final Duration usual;
  private Duration current;
  private Duration refused = Duration.ofSeconds(Long.MAX_VALUE);
  private int patience = FIRST_PATIENCE / 2;
  private int windowsLeft;

  /**
   * @param usual where windows hold rows
   */
  WindowLength(Duration usual) {
    this.usual = usual;
    this.current = usual;
  }

  Duration current() {
    return current;
  }

  /** Records a window that was read, and how many rows it held. */
  void read(Window window, long rows) {
    if (windowsLeft > 0 && --windowsLeft == 0) {
      refused = Duration.ofSeconds(Long.MAX_VALUE);
    }
    current = window.hasTo() && rows == 0 ? longer() : shorter(usual, current);
  }

  private Duration longer() {
    Duration most = LONGEST.compareTo(usual) < 0 ? usual : LONGEST;
    Duration doubled = shorter(most, current.multipliedBy(2));
    if (doubled.compareTo(refused) < 0) {
      return doubled;
    }
    Duration left = refused.minus(current);
    return left.compareTo(current.dividedBy(CLOSE)) < 0 ? current : current.plus(left.dividedBy(2));
  }

  /** Shortens windows after one of that length was too much; false when it cannot get shorter. */
  boolean refused(Duration length) {
    Duration tried = shorter(LONGEST.multipliedBy(2), length);
    if (tried.compareTo(SHORTEST) <= 0) {
      return false;
    }
    refused = tried;
    patience = Math.min(1 << 20, 2 * patience);
    windowsLeft = patience;
    current = tried.dividedBy(2);
    return true;
  }

  private static Duration shorter(Duration a, Duration b) {
    return a.compareTo(b) < 0 ? a : b;
  }
}
