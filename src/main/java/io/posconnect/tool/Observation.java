package io.posconnect.tool;

import io.posconnect.json.JsonText;
import java.math.BigDecimal;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Something about a value that no type shows, but that a person who chooses one should know. */
enum Observation {
  BLANK("blank or N/A"),
  WITH_POINT("with a point or an exponent"),
  BEYOND_DOUBLE("beyond 2^53, which JavaScript must read as BigInt"),
  NUMBER_IN_TEXT("numbers in quotes, which stay text"),
  LEADING_ZERO("with leading zeros, which a number would lose"),
  EXPONENT_IN_TEXT("like 1e5, which is an identifier and no number"),
  BOOLEAN_IN_TEXT("booleans in quotes"),
  TIME("dates or times"),
  TIME_WITHOUT_ZONE("without a zone, read as UTC"),
  TIME_AMERICAN("spelled MM/dd/yyyy"),
  TIME_WITH_OFFSET("with an offset, which only text keeps"),
  FINER_THAN_MILLIS("finer than a millisecond"),
  FINER_THAN_MICROS("finer than a microsecond, which only text keeps"),
  DATE_ALONE("without a time of day"),
  PLACEHOLDER("that stand for no date, such as 0001-01-01 or 1900-01-01");

  private static final int LONGEST_TEXT = 64;

  /** A longer text is no amount. */
  private static final int LONGEST_NUMBER = 400;

  /** With its letter and sign. */
  private static final int LONGEST_EXPONENT = 5;

  private static final BigDecimal EXACT_IN_DOUBLE = BigDecimal.valueOf(1L << 53);

  private static final Pattern NUMBER = Pattern.compile("[+-]?\\d+(\\.\\d+)?([eE][+-]?\\d+)?");
  private static final Pattern LEADING = Pattern.compile("[+-]?0\\d.*");
  private static final Pattern ISO =
      Pattern.compile(
          "(?<date>\\d{4}-\\d\\d-\\d\\d)"
              + "(?<time>[T ]\\d\\d:\\d\\d(:\\d\\d(\\.(?<fraction>\\d*?)0*)?)?)?"
              + "(?<zone>Z|[+-]\\d\\d(:?\\d\\d)?)?");
  private static final Pattern AMERICAN =
      Pattern.compile("(?<date>\\d{1,2}/\\d{1,2}/\\d{4})( \\d{1,2}:\\d\\d.*)?");
  private static final Set<String> PLACEHOLDERS =
      Set.of(
          "0001-01-01",
          "1753-01-01",
          "1899-12-30",
          "1900-01-01",
          "9999-12-31", //
          "01/01/0001",
          "01/01/1900",
          "12/31/9999");

  private final String clause;

  Observation(String clause) {
    this.clause = clause;
  }

  /** Describes the values; a number stands before it. */
  String clause() {
    return clause;
  }

  /** Finds all that there is to observe about a value. */
  static Set<Observation> of(JsonText value) {
    EnumSet<Observation> found = EnumSet.noneOf(Observation.class);
    switch (value.kind()) {
      case NUMBER -> observeNumber(value.value(), found);
      case STRING -> {
        if (value.end() - value.start() <= LONGEST_TEXT) {
          observeText(value.value(), found);
        }
      }
      case OBJECT, ARRAY, BOOLEAN, NULL -> {}
    }
    return found;
  }

  private static void observeNumber(String text, Set<Observation> found) {
    if (text.matches(".*[.eE].*")) {
      found.add(WITH_POINT);
    }
    if (sane(text).filter(number -> number.abs().compareTo(EXACT_IN_DOUBLE) > 0).isPresent()) {
      found.add(BEYOND_DOUBLE);
    }
  }

  /** The number, unless its digits could not be counted in reasonable time: 1e999999999. */
  static Optional<BigDecimal> sane(String number) {
    int e = Math.max(number.indexOf('e'), number.indexOf('E'));
    boolean huge = e >= 0 && number.length() - e > LONGEST_EXPONENT;
    return number.length() > LONGEST_NUMBER || huge
        ? Optional.empty()
        : Optional.of(new BigDecimal(number));
  }

  private static void observeText(String text, Set<Observation> found) {
    String lower = text.strip().toLowerCase(Locale.ROOT);
    if (lower.isEmpty() || lower.equals("n/a")) {
      found.add(BLANK);
    } else if (lower.equals("true") || lower.equals("false")) {
      found.add(BOOLEAN_IN_TEXT);
    } else if (NUMBER.matcher(text).matches()) {
      found.add(NUMBER_IN_TEXT);
      if (LEADING.matcher(text).matches()) {
        found.add(LEADING_ZERO);
      } else if (lower.indexOf('e') >= 0) {
        found.add(EXPONENT_IN_TEXT);
      }
    } else {
      observeTime(text, found);
    }
  }

  private static void observeTime(String text, Set<Observation> found) {
    Matcher iso = ISO.matcher(text);
    Matcher american = AMERICAN.matcher(text);
    if (iso.matches()) {
      if (iso.group("time") == null) {
        found.add(DATE_ALONE);
      } else if (!"Z".equals(iso.group("zone"))) {
        found.add(iso.group("zone") == null ? TIME_WITHOUT_ZONE : TIME_WITH_OFFSET);
      }
      int digits = iso.group("fraction") == null ? 0 : iso.group("fraction").length();
      if (digits > 3) {
        found.add(digits > 6 ? FINER_THAN_MICROS : FINER_THAN_MILLIS);
      }
    } else if (american.matches()) {
      found.add(TIME_AMERICAN);
    } else {
      return;
    }
    found.add(TIME);
    if (PLACEHOLDERS.contains((iso.matches() ? iso : american).group("date"))) {
      found.add(PLACEHOLDER);
    }
  }
}
