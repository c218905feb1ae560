package io.posconnect.change;

/**
 * Hash arithmetic on 64 bits, the same for ever: contents and buckets that were stored depend on
 * every constant here.
 */
final class Mix {

  private static final long SPREAD = 0x9E3779B97F4A7C15L;
  private static final long FIRST = 0xD6E8FEB86659FD93L;
  private static final long SECOND = 0xA0761D6478BD642FL;
  private static final long TEXT = 0x7465787400000001L;

  private Mix() {}

  /** A bijection in which every bit of the input reaches every bit of the output. */
  static long mix(long value) {
    long z = value;
    z = (z ^ (z >>> 32)) * FIRST;
    z = (z ^ (z >>> 29)) * SECOND;
    return z ^ (z >>> 32);
  }

  /** The hash of a sequence that hashes to {@code hash}, followed by {@code next}. */
  static long combine(long hash, long next) {
    return mix(hash * SPREAD + next + 1);
  }

  /** The hash of a text by its UTF-16 code units. */
  static long text(CharSequence text) {
    Units units = new Units(TEXT);
    for (int i = 0; i < text.length(); i++) {
      units.add(text.charAt(i));
    }
    return units.finish();
  }

  /** The hash of a text each of whose bytes is one code unit: ASCII, or bytes taken as they are. */
  static long text(byte[] units, int start, int end) {
    Units hash = new Units(TEXT);
    for (int i = start; i < end; i++) {
      hash.add(units[i] & 0xFF);
    }
    return hash.finish();
  }

  /** A hash of 16-bit units that arrive one at a time; four of them are mixed at once. */
  static final class Units {
    private long hash;
    private long word;
    private long count;

    Units(long seed) {
      hash = seed;
    }

    void add(int unit) {
      word = word << 16 | unit;
      if ((++count & 3) == 0) {
        hash = combine(hash, word);
        word = 0;
      }
    }

    long finish() {
      return combine(combine(hash, word), count);
    }
  }
}
