package io.posconnect.change;

/**
 * The hash of a JSON number by its value, worked out on the text: no digit is ever expanded, so an
 * exponent of any size costs nothing.
 *
 * <p>A number is its significant digits and the power of ten of the last one. An exponent of more
 * than 18 digits is not worked out: such a number is hashed as it is spelled.
 */
final class NumberHash {

  private static final long POSITIVE = 0x6E756D6265720001L;
  private static final long NEGATIVE = 0x6E756D6265720002L;
  private static final long SPELLED = 0x6E756D6265720003L;
  private static final long ZERO = Mix.mix(0x6E756D6265720004L);
  private static final int EXPONENT_DIGITS = 18;

  private NumberHash() {}

  static long of(byte[] text, int start, int end) {
    int mantissaEnd = indexOf(text, start, end, (byte) 'e', (byte) 'E');
    int point = indexOf(text, start, mantissaEnd, (byte) '.', (byte) '.');
    int first = start;
    while (first < mantissaEnd && !significant(text[first])) {
      first++;
    }
    if (first == mantissaEnd) {
      return ZERO;
    }
    int last = mantissaEnd - 1;
    while (!significant(text[last])) {
      last--;
    }
    if (!isSmall(text, mantissaEnd, end)) {
      return Mix.combine(SPELLED, Mix.text(text, start, end));
    }
    long power =
        exponent(text, mantissaEnd, end) + (last < point ? point - last - 1 : point - last);
    Mix.Units units = new Mix.Units(Mix.combine(text[start] == '-' ? NEGATIVE : POSITIVE, power));
    for (int i = first; i <= last; i++) {
      if (i != point) {
        units.add(text[i]);
      }
    }
    return units.finish();
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
