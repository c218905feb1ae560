package io.posconnect.tool;

import io.posconnect.json.JsonText;
import io.posconnect.json.Row.Kind;
import java.util.EnumSet;
import java.util.Set;
import java.util.regex.Pattern;

/** Something about a text that no type shows, but that a person who chooses one should know. */
enum Observation {
  TIME("dates or times", Forms.DATE + Forms.CLOCK + "?" + Forms.ZONE + "?|" + Forms.AMERICAN),
  TIME_AMERICAN("spelled MM/dd/yyyy", Forms.AMERICAN),
  TIME_WITHOUT_ZONE("without a zone, read as UTC", Forms.DATE + Forms.CLOCK),
  TIME_WITH_OFFSET(
      "with an offset, which only text keeps", Forms.DATE + Forms.CLOCK + Forms.OFFSET),
  FINER_THAN_MILLIS("finer than a millisecond", Forms.fraction("\\d{3,5}[1-9]")),
  FINER_THAN_MICROS(
      "finer than a microsecond, which only text keeps", Forms.fraction("\\d{6,}[1-9]")),
  PLACEHOLDER(
      "that stand for no date, such as 0001-01-01 or 1900-01-01",
      "((0001|1753|1900)-01-01|1899-12-30|9999-12-31|01/01/(0001|1900)|12/31/9999)([T Z+-].*)?"),
  DATE_ALONE("without a time of day", Forms.DATE + Forms.ZONE + "?"),
  NUMBER_IN_TEXT("numbers in quotes, which stay text", Forms.NUMBER),
  LEADING_ZERO("with leading zeros, which a number would lose", "(?=[+-]?0\\d)" + Forms.NUMBER),
  EXPONENT_IN_TEXT(
      "like 1e5, which is an identifier and no number", "(?![+-]?0\\d)(?=.*[eE])" + Forms.NUMBER),
  BOOLEAN_IN_TEXT("booleans in quotes", "(?i)\\s*(true|false)\\s*"),
  BLANK("blank or N/A", "(?i)\\s*(n/a)?\\s*");

  static final Set<Observation> ABOUT_TIMES = EnumSet.range(TIME_AMERICAN, PLACEHOLDER);

  static final Set<Observation> ABOUT_TEXT = EnumSet.range(LEADING_ZERO, BLANK);

  private static final int LONGEST_TEXT = 64;
  private static final int LONGEST_SHOWN = 24;

  /** Describes the values; a number stands before it. */
  final String clause;

  private final Pattern form;

  Observation(String clause, String form) {
    this.clause = clause;
    this.form = Pattern.compile(form);
  }

  /** The parts of which the forms of values are made. */
  private static final class Forms {
    static final String NUMBER = "[+-]?\\d+(\\.\\d+)?([eE][+-]?\\d+)?";
    static final String DATE = "\\d{4}-\\d\\d-\\d\\d";
    static final String CLOCK = "[T ]\\d\\d:\\d\\d(:\\d\\d(\\.\\d+)?)?";
    static final String OFFSET = "[+-]\\d\\d(:?\\d\\d)?";
    static final String ZONE = "(Z|" + OFFSET + ")";
    static final String AMERICAN = "\\d{1,2}/\\d{1,2}/\\d{4}( \\d{1,2}:\\d\\d.*)?";

    /** Zeros at the end of a fraction of a second do not count. */
    static String fraction(String digits) {
      return DATE + "[T ]\\d\\d:\\d\\d:\\d\\d\\." + digits + "0*" + ZONE + "?";
    }
  }

  /** Finds all that there is to observe about a value. */
  static Set<Observation> of(JsonText value) {
    EnumSet<Observation> found = EnumSet.noneOf(Observation.class);
    if (value.kind() == Kind.STRING && value.end() - value.start() <= LONGEST_TEXT) {
      String text = value.value();
      for (Observation each : values()) {
        if (each.form.matcher(text).matches()) {
          found.add(each);
        }
      }
    }
    return found;
  }

  /**
   * Shows the form of a value without its content: each letter becomes an a, each digit a 9, and
   * the rest stays. Of an object or array it shows the number of its items.
   *
   * @param observed about it
   */
  static String masked(JsonText value, Set<Observation> observed) {
    return switch (value.kind()) {
      case OBJECT -> "{%s}".formatted(value.items().size());
      case ARRAY -> "[%s]".formatted(value.items().size());
      case BOOLEAN -> "true/false";
      case NULL -> "null";
      case NUMBER -> digits(shortened(value.value()));
      case STRING -> '"' + maskedText(value.value(), observed) + '"';
    };
  }

  private static String maskedText(String value, Set<Observation> observed) {
    if (observed.contains(BLANK)) {
      return value;
    }
    String digits = digits(shortened(value));
    // Letters belong to the form of a time. A mark that joins letters would betray a word.
    return observed.contains(TIME)
        ? digits
        : digits.replaceAll("\\p{L}", "a").replaceAll("[^\\x00-\\x7e]", ".");
  }

  private static String digits(String text) {
    return text.replaceAll("\\p{Nd}", "9");
  }

  private static String shortened(String text) {
    return text.codePointCount(0, text.length()) > LONGEST_SHOWN
        ? text.substring(0, text.offsetByCodePoints(0, LONGEST_SHOWN)) + ".."
        : text;
  }
}
