package io.posconnect.change;

import io.posconnect.change.Image.State;
import io.posconnect.resource.Key;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;

/**
 * Holds one stretch of a digest's log: entries that are only appended to, and how much of them was
 * written. It is the only place where a key and its word are kept.
 *
 * <p>Entries are for the digest's thread alone, and for images up to a length that was there before
 * them; the log's lock guards what acknowledgements change.
 */
final class Segment {

  /** No slot: nothing of the segment is stored, nor will be. */
  static final int NO_SLOT = -1;

  private static final int INITIAL = 16;

  final long sequence;
  final long run;
  int slot;
  boolean sealed;

  /** Records that carry it and are not yet acknowledged. */
  int outstanding;

  /** Length of the longest image that was written. */
  int written;

  /** Ends of fetches whose checkpoints have not left yet. */
  final List<SegmentLog.Mark> marks = new ArrayList<>(0);

  /** How far its entries were looked at to be carried to the end of the log. */
  int carried;

  /** Entries that are known not to be needed any more. */
  final BitSet replaced = new BitSet(0);

  /** Entries that were carried here, and were proven where they stood. */
  final BitSet proven = new BitSet(0);

  /** By which {@link KeyTable} refers to its entries; 0 for none yet. */
  int number;

  private Entries entries = Entries.NONE;

  // Of each entry, as far as there is anything: see KnownBytes.
  private long[] prints = {};
  private int[] followers = {};
  private int length;
  private int bytes;

  Segment(long sequence, long run, int slot) {
    this.sequence = sequence;
    this.run = run;
    this.slot = slot;
  }

  int length() {
    return length;
  }

  /** About the size of its stored entries, before they become text. */
  int bytes() {
    return bytes;
  }

  /** Returns whether neither its entries nor the written part of them can change any more. */
  boolean settled() {
    return sealed && outstanding == 0;
  }

  /** The entries until now; appending may replace them. */
  Entries entries() {
    return entries;
  }

  /** Its part of the sum that detects a loss; 0 if nothing of it is stored. */
  long checksum() {
    return Image.checksum(sequence, run, written);
  }

  /** Gives back the room for more entries. Images of the segment keep theirs. */
  void trim() {
    if (entries.capacity() > length) {
      entries = entries.resized(length);
    }
    if (prints.length > length) {
      prints = Arrays.copyOf(prints, length);
    }
    if (followers.length > length) {
      followers = Arrays.copyOf(followers, length);
    }
  }

  /** Remembers the bytes of the row that an entry stands for by their print; see KnownBytes. */
  void show(int entry, long print) {
    if (entry >= prints.length) {
      prints = Arrays.copyOf(prints, entries.capacity());
    }
    prints[entry] = print;
  }

  /** 0 for none. */
  long print(int entry) {
    return entry < prints.length ? prints[entry] : 0;
  }

  /** Remembers which entry's row followed that of an entry, if it has that entry. */
  void follow(int entry, int next) {
    if (entry >= followers.length) {
      followers = Arrays.copyOf(followers, entries.capacity());
    }
    if (entry < followers.length) {
      followers[entry] = next;
    }
  }

  /** The entry of the row that followed; 0 for none. */
  int next(int entry) {
    return entry < followers.length ? followers[entry] : 0;
  }

  /** Appends an entry of a key that was last seen at that tick. */
  void append(Key key, long word, int tick) {
    bytes += cost(key, word);
    if (length == entries.capacity()) {
      entries = entries.resized(length + Math.max(INITIAL, length / 2));
    }
    entries = entries.with(length, key, word, tick);
    length++;
  }

  /** About the bytes that an entry takes behind the last one. */
  int cost(Key key, long word) {
    int hash = Word.isCurrent(word) ? Word.HASH_BYTES : 0;
    if (!key.isNumber()) {
      return hash + key.text().length() + 2;
    }
    boolean follows = length > 0 && entries.isNumber(length - 1);
    long gap = key.number() - (follows ? entries.number(length - 1) : 0);
    long zigzag = (gap << 1) ^ (gap >> 63);
    return hash + Math.max(1, (70 - Long.numberOfLeadingZeros(zigzag)) / 7);
  }

  /** The state of a key in one long, with its content hash. */
  static final class Word {
    static final int HASH_BYTES = ContentHash.BITS / 8;
    static final long HASH = (1L << ContentHash.BITS) - 1;

    private Word() {}

    static long of(State state, long hash) {
      if ((hash & ~HASH) != 0) {
        throw new IllegalArgumentException("a content hash has " + ContentHash.BITS + " bits");
      }
      return (long) (state.code() + 1) << ContentHash.BITS | hash;
    }

    static State state(long word) {
      return State.of((int) (word >>> ContentHash.BITS) - 1);
    }

    static boolean isCurrent(long word) {
      return state(word) == State.CURRENT;
    }

    static boolean isRemoved(long word) {
      return state(word) == State.REMOVED;
    }

    static long hash(long word) {
      return word & HASH;
    }
  }
}
