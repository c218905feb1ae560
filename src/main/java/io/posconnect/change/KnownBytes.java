package io.posconnect.change;

import com.dynatrace.hash4j.hashing.Hasher64;
import com.dynatrace.hash4j.hashing.Hashing;
import io.posconnect.change.Segment.Word;
import io.posconnect.resource.Key;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Finds the key and the content hash of a row by its bytes alone, if the digest has an entry that a
 * row of the same bytes made or confirmed. It remembers an answer, not a ruling: the same bytes
 * always have the same key and content.
 *
 * <p>A segment holds, for each of its entries, the hash of these bytes, their length, and which
 * entry's row followed: 16 bytes. A hash table of ints, 5 to 6.25 bytes a key, finds an entry by
 * the hash; what it finds is compared with the segment, so a reference to an entry that is gone
 * harms nothing. All of it is in memory only. The hash is salted by the process, so no service can
 * choose bytes that collide. For one thread at a time.
 */
public final class KnownBytes {

  private static final int NONE = 0;
  private static final int ENTRY_BITS = 11;
  private static final int MOST_ENTRIES = 1 << ENTRY_BITS;
  private static final int MOST_SEGMENTS = 1 << (Integer.SIZE - ENTRY_BITS);
  private static final int INITIAL = 16;

  /** After so many rows that were not expected none is, until one comes in its order. */
  private static final int MOST_MISSES = 16;

  private final KeyTable table;
  private final Hasher64 hasher;
  private int most = Integer.MAX_VALUE;
  private int[] slots = new int[INITIAL];
  private int used;
  private int misses;

  // The entry of the row before, the one that was found, and the row that was looked for.
  private int before = NONE;
  private int found = NONE;
  private long hash;
  private int length;

  KnownBytes(KeyTable table, long salt) {
    this.table = table;
    this.hasher = Hashing.komihash5_0(salt);
  }

  /** Knows no more than so many rows from now on. */
  public void limit(int rows) {
    most = rows;
  }

  /** Begins a row; returns the bytes that it should have, 0 when no row is expected. */
  public int expected() {
    found = NONE;
    length = 0;
    return isOrdered() ? length(next(before)) : 0;
  }

  private boolean isOrdered() {
    return misses < MOST_MISSES;
  }

  /** Looks for a row, which is the one to {@link #follow} or to {@link #learn} then. */
  public boolean find(byte[] text, int from, int bytes) {
    if (length != bytes) {
      length = bytes;
      hash = hasher.hashBytesToLong(text, from, bytes);
    }
    int next = next(before);
    found = isOrdered() && is(next, hash, length) ? next : slots[slot(hash, length)];
    misses = found == next ? 0 : misses + 1;
    return found != NONE;
  }

  /** The key of the row that was found. */
  public Key key() {
    return table.key(at(found));
  }

  /** The content hash of the row that was found. */
  public long contentHash() {
    return Word.hash(table.word(at(found)));
  }

  /** Expects the row that was found after the one before. */
  public void follow() {
    follow(found);
  }

  private void follow(int entry) {
    Segment segment = segment(before);
    if (segment != null) {
      segment.follow(entry(before), entry);
    }
    before = entry;
  }

  private int next(int entry) {
    Segment segment = segment(entry);
    return segment == null ? NONE : segment.next(entry(entry));
  }

  /** Knows the row that was looked for last, if the digest knows that content of its key. */
  public void learn(Key key, long contentHash) {
    long at = table.find(key);
    boolean isThere =
        length > 0
            && at != KeyTable.NONE
            && table.word(at) == Word.of(Image.State.CURRENT, contentHash);
    if (!isThere
        || table.entry(at) >= MOST_ENTRIES
        || table.segment(at).number >= MOST_SEGMENTS
        || most == 0) {
      return;
    }
    table.segment(at).show(table.entry(at), hash, length);
    int entry = table.segment(at).number << ENTRY_BITS | table.entry(at);
    if (used >= most) {
      Arrays.fill(slots, NONE);
      used = 0;
    }
    if (5L * (used + 1) > 4L * slots.length) {
      rebuild();
    }
    put(entry);
    follow(entry);
  }

  /** Leaves out what refers to nothing any more. */
  private void rebuild() {
    int[] old = slots;
    long live = Arrays.stream(old).filter(entry -> length(entry) > 0).count();
    slots = new int[Math.max(INITIAL, Math.toIntExact(live * 25 / 16))];
    used = 0;
    for (int entry : old) {
      if (length(entry) > 0) {
        put(entry);
      }
    }
  }

  private void put(int entry) {
    Segment segment = table.segment(at(entry));
    int slot = slot(segment.shown(entry(entry)), segment.length(entry(entry)));
    used += slots[slot] == NONE ? 1 : 0;
    slots[slot] = entry;
  }

  /** The slot of a row, or the empty one where it would be. */
  private int slot(long rowHash, int bytes) {
    int slot = (int) (((rowHash >>> Integer.SIZE) * slots.length) >>> Integer.SIZE);
    while (slots[slot] != NONE && !is(slots[slot], rowHash, bytes)) {
      slot = slot + 1 == slots.length ? 0 : slot + 1;
    }
    return slot;
  }

  private boolean is(int entry, long rowHash, int bytes) {
    Segment segment = segment(entry);
    return segment != null
        && segment.length(entry(entry)) == bytes
        && segment.shown(entry(entry)) == rowHash;
  }

  private int length(int entry) {
    Segment segment = segment(entry);
    return segment == null ? 0 : segment.length(entry(entry));
  }

  private @Nullable Segment segment(int entry) {
    return table.segment(entry >>> ENTRY_BITS);
  }

  private static int entry(int entry) {
    return entry & (MOST_ENTRIES - 1);
  }

  /** As {@link KeyTable} refers to it. */
  private static long at(int entry) {
    return KeyTable.reference(entry >>> ENTRY_BITS, entry(entry));
  }
}
