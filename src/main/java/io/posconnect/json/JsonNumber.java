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

  private JsonNumber() {}

  /**
   * The number, however large its exponent is; empty for what is no number, and where its text or
   * exponent is absurd.
   */
  public static Optional<BigDecimal> of(JsonText json) {
    if (json.kind() != Row.Kind.NUMBER || json.end() - json.start() > MOST_DIGITS) {
      return Optional.empty();
    }
    try {
      return Optional.of(new BigDecimal(json.value()));
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
