package io.posconnect.change;

import io.posconnect.resource.Key;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Holds the entries of a segment, 16 bytes for that of a number: a long for its word, and one for
 * its distance from the first key and the tick at which it was last seen. A distance that does not
 * fit into the half of a long has an int more; it wraps around, so no two numbers are too far
 * apart.
 *
 * <p>Images read what was there before them, on any thread, while the digest appends and marks keys
 * as seen: nothing that they read changes.
 *
 * @param base what distances are measured from
 * @param cells two of each entry
 * @param high the upper half of what each distance lacks; null while that is nothing
 * @param texts null while there is none; its elements are null for numbers
 */
@SuppressWarnings("ArrayRecordComponent") // shared on purpose, and never compared
record Entries(
    long base, long[] cells, int @Nullable [] high, @Nullable String @Nullable [] texts) {

  private static final long TICK = 0xFFFF_FFFFL;

  static final Entries NONE = new Entries(0, new long[0], null, null);

  int capacity() {
    return cells.length / 2;
  }

  /** The same entries, and room for so many. */
  Entries resized(int capacity) {
    return new Entries(
        base,
        Arrays.copyOf(cells, 2 * capacity),
        high == null ? null : Arrays.copyOf(high, capacity),
        texts == null ? null : Arrays.copyOf(texts, capacity));
  }

  /** These entries and one more, for which there must be room. */
  Entries with(int entry, Key key, long word, int tick) {
    Entries with = key.isNumber() ? with(entry, key.number()) : with(entry, key.text());
    cells[2 * entry] = word;
    see(entry, tick);
    return with;
  }

  private Entries with(int entry, long number) {
    if (entry == 0) {
      return new Entries(number, cells, high, texts);
    }
    long distance = number - base;
    int near = (int) distance;
    cells[2 * entry + 1] = (long) near << Integer.SIZE;
    if (near == distance) {
      return this;
    }
    int[] rest = high == null ? new int[capacity()] : high;
    rest[entry] = (int) ((distance - near) >>> Integer.SIZE);
    return high == null ? new Entries(base, cells, rest, texts) : this;
  }

  private Entries with(int entry, String text) {
    String[] all = texts == null ? new String[capacity()] : texts;
    all[entry] = text;
    return texts == null ? new Entries(base, cells, high, all) : this;
  }

  boolean isNumber(int entry) {
    return texts == null || texts[entry] == null;
  }

  long number(int entry) {
    long near = cells[2 * entry + 1] >> Integer.SIZE;
    return base + near + (high == null ? 0 : (long) high[entry] << Integer.SIZE);
  }

  Key key(int entry) {
    String text = texts == null ? null : texts[entry];
    return text == null ? Key.of(number(entry)) : Key.of(text);
  }

  boolean is(int entry, Key key) {
    return key.isNumber()
        ? isNumber(entry) && number(entry) == key.number()
        : texts != null && key.text().equals(texts[entry]);
  }

  long word(int entry) {
    return cells[2 * entry];
  }

  /** The tick at which its key was last seen. */
  int seen(int entry) {
    return (int) cells[2 * entry + 1];
  }

  void see(int entry, int tick) {
    cells[2 * entry + 1] = (cells[2 * entry + 1] & ~TICK) | tick;
  }
}
