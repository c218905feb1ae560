package io.posconnect.json;

import java.util.Arrays;

/** Checks text in UTF-8, and puts U+FFFD in place of every byte that is no part of a character. */
final class Utf8 {

  private static final int LONGEST = 4;
  private static final byte[] REPLACEMENT = {(byte) 0xEF, (byte) 0xBF, (byte) 0xBD};

  private Utf8() {}

  /** The first byte that is no part of a character, or the end when there is none. */
  static int firstBad(byte[] text, int from, int end) {
    int i = from;
    while (i < end) {
      if (i + Long.BYTES <= end && PlainText.areAscii(text, i)) {
        i += Long.BYTES;
      } else {
        int bytes = character(text, i, end);
        if (bytes == 0) {
          return i;
        }
        i += bytes;
      }
    }
    return end;
  }

  /** Where the last character ends of a text that may break off in the middle of one. */
  static int lastWhole(byte[] text, int from, int end) {
    int last = end - 1;
    while (last > from && last > end - LONGEST && isContinuation(text[last])) {
      last--;
    }
    return last >= from && (text[last] & 0xC0) == 0xC0 && character(text, last, end) == 0
        ? last
        : end;
  }

  /** Number of bytes that are no part of a character. */
  static int bad(byte[] text, int from, int end) {
    int bad = 0;
    for (int i = firstBad(text, from, end); i < end; i = firstBad(text, i + 1, end)) {
      bad++;
    }
    return bad;
  }

  /**
   * A copy of the text.
   *
   * @param bad as {@link #bad} returns
   */
  static byte[] copy(byte[] text, int from, int end, int bad) {
    if (bad == 0) {
      return Arrays.copyOfRange(text, from, end);
    }
    byte[] copy = new byte[end - from + bad * (REPLACEMENT.length - 1)];
    int to = 0;
    for (int good = from; good <= end; good++) {
      int next = firstBad(text, good, end);
      System.arraycopy(text, good, copy, to, next - good);
      to += next - good;
      if (next < end) {
        System.arraycopy(REPLACEMENT, 0, copy, to, REPLACEMENT.length);
        to += REPLACEMENT.length;
      }
      good = next;
    }
    return copy;
  }

  /** Bytes of the character that begins there; 0 when none does. */
  private static int character(byte[] text, int at, int end) {
    int first = text[at] & 0xFF;
    int bytes = first < 0x80 ? 1 : first < 0xC2 ? 0 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4;
    if (first > 0xF4 || at + bytes > end) {
      return 0;
    }
    for (int i = at + 1; i < at + bytes; i++) {
      if (!isContinuation(text[i])) {
        return 0;
      }
    }
    return bytes > 2 && !isShortest(first, text[at + 1] & 0xFF) ? 0 : bytes;
  }

  private static boolean isContinuation(byte b) {
    return (b & 0xC0) == 0x80;
  }

  /** Returns whether the character needs so many bytes, and is no half of a surrogate pair. */
  private static boolean isShortest(int first, int second) {
    return switch (first) {
      case 0xE0 -> second >= 0xA0;
      case 0xED -> second < 0xA0;
      case 0xF0 -> second >= 0x90;
      case 0xF4 -> second < 0x90;
      default -> true;
    };
  }
}
