package io.posconnect.tool;

import io.posconnect.json.JsonText;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Shows the form of a value without its content: each letter becomes an a or A, each digit a 9, and
 * the rest stays. Of an object or array it shows the number of its items.
 */
final class Mask {

  private static final int LONGEST = 24;

  private Mask() {}

  static String of(JsonText value, Set<Observation> observed) {
    return switch (value.kind()) {
      case OBJECT -> "{%d}".formatted(value.items().size());
      case ARRAY -> "[%d]".formatted(value.items().size());
      case BOOLEAN -> "true/false";
      case NULL -> "null";
      case NUMBER -> masked(value.value(), true);
      case STRING -> '"' + text(value.value(), observed) + '"';
    };
  }

  private static String text(String value, Set<Observation> observed) {
    return observed.contains(Observation.BLANK)
        ? value
        : masked(value, observed.contains(Observation.TIME));
  }

  /**
   * @param digitsOnly whether letters belong to the form, as in a date or in 1e5
   */
  private static String masked(String text, boolean digitsOnly) {
    String mask =
        text.codePoints()
            .limit(LONGEST)
            .mapToObj(c -> Character.toString(masked(c, digitsOnly)))
            .collect(Collectors.joining());
    return text.codePointCount(0, text.length()) > LONGEST ? mask + ".." : mask;
  }

  private static int masked(int c, boolean digitsOnly) {
    if (Character.isDigit(c)) {
      return '9';
    }
    if (digitsOnly || !Character.isLetter(c)) {
      // A mark that joins letters would betray a word.
      return digitsOnly || c < 0x7f ? c : '.';
    }
    return Character.isUpperCase(c) ? 'A' : 'a';
  }
}
