package io.posconnect.json;

import io.posconnect.json.JsonText.Content;
import io.posconnect.json.Row.Kind;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Finds what is within a value that a parser has accepted before: only where its parts begin and
 * end is left to find, and a parser for each of a row's values would cost more than the row. For
 * one thread.
 */
final class ValueScanner {

  private static final int HEX_DIGITS = 4;

  private final byte[] json;
  private int at;

  ValueScanner(byte[] json, int start) {
    this.json = json;
    this.at = start;
  }

  /** The content of the brackets of which the first is the next byte. */
  Content content() {
    boolean object = json[at] == '{';
    List<JsonText> items = new ArrayList<>();
    List<String> names = object ? new ArrayList<>() : List.of();
    pass();
    while (json[at] != '}' && json[at] != ']') {
      if (object) {
        int start = at;
        passString();
        names.add(string(json, start, at));
        passBlanks();
        pass();
      }
      items.add(item());
      passBlanks();
      if (json[at] == ',') {
        pass();
      }
    }
    at++;
    return new Content(items, names);
  }

  private JsonText item() {
    int start = at;
    Kind kind =
        switch (json[at]) {
          case '{' -> Kind.OBJECT;
          case '[' -> Kind.ARRAY;
          case '"' -> Kind.STRING;
          case 't', 'f' -> Kind.BOOLEAN;
          case 'n' -> Kind.NULL;
          default -> Kind.NUMBER;
        };
    @Nullable Content content = null;
    switch (kind) {
      case OBJECT, ARRAY -> content = content();
      case STRING -> passString();
      case NUMBER, BOOLEAN, NULL -> passScalar();
    }
    return new JsonText(kind, json, start, at, content);
  }

  /** Passes over one byte that only divides, and blanks behind it. */
  private void pass() {
    at++;
    passBlanks();
  }

  private void passBlanks() {
    while (json[at] == ' ' || json[at] == '\n' || json[at] == '\r' || json[at] == '\t') {
      at++;
    }
  }

  private void passString() {
    at++;
    while (json[at] != '"') {
      at += json[at] == '\\' ? 2 : 1;
    }
    at++;
  }

  /** A bracket, a comma or a blank follows every scalar. */
  private void passScalar() {
    while (json[at] > ' ' && json[at] != ',' && json[at] != ']' && json[at] != '}') {
      at++;
    }
  }

  /** The string, without quotes and escapes, that stands in quotes between the indices. */
  static String string(byte[] json, int start, int end) {
    String text = new String(json, start + 1, end - start - 2, StandardCharsets.UTF_8);
    return text.indexOf('\\') < 0 ? text : unescaped(text);
  }

  private static String unescaped(String text) {
    StringBuilder unescaped = new StringBuilder(text.length());
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == '\\') {
        i++;
        c = meant(text, i);
        i += text.charAt(i) == 'u' ? HEX_DIGITS : 0;
      }
      unescaped.append(c);
    }
    return unescaped.toString();
  }

  /** The character that an escape stands for. */
  private static char meant(String text, int at) {
    char c = text.charAt(at);
    return switch (c) {
      case 'b' -> '\b';
      case 'f' -> '\f';
      case 'n' -> '\n';
      case 'r' -> '\r';
      case 't' -> '\t';
      case 'u' -> (char) HexFormat.fromHexDigits(text, at + 1, at + 1 + HEX_DIGITS);
      default -> c;
    };
  }
}
