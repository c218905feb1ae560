package io.posconnect.record;

import java.math.BigDecimal;
import java.util.Optional;

/**
 * JSON numbers read exactly, at a cost that their text cannot drive up: {@code 1e999999999} is
 * eleven characters that must not become a gigabyte.
 */
final class Numbers {

  /** No declared type holds more; longer texts take quadratic time to read. */
  private static final int MAX_TEXT = 400;

  /** Digits that a canonical text may have before or behind its point. */
  private static final int MAX_DIGITS = 400;

  private Numbers() {}

  /** The number, unless its text or exponent is absurd. */
  static Optional<BigDecimal> parse(String text) {
    if (text.length() > MAX_TEXT) {
      return Optional.empty();
    }
    try {
      return Optional.of(new BigDecimal(text));
    } catch (NumberFormatException e) {
      return Optional.empty(); // an exponent beyond 32 bits
    }
  }

  /** Digits before the point; negative for as many zeros behind it. */
  static long integerDigits(BigDecimal number) {
    return number.signum() == 0 ? 0 : (long) number.precision() - number.scale();
  }

  /** Whether the plain notation is of a sane length. */
  static boolean plain(BigDecimal number) {
    return integerDigits(number) <= MAX_DIGITS && Math.abs((long) number.scale()) <= MAX_DIGITS;
  }

  /**
   * The one spelling of a {@link #plain} number: no exponent, no trailing zeros behind the point,
   * no negative zero. Part of persisted keys.
   */
  static String canonical(BigDecimal number) {
    return number.signum() == 0 ? "0" : number.stripTrailingZeros().toPlainString();
  }
}
