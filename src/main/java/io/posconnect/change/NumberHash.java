package io.posconnect.change;

import com.dynatrace.hash4j.hashing.Hasher64;

/**
 * Hashes a JSON number by its value, worked out on the text: no digit is ever expanded, so an
 * exponent of any size costs nothing. For one thread at a time.
 *
 * <p>A number is its significant digits and the power of ten of the last one. An exponent of more
 * than 18 digits is not worked out: such a number is hashed as it is spelled.
 */
final class NumberHash {

  private static final long POSITIVE = 8;
  private static final long NEGATIVE = 9;
  private static final long SPELLED = 10;
  private static final int EXPONENT_DIGITS = 18;

  private final Hasher64 hasher;
  private final long zero;
  private byte[] digits = new byte[32];

  NumberHash(Hasher64 hasher) {
    this.hasher = hasher;
    zero = hasher.hashLongToLong(11);
  }

  long of(byte[] text, int start, int end) {
    int mantissaEnd = indexOf(text, start, end, (byte) 'e', (byte) 'E');
    int point = indexOf(text, start, mantissaEnd, (byte) '.', (byte) '.');
    int first = start;
    while (first < mantissaEnd && !significant(text[first])) {
      first++;
    }
    if (first == mantissaEnd) {
      return zero;
    }
    int last = mantissaEnd - 1;
    while (!significant(text[last])) {
      last--;
    }
    if (!isSmall(text, mantissaEnd, end)) {
      return hasher.hashLongLongToLong(SPELLED, hasher.hashBytesToLong(text, start, end - start));
    }
    long power =
        exponent(text, mantissaEnd, end) + (last < point ? point - last - 1 : point - last);
    return hasher.hashLongLongLongToLong(
        text[start] == '-' ? NEGATIVE : POSITIVE, power, digits(text, first, last + 1, point));
  }

  private long digits(byte[] text, int start, int end, int point) {
    if (point <= start || point >= end) {
      return hasher.hashBytesToLong(text, start, end - start);
    }
    int length = end - start - 1;
    if (digits.length < length) {
      digits = new byte[length];
    }
    System.arraycopy(text, start, digits, 0, point - start);
    System.arraycopy(text, point + 1, digits, point - start, end - point - 1);
    return hasher.hashBytesToLong(digits, 0, length);
  }

  private static int indexOf(byte[] text, int start, int end, byte one, byte other) {
    int i = start;
    while (i < end && text[i] != one && text[i] != other) {
      i++;
    }
    return i;
  }

  private static boolean significant(byte character) {
    return character >= '1' && character <= '9';
  }

  private static boolean isSmall(byte[] text, int mantissaEnd, int end) {
    int first = mantissaEnd;
    while (first < end && !significant(text[first])) {
      first++;
    }
    return end - first <= EXPONENT_DIGITS;
  }

  /** The exponent behind the mantissa, its letter included; 0 when there is none. */
  private static long exponent(byte[] text, int mantissaEnd, int end) {
    long exponent = 0;
    boolean negative = false;
    for (int i = mantissaEnd + 1; i < end; i++) {
      if (text[i] == '-') {
        negative = true;
      } else if (text[i] != '+') {
        exponent = exponent * 10 + (text[i] - '0');
      }
    }
    return negative ? -exponent : exponent;
  }
}
