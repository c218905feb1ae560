package io.posconnect.change;

import io.posconnect.resource.Key;
import java.util.Arrays;

/**
 * What happened to a bucket's keys since its base was built, in order. Appended to only: whoever
 * holds {@link #keys} and {@link #words} and a length reads the same for ever, up to that length.
 */
final class EntryLog {

  private static final int INITIAL = 8;

  private Key[] keys = new Key[INITIAL];
  private long[] words = new long[INITIAL];
  private long[] stamps = new long[INITIAL];

  /** Open addressing: 1 + the index of a key's latest entry, 0 where nothing is. */
  private int[] table = new int[2 * INITIAL];

  private int length;

  int length() {
    return length;
  }

  Key[] keys() {
    return keys;
  }

  long[] words() {
    return words;
  }

  Key key(int index) {
    return keys[index];
  }

  long word(int index) {
    return words[index];
  }

  long stamp(int index) {
    return stamps[index];
  }

  void stamp(int index, long tick) {
    stamps[index] = tick;
  }

  /** The index of the key's latest entry, negative when there is none. */
  int find(Key key) {
    return table[slot(key)] - 1;
  }

  void append(Key key, long word, long stamp) {
    if (length == keys.length) {
      grow();
    }
    keys[length] = key;
    words[length] = word;
    stamps[length] = stamp;
    table[slot(key)] = ++length;
  }

  private int slot(Key key) {
    int mask = table.length - 1;
    int slot = (int) Mix.mix(key.hashCode()) & mask;
    while (table[slot] != 0 && !keys[table[slot] - 1].equals(key)) {
      slot = (slot + 1) & mask;
    }
    return slot;
  }

  /** Copies: a view that holds the arrays of before keeps them. */
  private void grow() {
    keys = Arrays.copyOf(keys, 2 * length);
    words = Arrays.copyOf(words, 2 * length);
    stamps = Arrays.copyOf(stamps, 2 * length);
    table = new int[4 * length];
    for (int i = 0; i < length; i++) {
      table[slot(keys[i])] = i + 1;
    }
  }
}
