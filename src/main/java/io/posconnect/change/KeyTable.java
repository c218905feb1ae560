package io.posconnect.change;

import com.dynatrace.hash4j.hashing.Hasher64;
import com.dynatrace.hash4j.hashing.Hashing;
import io.posconnect.change.Segment.Word;
import io.posconnect.resource.Key;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Objects;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Finds the latest entry of each key. A key that was removed stays until it is dropped.
 *
 * <p>A hash table of longs with linear probing. It takes 10 to 12.5 bytes a key, and twice that
 * while it grows: only the segments hold keys and what is known of them. From its lowest bit a long
 * holds the entry within its segment, the segment's number, and a tag. The tag is a part of the
 * key's hash, which a search compares first: it hardly ever reads an entry of another key, so the
 * table may be rather full. The hash is salted by the process, so no service can choose keys that
 * make it slow.
 */
final class KeyTable {

  /** Refers to no entry. */
  static final long NONE = 0;

  private static final int INITIAL = 16;
  private static final int ENTRY_BITS = 24;
  private static final int TAG_BITS = 16;
  private static final long REFERENCE = -1L >>> TAG_BITS;

  private final Hasher64 hasher;

  // By their numbers, which are used again. No segment has number 0: NONE would be of it.
  private final List<@Nullable Segment> segments = new ArrayList<>();
  private final BitSet taken = new BitSet();
  private long[] slots = new long[INITIAL];
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
  long find(Key key) {
    return slots[slot(key, hash(key))] & REFERENCE;
  }

  /** Refers to the latest entries of the keys that were last seen before that tick. */
  LongStream seenBefore(long tick) {
    return segments.stream()
        .flatMap(Stream::ofNullable)
        .flatMapToLong(each -> LongStream.range(reference(each, 0), reference(each, each.length())))
        .filter(at -> seen(at) < tick && isLive(at))
        .filter(at -> find(key(at)) == at);
  }

  /** Returns whether that is an entry of a key that is there, current or stale. */
  boolean isLive(long at) {
    return at != NONE && !Word.isRemoved(word(at));
  }

  Segment segment(long at) {
    Segment segment = segments.get((int) ((at & REFERENCE) >>> ENTRY_BITS));
    return Objects.requireNonNull(segment, "a key's segment is gone");
  }

  int entry(long at) {
    return (int) at & ((1 << ENTRY_BITS) - 1);
  }

  private static long reference(Segment segment, int entry) {
    return reference(segment.number, entry);
  }

  static long reference(int segment, int entry) {
    return (long) segment << ENTRY_BITS | entry;
  }

  /** The segment of that number, if there is one. */
  @Nullable Segment segment(int number) {
    return number < segments.size() ? segments.get(number) : null;
  }

  /** Returns whether it refers to that entry. */
  boolean is(long at, Segment segment, int entry) {
    return at != NONE && segment(at) == segment && entry(at) == entry;
  }

  Key key(long at) {
    return segment(at).entries().key(entry(at));
  }

  long word(long at) {
    return segment(at).entries().word(entry(at));
  }

  /** The tick at which the key was last seen. */
  int seen(long at) {
    return segment(at).entries().seen(entry(at));
  }

  void see(long at, int tick) {
    segment(at).entries().see(entry(at), tick);
  }

  /** Makes the entry that was just appended to a segment the latest of its key. */
  void set(Key key, Segment segment) {
    if (segment.number == 0) {
      register(segment);
    }
    long at = reference(segment, segment.length() - 1);
    if (5L * (used + 1) > 4L * slots.length) {
      grow();
    }
    long hash = hash(key);
    int slot = slot(key, hash);
    long before = slots[slot] & REFERENCE;
    slots[slot] = tag(hash) | at;
    used += before == NONE ? 1 : 0;
    count(key, (isLive(at) ? 1 : 0) - (isLive(before) ? 1 : 0));
  }

  private void register(Segment segment) {
    segment.number = taken.nextClearBit(1);
    taken.set(segment.number);
    if (segment.number == segments.size()) {
      segments.add(segment);
    } else {
      segments.set(segment.number, segment);
    }
  }

  /** Drops the key of its latest entry. */
  void drop(long at) {
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
    long[] old = slots;
    slots = new long[Math.addExact(old.length, old.length / 4)];
    for (long each : old) {
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
    while (slots[slot] != NONE && !is(slots[slot], hash, key)) {
      slot = next(slot);
    }
    return slot;
  }

  private boolean is(long content, long hash, Key key) {
    return tag(content) == tag(hash) && segment(content).entries().is(entry(content), key);
  }

  private long hash(Key key) {
    return key.isNumber()
        ? hasher.hashLongToLong(key.number())
        : hasher.hashCharsToLong(key.text());
  }

  /** The upper end of the hash is the tag, the lower half decides the slot. */
  private static long tag(long hash) {
    return hash & ~REFERENCE;
  }

  private int home(long hash) {
    return (int) (((hash & 0xFFFF_FFFFL) * slots.length) >>> Integer.SIZE);
  }

  private int next(int slot) {
    return slot + 1 == slots.length ? 0 : slot + 1;
  }
}
