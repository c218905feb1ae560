package io.posconnect.record;

import java.util.HexFormat;

/** Strings as JSON and as Kafka can carry them. */
final class Text {

  private static final HexFormat HEX = HexFormat.of();

  private Text() {}

  /**
   * Appends the string in quotes. The spelling is part of persisted keys and must never change:
   * quote, backslash, controls below U+0020 and unpaired surrogates are escaped, nothing else is.
   */
  static void quote(String text, StringBuilder to) {
    to.append('"');
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == '"' || c == '\\') {
        to.append('\\').append(c);
      } else if (c < ' ' || unpaired(text, i)) {
        to.append("\\u").append(HEX.toHexDigits(c));
      } else {
        to.append(c);
      }
    }
    to.append('"');
  }

  /** Whether UTF-8 can carry the string: it has no unpaired surrogate. */
  static boolean wellFormed(String text) {
    for (int i = 0; i < text.length(); i++) {
      if (unpaired(text, i)) {
        return false;
      }
    }
    return true;
  }

  private static boolean unpaired(String text, int i) {
    char c = text.charAt(i);
    if (Character.isHighSurrogate(c)) {
      return i + 1 == text.length() || !Character.isLowSurrogate(text.charAt(i + 1));
    }
    return Character.isLowSurrogate(c)
        && (i == 0 || !Character.isHighSurrogate(text.charAt(i - 1)));
  }
}
