package io.posconnect.tool;

import io.posconnect.json.JsonText;
import java.util.Set;

/**
 * Shows the form of a value without its content: each letter becomes an a, each digit a 9, and the
 * rest stays. Of an object or array it shows the number of its items.
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
      case NUMBER -> digits(shortened(value.value()));
      case STRING -> '"' + text(value.value(), observed) + '"';
    };
  }

  private static String text(String value, Set<Observation> observed) {
    if (observed.contains(Observation.BLANK)) {
      return value;
    }
    String digits = digits(shortened(value));
    // Letters belong to the form of a time. A mark that joins letters would betray a word.
    return observed.contains(Observation.TIME)
        ? digits
        : digits.replaceAll("\\p{L}", "a").replaceAll("[^\\x00-\\x7e]", ".");
  }

  private static String digits(String text) {
    return text.replaceAll("\\p{Nd}", "9");
  }

  private static String shortened(String text) {
    return text.codePointCount(0, text.length()) > LONGEST
        ? text.substring(0, text.offsetByCodePoints(0, LONGEST)) + ".."
        : text;
  }
}
