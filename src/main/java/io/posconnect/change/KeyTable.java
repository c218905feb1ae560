package io.posconnect.change;

import io.posconnect.change.Segment.Word;
import io.posconnect.resource.Key;
import java.util.Arrays;

/**
 * Holds what is known of each key: its word, when it was last seen, and where in the log its latest
 * entry stands. A key that was removed stays until it is dropped.
 */
final class KeyTable {

  /** What is known of no key. */
  static final long NOTHING = 0;

  private static final int INITIAL = 16;

  private final KeyIndex index;
  private long[] words = new long[INITIAL];
  private long[] ticks = new long[INITIAL];
  private long[] places = new long[INITIAL];
  private int size;
  private int deadLetters;

  KeyTable(long salt) {
    index = new KeyIndex(salt);
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
    return index.bound();
  }

  /** The key's index, {@link KeyIndex#NONE} when nothing is known of it. */
  int find(Key key) {
    return index.find(key);
  }

  Key key(int at) {
    return index.key(at);
  }

  /** Whether there is a key at that index, current or stale. */
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
    ticks[at] = tick;
  }

  /** Where its latest entry stands, see {@link SegmentLog#place}. */
  long place(int at) {
    return places[at];
  }

  void move(int at, long place) {
    places[at] = place;
  }

  void set(Key key, long word, long seen, long place) {
    int at = index.find(key);
    if (at < 0) {
      at = index.add(key);
      if (at >= words.length) {
        words = Arrays.copyOf(words, 2 * words.length);
        ticks = Arrays.copyOf(ticks, words.length);
        places = Arrays.copyOf(places, words.length);
      }
    }
    count(key, (Word.isRemoved(word) ? 0 : 1) - (isLive(at) ? 1 : 0));
    words[at] = word;
    ticks[at] = seen;
    places[at] = place;
  }

  void drop(int at) {
    if (isLive(at)) {
      count(index.key(at), -1);
    }
    words[at] = NOTHING;
    index.remove(at);
  }

  private void count(Key key, int more) {
    size += more;
    deadLetters += key.isDeadLetter() ? more : 0;
  }
}
