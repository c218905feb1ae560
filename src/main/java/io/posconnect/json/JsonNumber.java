package io.posconnect.json;

import java.math.BigDecimal;
import java.util.Optional;

/**
 * Reads numbers at a cost that their text cannot drive up: {@code 1e999999999} is eleven characters
 * that must not become a gigabyte.
 */
public final class JsonNumber {

  /** Characters of a number; longer texts take quadratic time to read. */
  static final int MOST_DIGITS = 1000;

  /** The digits of so many characters always fit a long. */
  private static final int SAFE_LENGTH = 18;

  /** No {@link #whole} number. */
  public static final long NOT_WHOLE = Long.MIN_VALUE;

  private JsonNumber() {}

  /**
   * The number, however large its exponent is; empty for what is no number, and where its text or
   * exponent is absurd.
   */
  public static Optional<BigDecimal> of(JsonText json) {
    int length = json.end() - json.start();
    return json.kind() != Row.Kind.NUMBER || length > MOST_DIGITS
        ? Optional.empty()
        : parse(json.value());
  }

  /** A whole number of few digits, as most are; {@link #NOT_WHOLE} for any other value. */
  public static long whole(JsonText json) {
    byte[] text = json.bytes();
    int first = json.start() + (text[json.start()] == '-' ? 1 : 0);
    long number = 0;
    for (int i = first; i < json.end(); i++) {
      int digit = text[i] - '0';
      if (digit < 0 || digit > 9 || i - first == SAFE_LENGTH) {
        return NOT_WHOLE;
      }
      number = number * 10 + digit;
    }
    return first == json.start() ? number : -number;
  }

  private static Optional<BigDecimal> parse(String text) {
    try {
      return Optional.of(new BigDecimal(text));
    } catch (NumberFormatException e) {
      return Optional.empty(); // an exponent beyond 32 bits
    }
  }

  /** Returns whether the plain notation has a sane length. */
  public static boolean isPlain(BigDecimal number) {
    return Math.abs((long) number.scale()) <= MOST_DIGITS;
  }

  /**
   * The one spelling of a plain number: no exponent, no trailing zeros behind the point, no
   * negative zero. Part of persisted keys.
   */
  public static String canonical(BigDecimal number) {
    return number.stripTrailingZeros().toPlainString();
  }

  /** That spelling; empty for what is no number, or has no plain notation. */
  public static Optional<String> canonical(JsonText json) {
    return of(json)
        .filter(number -> number.signum() == 0 || isPlain(number))
        .map(JsonNumber::canonical);
  }
}
