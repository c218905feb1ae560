package io.posconnect.change;

import com.dynatrace.hash4j.hashing.Hasher64;
import com.dynatrace.hash4j.hashing.Hashing;
import io.posconnect.change.Segment.Word;
import io.posconnect.resource.Key;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Finds the latest entry of each key. A key that was removed stays until it is dropped.
 *
 * <p>A hash table of ints with linear probing. It takes 5 to 6.25 bytes a key, and twice that while
 * it grows: only the segments hold keys and what is known of them. An int holds the number of a
 * segment and an entry within it. The hash is salted by the process, so no service can choose keys
 * that make it slow.
 */
final class KeyTable {

  /** Refers to no entry. */
  static final int NONE = 0;

  private static final int INITIAL = 16;

  // More than a segment has, whose bytes are limited.
  private static final int ENTRY_BITS = 14;
  private static final int MOST_SEGMENTS = 1 << (Integer.SIZE - ENTRY_BITS);

  private final Hasher64 hasher;

  // By their numbers, which are used again. No segment has number 0: NONE would be of it.
  private final List<@Nullable Segment> segments = new ArrayList<>();
  private final BitSet taken = new BitSet();
  private int[] slots = new int[INITIAL];
  private int used;
  private int size;
  private int deadLetters;

  KeyTable(long salt) {
    hasher = Hashing.komihash5_0(salt);
    segments.add(null);
  }

  /** Number of keys that are there, current or stale. */
  int size() {
    return size;
  }

  /** Number of those that are dead letters. */
  int deadLetters() {
    return deadLetters;
  }

  /** Refers to the key's latest entry; {@link #NONE} when it has none. */
  int find(Key key) {
    return slots[slot(key, hash(key))];
  }

  /** Refers to all entries, the oldest first. */
  IntStream inOrder() {
    return segments.stream()
        .flatMap(Stream::ofNullable)
        .sorted(Comparator.comparingLong(each -> each.sequence))
        .flatMapToInt(each -> IntStream.range(reference(each, 0), reference(each, each.length())));
  }

  /** Refers to the latest entries of the keys that were last seen before that tick. */
  IntStream seenBefore(long tick) {
    return inOrder().filter(at -> seen(at) < tick && isLive(at)).filter(at -> find(key(at)) == at);
  }

  /** Returns whether that is an entry of a key that is there, current or stale. */
  boolean isLive(int at) {
    return at != NONE && !Word.isRemoved(word(at));
  }

  Segment segment(int at) {
    return Objects.requireNonNull(segmentIfAny(at), "a key's segment is gone");
  }

  int entry(int at) {
    return at & ((1 << ENTRY_BITS) - 1);
  }

  private static int reference(Segment segment, int entry) {
    return segment.number << ENTRY_BITS | entry;
  }

  /** The segment of an entry that may be gone. */
  @Nullable Segment segmentIfAny(int at) {
    return segments.get(at >>> ENTRY_BITS);
  }

  /** Returns whether it refers to that entry. */
  boolean is(int at, Segment segment, int entry) {
    return at != NONE && segment(at) == segment && entry(at) == entry;
  }

  Key key(int at) {
    return segment(at).entries().key(entry(at));
  }

  long word(int at) {
    return segment(at).entries().word(entry(at));
  }

  /** The tick at which the key was last seen. */
  int seen(int at) {
    return segment(at).entries().seen(entry(at));
  }

  void see(int at, int tick) {
    segment(at).entries().see(entry(at), tick);
  }

  /** Makes the entry that was just appended to a segment the latest of its key. */
  void set(Key key, Segment segment) {
    if (segment.number == 0) {
      register(segment);
    }
    int at = reference(segment, segment.length() - 1);
    if (5L * (used + 1) > 4L * slots.length) {
      grow();
    }
    long hash = hash(key);
    int slot = slot(key, hash);
    int before = slots[slot];
    slots[slot] = at;
    used += before == NONE ? 1 : 0;
    count(key, (isLive(at) ? 1 : 0) - (isLive(before) ? 1 : 0));
  }

  private void register(Segment segment) {
    segment.number = taken.nextClearBit(1);
    if (segment.number == MOST_SEGMENTS) {
      throw new IllegalStateException("a digest has at most " + MOST_SEGMENTS + " segments");
    }
    taken.set(segment.number);
    if (segment.number == segments.size()) {
      segments.add(segment);
    } else {
      segments.set(segment.number, segment);
    }
  }

  /** Drops the key of its latest entry. */
  void drop(int at) {
    Key key = key(at);
    count(key, isLive(at) ? -1 : 0);
    close(slot(key, hash(key)));
    used--;
  }

  /** Forgets a segment none of whose entries is the latest of its key. */
  void release(Segment segment) {
    segments.set(segment.number, null);
    taken.clear(segment.number);
  }

  private void count(Key key, int more) {
    size += more;
    deadLetters += key.isDeadLetter() ? more : 0;
  }

  /** Moves the keys behind a gap up, unless that would put one before where it belongs. */
  private void close(int slot) {
    int gap = slot;
    for (int at = next(gap); slots[at] != NONE; at = next(at)) {
      int home = home(hash(key(slots[at])));
      boolean reaches = gap <= at ? home <= gap || home > at : home <= gap && home > at;
      if (reaches) {
        slots[gap] = slots[at];
        gap = at;
      }
    }
    slots[gap] = NONE;
  }

  private void grow() {
    int[] old = slots;
    slots = new int[Math.addExact(old.length, old.length / 4)];
    for (int each : old) {
      if (each != NONE) {
        int slot = home(hash(key(each)));
        while (slots[slot] != NONE) {
          slot = next(slot);
        }
        slots[slot] = each;
      }
    }
  }

  /** The slot of the key, or the empty one where it would be. */
  private int slot(Key key, long hash) {
    int slot = home(hash);
    while (slots[slot] != NONE && !is(slots[slot], key)) {
      slot = next(slot);
    }
    return slot;
  }

  private boolean is(int at, Key key) {
    return segment(at).entries().is(entry(at), key);
  }

  /** A hash that no service can choose. */
  long hash(Key key) {
    return key.isNumber()
        ? hasher.hashLongToLong(key.number())
        : hasher.hashCharsToLong(key.text());
  }

  private int home(long hash) {
    return (int) (((hash & 0xFFFF_FFFFL) * slots.length) >>> Integer.SIZE);
  }

  private int next(int slot) {
    return slot + 1 == slots.length ? 0 : slot + 1;
  }
}
