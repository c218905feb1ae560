package io.posconnect.json;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * Finds the end of the bytes of a JSON string that stand for themselves, eight at a time: a byte
 * below n borrows from its highest bit when n is subtracted, and a byte that equals another is zero
 * after an exclusive or. In little-endian order, the lowest such bit is that of the first byte.
 */
final class PlainText {

  private static final VarHandle EIGHT =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  private static final long ONES = 0x0101010101010101L;
  private static final long HIGHEST = 0x8080808080808080L;
  private static final long QUOTES = '"' * ONES;
  private static final long ESCAPES = '\\' * ONES;
  private static final long SPACES = ' ' * ONES;

  private PlainText() {}

  /** The first quote, backslash or control character, or the end when there is none. */
  static int end(byte[] text, int from, int end) {
    int i = from;
    for (; i + Long.BYTES <= end; i += Long.BYTES) {
      long eight = (long) EIGHT.get(text, i);
      long quotes = eight ^ QUOTES;
      long escapes = eight ^ ESCAPES;
      long control = (eight - SPACES) & ~eight;
      long quote = (quotes - ONES) & ~quotes;
      long escape = (escapes - ONES) & ~escapes;
      long found = (control | quote | escape) & HIGHEST;
      if (found != 0) {
        return i + (Long.numberOfTrailingZeros(found) >>> 3);
      }
    }
    while (i < end && isPlain(text[i])) {
      i++;
    }
    return i;
  }

  /** Returns whether the eight bytes from there on are ASCII. */
  static boolean areAscii(byte[] text, int from) {
    return ((long) EIGHT.get(text, from) & HIGHEST) == 0;
  }

  /** Returns whether the byte neither ends a string nor begins an escape. */
  private static boolean isPlain(int b) {
    return b < 0 || (b >= ' ' && b != '"' && b != '\\');
  }
}
