package io.posconnect.tool;

import io.posconnect.json.JsonText;
import java.math.BigDecimal;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** What a single value shows that its type alone does not. */
enum Trait {
  BLANK("blank or N/A"),
  WITH_POINT("with a point or an exponent"),
  BEYOND_DOUBLE("beyond 2^53, which JavaScript must read as BigInt"),
  NUMBER_IN_TEXT("numbers in quotes: text to the service, so text here"),
  LEADING_ZERO("with leading zeros, which a number would lose"),
  EXPONENT_IN_TEXT("like 1e5, which is no number but an identifier"),
  BOOLEAN_IN_TEXT("booleans in quotes"),
  TIME("dates or times"),
  TIME_IN_UTC("with Z"),
  TIME_WITHOUT_ZONE("without a zone, read as UTC"),
  TIME_AMERICAN("spelled MM/dd/yyyy"),
  TIME_WITH_OFFSET("with an offset, which only text keeps"),
  FINER_THAN_MILLIS("finer than a millisecond"),
  FINER_THAN_MICROS("finer than a microsecond, which only text keeps"),
  DATE_ALONE("without a time of day"),
  SENTINEL("that mean none, such as 0001-01-01 or 1900-01-01");

  private static final int LONGEST_TEXT = 64;

  /** Its text: what is longer is no amount. */
  private static final int LONGEST_NUMBER = 400;

  /** With its letter and sign. */
  private static final int LONGEST_EXPONENT = 5;

  private static final BigDecimal EXACT_IN_DOUBLE = BigDecimal.valueOf(1L << 53);

  private static final Pattern NUMBER = Pattern.compile("[+-]?\\d+(\\.\\d+)?([eE][+-]?\\d+)?");
  private static final Pattern LEADING = Pattern.compile("[+-]?0\\d.*");
  private static final Pattern ISO =
      Pattern.compile(
          "(?<date>\\d{4}-\\d\\d-\\d\\d)"
              + "(?<time>[T ]\\d\\d:\\d\\d(:\\d\\d(\\.(?<fraction>\\d+))?)?)?"
              + "(?<zone>Z|[+-]\\d\\d(:?\\d\\d)?)?");
  private static final Pattern AMERICAN =
      Pattern.compile("(?<date>\\d{1,2}/\\d{1,2}/\\d{4})( \\d{1,2}:\\d\\d.*)?");
  private static final Set<String> NONE =
      Set.of(
          "0001-01-01",
          "1753-01-01",
          "1899-12-30",
          "1900-01-01",
          "9999-12-31",
          "01/01/0001",
          "01/01/1900",
          "12/31/9999");

  private final String clause;

  Trait(String clause) {
    this.clause = clause;
  }

  /** What values are that show it; a number stands before it. */
  String clause() {
    return clause;
  }

  /** What a value of any kind shows. */
  static EnumSet<Trait> of(JsonText value) {
    return switch (value.kind()) {
      case NUMBER -> ofNumber(value.value());
      case STRING -> value.end() - value.start() > LONGEST_TEXT ? none() : ofText(value.value());
      case OBJECT, ARRAY, BOOLEAN, NULL -> none();
    };
  }

  private static EnumSet<Trait> none() {
    return EnumSet.noneOf(Trait.class);
  }

  private static EnumSet<Trait> ofNumber(String text) {
    EnumSet<Trait> traits = none();
    if (text.indexOf('.') >= 0 || text.indexOf('e') >= 0 || text.indexOf('E') >= 0) {
      traits.add(WITH_POINT);
    }
    if (sane(text).filter(number -> number.abs().compareTo(EXACT_IN_DOUBLE) > 0).isPresent()) {
      traits.add(BEYOND_DOUBLE);
    }
    return traits;
  }

  /** A number that one can count with; empty for one like 1e999999999. */
  static Optional<BigDecimal> sane(String number) {
    int e = Math.max(number.indexOf('e'), number.indexOf('E'));
    boolean huge = e >= 0 && number.length() - e > LONGEST_EXPONENT;
    return number.length() > LONGEST_NUMBER || huge
        ? Optional.empty()
        : Optional.of(new BigDecimal(number));
  }

  private static EnumSet<Trait> ofText(String text) {
    EnumSet<Trait> traits = none();
    String lower = text.strip().toLowerCase(Locale.ROOT);
    if (lower.isEmpty() || lower.equals("n/a")) {
      traits.add(BLANK);
    } else if (lower.equals("true") || lower.equals("false")) {
      traits.add(BOOLEAN_IN_TEXT);
    } else if (NUMBER.matcher(text).matches()) {
      traits.add(NUMBER_IN_TEXT);
      if (LEADING.matcher(text).matches()) {
        traits.add(LEADING_ZERO);
      } else if (lower.indexOf('e') >= 0) {
        traits.add(EXPONENT_IN_TEXT);
      }
    } else {
      addTime(text, traits);
    }
    return traits;
  }

  private static void addTime(String text, EnumSet<Trait> traits) {
    Matcher iso = ISO.matcher(text);
    Matcher american = AMERICAN.matcher(text);
    if (iso.matches()) {
      traits.add(TIME);
      traits.add(iso.group("time") == null ? DATE_ALONE : zone(iso.group("zone")));
      int digits = iso.group("fraction") == null ? 0 : iso.group("fraction").length();
      if (digits > 6) {
        traits.add(FINER_THAN_MICROS);
      } else if (digits > 3) {
        traits.add(FINER_THAN_MILLIS);
      }
      addSentinel(iso.group("date"), traits);
    } else if (american.matches()) {
      traits.add(TIME);
      traits.add(TIME_AMERICAN);
      addSentinel(american.group("date"), traits);
    }
  }

  private static Trait zone(@Nullable String zone) {
    if (zone == null) {
      return TIME_WITHOUT_ZONE;
    }
    return zone.equals("Z") ? TIME_IN_UTC : TIME_WITH_OFFSET;
  }

  private static void addSentinel(String date, EnumSet<Trait> traits) {
    if (NONE.contains(date)) {
      traits.add(SENTINEL);
    }
  }
}
