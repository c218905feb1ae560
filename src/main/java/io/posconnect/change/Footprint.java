package io.posconnect.change;

import io.posconnect.resource.Key;

/**
 * How long a bucket's text can become when it is stored: an upper bound that is kept up to date
 * with every key and costs no encoding.
 *
 * <p>It counts on an encoding of sorted keys: numbers as variable-length gaps, texts without the
 * beginning they share with the one before, 6 bytes of hash, runs of current and stale entries, all
 * in Base64. Gaps that add up to a span take the most room when they are equal, which bounds them
 * without looking at any. A text that came since the last rebuild counts in full; one that went
 * still counts until the next.
 */
final class Footprint {

  private static final int FRAME = 128;
  private static final int HASH = 6;

  private int numbers;
  private int texts;
  private int stale;
  private long least = Long.MAX_VALUE;
  private long greatest = Long.MIN_VALUE;
  private long textBytes;

  /** A key that is new, {@code before} being the text before it, empty when that is not known. */
  void add(Key key, String before) {
    if (key.isNumber()) {
      numbers++;
      least = Math.min(least, key.number());
      greatest = Math.max(greatest, key.number());
    } else {
      texts++;
      textBytes += bytes(key.text(), before);
    }
  }

  void remove(Key key) {
    if (key.isNumber()) {
      numbers--;
    } else {
      texts--;
    }
  }

  /** That many more of the entries are stale; negative for fewer. */
  void stale(int more) {
    stale += more;
  }

  int numbers() {
    return numbers;
  }

  int texts() {
    return texts;
  }

  int size() {
    return numbers + texts;
  }

  /** Bytes of the encoded text, at most. */
  int bytes() {
    int runs = 2 * Math.min(stale, size() - stale) + 1;
    double gaps = numbers < 2 ? 0 : varints(numbers - 1, (double) greatest - (double) least);
    double raw = FRAME + gaps + textBytes + varints(runs, size()) + (double) HASH * size();
    return (int) Math.min(Integer.MAX_VALUE, Math.ceil(raw * 4 / 3));
  }

  /** The most that so many variable-length integers with that sum can take, 7 bits a byte. */
  private static double varints(double count, double sum) {
    double mean = Math.max(1, sum / count);
    return count * (1 + Math.log(mean) / Math.log(2) / 7);
  }

  private static long bytes(String text, String before) {
    int shared = 0;
    int limit = Math.min(text.length(), before.length());
    while (shared < limit && text.charAt(shared) == before.charAt(shared)) {
      shared++;
    }
    // Whatever the text shares with its neighbour, both of its lengths are below its own.
    long bytes = 2L * (1 + (31 - Integer.numberOfLeadingZeros(text.length() | 1)) / 7);
    for (int i = shared; i < text.length(); i++) {
      char unit = text.charAt(i);
      bytes += unit < 0x80 ? 1 : unit < 0x800 ? 2 : 3;
    }
    return bytes;
  }
}
