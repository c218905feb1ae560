package io.posconnect.json;

import io.posconnect.json.Row.Kind;

/**
 * Finds where a token of a text in UTF-8 ends. What it accepts is JSON; what it refuses may be. A
 * place that it is given may be the end of the text.
 */
final class Scan {

  /** Instead of a place: the token is refused. */
  static final int NOWHERE = -1;

  private static final int HEX_DIGITS = 4;

  private Scan() {}

  /** The byte there; 0, which is no token's, at the end. */
  static int at(byte[] text, int at) {
    return at < text.length ? text[at] : 0;
  }

  static int blanks(byte[] text, int from) {
    int at = from;
    while (at < text.length && text[at] <= ' ' && isBlank(text[at])) {
      at++;
    }
    return at;
  }

  static boolean isBlank(int b) {
    return b == ' ' || b == '\n' || b == '\r' || b == '\t';
  }

  /** The kind of value that begins with that byte; what it is may be refused. */
  static Kind kind(int first) {
    return switch (first) {
      case '{' -> Kind.OBJECT;
      case '[' -> Kind.ARRAY;
      case '"' -> Kind.STRING;
      case 't', 'f' -> Kind.BOOLEAN;
      case 'n' -> Kind.NULL;
      default -> Kind.NUMBER;
    };
  }

  /** Behind a value of that kind that is neither an object nor an array. */
  static int scalar(byte[] text, int from, Kind kind) {
    return switch (kind) {
      case STRING -> string(text, from);
      case NUMBER -> number(text, from);
      case BOOLEAN -> word(text, from, text[from] == 't' ? "true" : "false");
      default -> word(text, from, "null");
    };
  }

  private static int string(byte[] text, int from) {
    int at = PlainText.end(text, from + 1, text.length);
    while (at(text, at) == '\\') {
      int escape = escape(text, at + 1);
      if (escape == NOWHERE) {
        return NOWHERE;
      }
      at = PlainText.end(text, escape, text.length);
    }
    return at(text, at) == '"' ? at + 1 : NOWHERE;
  }

  /** Behind the escape whose backslash is before that place. */
  private static int escape(byte[] text, int from) {
    if (at(text, from) != 'u') {
      return "\"\\/bfnrt".indexOf(at(text, from)) < 0 ? NOWHERE : from + 1;
    }
    for (int i = from + 1; i <= from + HEX_DIGITS; i++) {
      if (Character.digit(at(text, i), 16) < 0) {
        return NOWHERE;
      }
    }
    return from + 1 + HEX_DIGITS;
  }

  private static int number(byte[] text, int from) {
    int first = from + (at(text, from) == '-' ? 1 : 0);
    int at = digits(text, first);
    if (at == first || (at(text, first) == '0' && at > first + 1)) {
      return NOWHERE;
    }
    if (at(text, at) == '.') {
      int point = at;
      at = digits(text, at + 1);
      if (at == point + 1) {
        return NOWHERE;
      }
    }
    return at(text, at) == 'e' || at(text, at) == 'E' ? NOWHERE : at;
  }

  private static int digits(byte[] text, int from) {
    int at = from;
    while (at < text.length && text[at] >= '0' && text[at] <= '9') {
      at++;
    }
    return at;
  }

  private static int word(byte[] text, int from, String word) {
    for (int i = 0; i < word.length(); i++) {
      if (at(text, from + i) != word.charAt(i)) {
        return NOWHERE;
      }
    }
    return from + word.length();
  }
}
