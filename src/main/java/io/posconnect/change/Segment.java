package io.posconnect.change;

import com.dynatrace.hash4j.hashing.Hashing;
import io.posconnect.change.Image.State;
import io.posconnect.resource.Key;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Holds one stretch of a digest's log: entries that are only appended to, and how much of them was
 * written. Its arrays are shared with images, which read them up to a length that was there before.
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
  final List<SegmentLog.Mark> marks = new ArrayList<>(1);

  /** How far its entries were looked at to be carried to the end of the log. */
  int carried;

  /** Entries that are known not to be needed any more. */
  final BitSet replaced = new BitSet();

  private long[] numbers = new long[INITIAL];
  private @Nullable String @Nullable [] texts;
  private long[] words = new long[INITIAL];
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

  Key key(int entry) {
    String text = texts == null ? null : texts[entry];
    return text == null ? Key.of(numbers[entry]) : Key.of(text);
  }

  /** Its part of the sum that detects a loss; 0 if nothing of it is stored. */
  long checksum() {
    return checksum(sequence, run, written);
  }

  /** The same for ever, since sums of it are stored. */
  static long checksum(long sequence, long run, int written) {
    return written == 0 ? 0 : Hashing.komihash5_0().hashLongLongLongToLong(run, sequence, written);
  }

  /**
   * Gives back what nobody needs of a settled segment: the keys stay, to look them up, and images
   * have arrays of their own.
   */
  void trim() {
    if (words.length > 0) {
      numbers = Arrays.copyOf(numbers, length);
      texts = texts == null ? null : Arrays.copyOf(texts, length);
      words = new long[0];
    }
  }

  /** Appends an entry and returns its place. */
  int append(Key key, long word) {
    if (length == words.length) {
      numbers = Arrays.copyOf(numbers, 2 * length);
      words = Arrays.copyOf(words, 2 * length);
      texts = texts == null ? null : Arrays.copyOf(texts, 2 * length);
    }
    bytes += cost(key, word);
    if (key.isNumber()) {
      numbers[length] = key.number();
    } else {
      if (texts == null) {
        texts = new String[words.length];
      }
      texts[length] = key.text();
    }
    words[length] = word;
    return length++;
  }

  /** About the bytes that an entry takes behind the last one. */
  int cost(Key key, long word) {
    int hash = Word.isCurrent(word) ? Word.HASH_BYTES : 0;
    if (!key.isNumber()) {
      return hash + key.text().length() + 2;
    }
    boolean follows = length > 0 && (texts == null || texts[length - 1] == null);
    long gap = key.number() - (follows ? numbers[length - 1] : 0);
    long zigzag = (gap << 1) ^ (gap >> 63);
    return hash + Math.max(1, (70 - Long.numberOfLeadingZeros(zigzag)) / 7);
  }

  /** The entries so far, to be read by any thread whatever is appended later. */
  Entries entries() {
    return new Entries(numbers, texts, words, length);
  }

  /** The first entries of a segment, for ever as they were. */
  @SuppressWarnings("ArrayRecordComponent") // shared on purpose, and never compared
  record Entries(long[] numbers, @Nullable String @Nullable [] texts, long[] words, int length) {

    void forEach(Image.Visitor visitor) {
      for (int i = 0; i < length; i++) {
        String text = texts == null ? null : texts[i];
        visitor.visit(
            text == null ? Key.of(numbers[i]) : Key.of(text),
            Word.state(words[i]),
            Word.hash(words[i]));
      }
    }
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
