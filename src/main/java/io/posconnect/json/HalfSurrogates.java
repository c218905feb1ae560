package io.posconnect.json;

/**
 * Replaces escaped halves of surrogate pairs in the names of fields: {@code \ud800} is legal JSON,
 * but no character. In values they stay as they were sent.
 */
final class HalfSurrogates {

  private static final int ESCAPE = "\\ud800".length();
  private static final byte[] REPLACEMENT = {'\\', 'u', 'f', 'f', 'f', 'd'};

  private final byte[] json;
  private int replaced;

  private HalfSurrogates(byte[] json) {
    this.json = json;
  }

  /**
   * Writes {@code \ufffd} over each of them.
   *
   * @return how many there were
   */
  static int replace(byte[] json) {
    HalfSurrogates halves = new HalfSurrogates(json);
    int i = 0;
    while (i < json.length) {
      int start = i;
      i = json[i] == '"' ? halves.end(start + 1) : i + 1;
      if (json[start] == '"' && halves.isName(i)) {
        halves.replace(start + 1, i);
      }
    }
    return halves.replaced;
  }

  /** Behind the quote that ends the string. */
  private int end(int start) {
    int i = start;
    while (i < json.length && json[i] != '"') {
      i += json[i] == '\\' ? 2 : 1;
    }
    return i + 1;
  }

  private boolean isName(int end) {
    int i = end;
    while (i < json.length
        && (json[i] == ' ' || json[i] == '\n' || json[i] == '\r' || json[i] == '\t')) {
      i++;
    }
    return i < json.length && json[i] == ':';
  }

  private void replace(int start, int end) {
    int i = start;
    while (i < end) {
      boolean high = isEscaped(i, end, 'b');
      if (high && isEscaped(i + ESCAPE, end, 'f') && !isEscaped(i + ESCAPE, end, 'b')) {
        i += 2 * ESCAPE;
      } else if (isEscaped(i, end, 'f')) {
        System.arraycopy(REPLACEMENT, 0, json, i, ESCAPE);
        replaced++;
        i += ESCAPE;
      } else {
        i += json[i] == '\\' ? 2 : 1;
      }
    }
  }

  /** Returns whether a surrogate's escape stands there, with a second digit from 8 to the last. */
  private boolean isEscaped(int i, int end, char last) {
    if (i + ESCAPE > end || json[i] != '\\' || json[i + 1] != 'u' || (json[i + 2] | 0x20) != 'd') {
      return false;
    }
    int digit = Character.digit(json[i + 3], 16);
    return digit >= 8 && digit <= Character.digit(last, 16);
  }
}
