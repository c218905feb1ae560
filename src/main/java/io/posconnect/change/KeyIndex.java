package io.posconnect.change;

import com.dynatrace.hash4j.hashing.Hasher64;
import com.dynatrace.hash4j.hashing.Hashing;
import io.posconnect.resource.Key;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Gives every key a place in arrays, from 0, and finds it again: a hash table without an object for
 * a number. A removed key's place is given away again.
 *
 * <p>The hash is salted by the process, so no service can choose keys that make it slow.
 */
final class KeyIndex {

  /** No place: the key is not there. */
  static final int NONE = -1;

  private static final int INITIAL = 16;

  private final Hasher64 hasher;
  private int[] table = table(2 * INITIAL);
  private long[] numbers = new long[INITIAL];
  private @Nullable String @Nullable [] texts;
  private int[] free = new int[INITIAL];
  private int freeCount;
  private int bound;
  private int size;

  KeyIndex(long salt) {
    hasher = Hashing.komihash5_0(salt);
  }

  private static int[] table(int capacity) {
    int[] table = new int[capacity];
    Arrays.fill(table, NONE);
    return table;
  }

  /** More than any place in use. */
  int bound() {
    return bound;
  }

  /** The key of a place in use. */
  Key key(int place) {
    String text = texts == null ? null : texts[place];
    return text == null ? Key.of(numbers[place]) : Key.of(text);
  }

  int find(Key key) {
    return table[slot(key)];
  }

  /** A place for a key that has none yet. */
  int add(Key key) {
    if (2 * (size + 1) > table.length) {
      grow();
    }
    int place = freeCount > 0 ? free[--freeCount] : bound++;
    if (place == numbers.length) {
      numbers = Arrays.copyOf(numbers, 2 * place);
      texts = texts == null ? null : Arrays.copyOf(texts, 2 * place);
    }
    if (key.isNumber()) {
      numbers[place] = key.number();
    } else {
      if (texts == null) {
        texts = new String[numbers.length];
      }
      texts[place] = key.text();
    }
    table[slot(key)] = place;
    size++;
    return place;
  }

  /** Takes a place in use back. */
  void remove(int place) {
    int gap = slot(key(place));
    if (freeCount == free.length) {
      free = Arrays.copyOf(free, 2 * freeCount);
    }
    free[freeCount++] = place;
    size--;
    // What stands behind the gap moves up, unless that would put it before where it belongs.
    for (int at = next(gap); table[at] != NONE; at = next(at)) {
      int home = home(key(table[at]));
      boolean reaches = gap <= at ? home <= gap || home > at : home <= gap && home > at;
      if (reaches) {
        table[gap] = table[at];
        gap = at;
      }
    }
    table[gap] = NONE;
    if (texts != null) {
      texts[place] = null;
    }
  }

  private void grow() {
    int[] old = table;
    table = table(2 * old.length);
    for (int place : old) {
      if (place != NONE) {
        table[slot(key(place))] = place;
      }
    }
  }

  /** Where the key stands in the table, or the empty slot where it would. */
  private int slot(Key key) {
    int at = home(key);
    while (table[at] != NONE && !is(table[at], key)) {
      at = next(at);
    }
    return at;
  }

  private boolean is(int place, Key key) {
    String text = texts == null ? null : texts[place];
    return key.isNumber()
        ? text == null && numbers[place] == key.number()
        : key.text().equals(text);
  }

  private int home(Key key) {
    long hash =
        key.isNumber() ? hasher.hashLongToLong(key.number()) : hasher.hashCharsToLong(key.text());
    return (int) hash & (table.length - 1);
  }

  private int next(int slot) {
    return (slot + 1) & (table.length - 1);
  }
}
