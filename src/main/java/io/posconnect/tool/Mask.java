package io.posconnect.tool;

import io.posconnect.json.JsonText;
import java.util.Set;

/**
 * Shows the shape of a value and nothing of what it says: every letter is an a or A, every digit a
 * 9, and the rest stays what it is. Of records and arrays it shows how much is in them.
 */
final class Mask {

  private static final int LONGEST = 24;

  private Mask() {}

  static String of(JsonText value) {
    return switch (value.kind()) {
      case OBJECT -> "{%d}".formatted(value.items().size());
      case ARRAY -> "[%d]".formatted(value.items().size());
      case BOOLEAN -> "true/false";
      case NULL -> "null";
      case NUMBER -> of(value.value(), true);
      case STRING -> '"' + text(value) + '"';
    };
  }

  private static String text(JsonText value) {
    Set<Trait> traits = Trait.of(value);
    if (traits.contains(Trait.BLANK)) {
      return value.value();
    }
    return of(value.value(), traits.contains(Trait.TIME));
  }

  /**
   * @param digits whether only digits say something
   */
  private static String of(String text, boolean digits) {
    StringBuilder mask = new StringBuilder();
    int[] characters = text.codePoints().limit(LONGEST + 1L).toArray();
    for (int i = 0; i < Math.min(LONGEST, characters.length); i++) {
      int c = characters[i];
      if (Character.isDigit(c)) {
        mask.append('9');
      } else if (digits || !Character.isLetter(c)) {
        // Marks that join letters would be left over of a word.
        mask.appendCodePoint(digits || c < 0x7f ? c : '.');
      } else {
        mask.append(Character.isUpperCase(c) ? 'A' : 'a');
      }
    }
    return characters.length > LONGEST ? mask + ".." : mask.toString();
  }
}
