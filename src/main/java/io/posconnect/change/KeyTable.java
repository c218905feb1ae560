package io.posconnect.change;

import com.dynatrace.hash4j.hashing.Hasher64;
import com.dynatrace.hash4j.hashing.Hashing;
import io.posconnect.change.Segment.Word;
import io.posconnect.resource.Key;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Holds the state of each key: its word, when it was last seen, and where in the log its latest
 * entry stands. A key that was removed stays until it is dropped.
 *
 * <p>A hash table without an object for a number: every key has an index into arrays, from 0, which
 * is used again once the key is dropped. The hash is salted by the process, so no service can
 * choose keys that make it slow.
 */
final class KeyTable {

  /** The index of a key that is not there. */
  static final int NONE = -1;

  /** The word of a key that is not there. */
  static final long NOTHING = 0;

  private static final int INITIAL = 16;

  private final Hasher64 hasher;
  private int[] slots = slots(2 * INITIAL);
  private long[] numbers = new long[INITIAL];
  private @Nullable String @Nullable [] texts;
  private long[] words = new long[INITIAL];
  private int[] ticks = new int[INITIAL];
  private long[] places = new long[INITIAL];
  private int[] free = new int[INITIAL];
  private int freeCount;
  private int bound;
  private int used;
  private int size;
  private int deadLetters;

  KeyTable(long salt) {
    hasher = Hashing.komihash5_0(salt);
  }

  private static int[] slots(int capacity) {
    int[] slots = new int[capacity];
    Arrays.fill(slots, NONE);
    return slots;
  }

  /** Number of keys that are there, current or stale. */
  int size() {
    return size;
  }

  /** Number of those that are dead letters. */
  int deadLetters() {
    return deadLetters;
  }

  /** More than any index in use. */
  int bound() {
    return bound;
  }

  /** The key's index, {@link #NONE} when it has none. */
  int find(Key key) {
    return slots[slot(key)];
  }

  /** The key of an index in use. */
  Key key(int at) {
    String text = texts == null ? null : texts[at];
    return text == null ? Key.of(numbers[at]) : Key.of(text);
  }

  /** Returns whether there is a key at that index, current or stale. */
  boolean isLive(int at) {
    return words[at] != NOTHING && !Word.isRemoved(words[at]);
  }

  long word(int at) {
    return words[at];
  }

  /** The tick at which it was last seen. */
  long seen(int at) {
    return ticks[at];
  }

  void see(int at, long tick) {
    ticks[at] = Math.toIntExact(tick);
  }

  /** Where its latest entry stands, see {@link SegmentLog#place}. */
  long place(int at) {
    return places[at];
  }

  void move(int at, long place) {
    places[at] = place;
  }

  void set(Key key, long word, long seen, long place) {
    int at = find(key);
    if (at == NONE) {
      at = add(key);
    }
    count(key, (Word.isRemoved(word) ? 0 : 1) - (isLive(at) ? 1 : 0));
    words[at] = word;
    see(at, seen);
    places[at] = place;
  }

  private void count(Key key, int more) {
    size += more;
    deadLetters += key.isDeadLetter() ? more : 0;
  }

  private int add(Key key) {
    if (2 * (used + 1) > slots.length) {
      growSlots();
    }
    int at = freeCount > 0 ? free[--freeCount] : bound++;
    if (at == numbers.length) {
      int capacity = at + Math.max(INITIAL, at / 4);
      numbers = Arrays.copyOf(numbers, capacity);
      texts = texts == null ? null : Arrays.copyOf(texts, capacity);
      words = Arrays.copyOf(words, capacity);
      ticks = Arrays.copyOf(ticks, capacity);
      places = Arrays.copyOf(places, capacity);
    }
    if (key.isNumber()) {
      numbers[at] = key.number();
    } else {
      if (texts == null) {
        texts = new String[numbers.length];
      }
      texts[at] = key.text();
    }
    slots[slot(key)] = at;
    used++;
    return at;
  }

  /** Drops a key, whose index is used again. */
  void drop(int at) {
    if (isLive(at)) {
      count(key(at), -1);
    }
    words[at] = NOTHING;
    close(slot(key(at)));
    if (texts != null) {
      texts[at] = null;
    }
    if (freeCount == free.length) {
      free = Arrays.copyOf(free, 2 * freeCount);
    }
    free[freeCount++] = at;
    used--;
  }

  /** Moves the keys behind a gap up, unless that would put one before where it belongs. */
  private void close(int slot) {
    int gap = slot;
    for (int at = next(gap); slots[at] != NONE; at = next(at)) {
      int home = home(key(slots[at]));
      boolean reaches = gap <= at ? home <= gap || home > at : home <= gap && home > at;
      if (reaches) {
        slots[gap] = slots[at];
        gap = at;
      }
    }
    slots[gap] = NONE;
  }

  private void growSlots() {
    int[] old = slots;
    slots = slots(2 * old.length);
    for (int at : old) {
      if (at != NONE) {
        slots[slot(key(at))] = at;
      }
    }
  }

  /** The slot of the key, or the empty one where it would be. */
  private int slot(Key key) {
    int slot = home(key);
    while (slots[slot] != NONE && !is(slots[slot], key)) {
      slot = next(slot);
    }
    return slot;
  }

  private boolean is(int at, Key key) {
    String text = texts == null ? null : texts[at];
    return key.isNumber() ? text == null && numbers[at] == key.number() : key.text().equals(text);
  }

  private int home(Key key) {
    long hash =
        key.isNumber() ? hasher.hashLongToLong(key.number()) : hasher.hashCharsToLong(key.text());
    return (int) hash & (slots.length - 1);
  }

  private int next(int slot) {
    return (slot + 1) & (slots.length - 1);
  }
}
