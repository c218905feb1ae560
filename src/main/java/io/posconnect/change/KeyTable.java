package io.posconnect.change;

import com.dynatrace.hash4j.hashing.Hasher64;
import com.dynatrace.hash4j.hashing.Hashing;
import io.posconnect.change.Segment.Word;
import io.posconnect.resource.Key;
import java.util.stream.IntStream;

/**
 * Finds the latest entry of each key. A key that was removed stays until it is dropped.
 *
 * <p>A hash table of ints with linear probing. It takes 5 to 6.3 bytes a key, and twice that while
 * it grows: only the segments hold keys and what is known of them. The lower bits of an int refer
 * to the entry. The others are a tag, a part of the key's hash, which a search compares first: it
 * hardly ever reads an entry of another key, so the table may be rather full. The more references
 * there are, the shorter the tags. The hash is salted by the process, so no service can choose keys
 * that make it slow.
 */
final class KeyTable {

  /** Refers to no entry. */
  static final int NONE = References.NONE;

  private static final int INITIAL = 16;

  private final Hasher64 hasher;
  private final References references = new References();
  private int[] slots = new int[INITIAL];
  private int tagMask;
  private int used;
  private int size;
  private int deadLetters;

  KeyTable(long salt) {
    this(salt, 16);
  }

  /** A table whose tags have at most so many bits, 1 to 16. */
  KeyTable(long salt, int tagBits) {
    hasher = Hashing.komihash5_0(salt);
    tagMask = -1 << (Integer.SIZE - tagBits);
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
    return reference(slots[slot(key, hash(key))]);
  }

  /** Refers to the latest entries of the keys that were last seen before that tick. */
  IntStream seenBefore(long tick) {
    return references
        .all()
        .filter(at -> seen(at) < tick && isLive(at))
        .filter(at -> find(key(at)) == at);
  }

  /** Returns whether that is an entry of a key that is there, current or stale. */
  boolean isLive(int at) {
    return at != NONE && !Word.isRemoved(word(at));
  }

  Segment segment(int at) {
    return references.segment(at);
  }

  int entry(int at) {
    return references.entry(at);
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
    int at = references.add(segment);
    while ((at & tagMask) != 0) {
      shortenTags();
    }
    if (5L * (used + 1) > 4L * slots.length) {
      grow();
    }
    long hash = hash(key);
    int slot = slot(key, hash);
    int before = reference(slots[slot]);
    slots[slot] = tag(hash) | at;
    used += before == NONE ? 1 : 0;
    count(key, (isLive(at) ? 1 : 0) - (isLive(before) ? 1 : 0));
  }

  /** Drops the key of its latest entry. */
  void drop(int at) {
    Key key = key(at);
    count(key, isLive(at) ? -1 : 0);
    close(slot(key, hash(key)));
    used--;
  }

  /** Frees the references to a segment none of whose entries is the latest of its key. */
  void release(Segment segment) {
    references.release(segment);
  }

  private void count(Key key, int more) {
    size += more;
    deadLetters += key.isDeadLetter() ? more : 0;
  }

  /** Moves the keys behind a gap up, unless that would put one before where it belongs. */
  private void close(int slot) {
    int gap = slot;
    for (int at = next(gap); slots[at] != NONE; at = next(at)) {
      int home = home(hash(key(reference(slots[at]))));
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
        int slot = home(hash(key(reference(each))));
        while (slots[slot] != NONE) {
          slot = next(slot);
        }
        slots[slot] = each;
      }
    }
  }

  private void shortenTags() {
    int shorter = tagMask << 1;
    for (int slot = 0; slot < slots.length; slot++) {
      slots[slot] &= shorter | ~tagMask;
    }
    tagMask = shorter;
  }

  /** The slot of the key, or the empty one where it would be. */
  private int slot(Key key, long hash) {
    int tag = tag(hash);
    int slot = home(hash);
    while (slots[slot] != NONE && !is(slots[slot], tag, key)) {
      slot = next(slot);
    }
    return slot;
  }

  private boolean is(int content, int tag, Key key) {
    if (((content ^ tag) & tagMask) != 0) {
      return false;
    }
    int at = reference(content);
    return segment(at).entries().is(entry(at), key);
  }

  private int reference(int content) {
    return content & ~tagMask;
  }

  private long hash(Key key) {
    return key.isNumber()
        ? hasher.hashLongToLong(key.number())
        : hasher.hashCharsToLong(key.text());
  }

  /** The upper half of the hash decides the tag, the lower one the slot. */
  private int tag(long hash) {
    return (int) (hash >>> Integer.SIZE) & tagMask;
  }

  private int home(long hash) {
    return (int) (((hash & 0xFFFF_FFFFL) * slots.length) >>> Integer.SIZE);
  }

  private int next(int slot) {
    return slot + 1 == slots.length ? 0 : slot + 1;
  }
}
