package io.posconnect.change;

import com.dynatrace.hash4j.hashing.Hasher64;
import com.dynatrace.hash4j.hashing.Hashing;
import io.posconnect.change.Segment.Word;
import io.posconnect.resource.Key;
import java.util.Arrays;

/**
 * Finds the key and the content hash of a row by its bytes alone, if the digest has an entry that a
 * row of the same bytes made or confirmed. It remembers an answer, not a ruling: the same bytes
 * always have the same key and content.
 *
 * <p>A segment holds, for each of its entries, the print of these bytes, which is 48 bits of their
 * hash and their length, and which entry's row followed: 12 bytes. That finds the rows of a list
 * that keeps its order. Those that came elsewhere, several of them in a row, are also found by
 * their print in a hash table of ints, 5 to 5.63 bytes for each. What is found is compared with the
 * segment, so a reference to an entry that is gone harms nothing. All of it is in memory only. The
 * hash is salted by the process, so no service can choose bytes that collide. Rows of more than
 * {@value #MOST_BYTES} bytes are never known. For one thread at a time.
 */
public final class KnownBytes {

  private static final int NONE = KeyTable.NONE;
  private static final int INITIAL = 16;
  private static final int MOST_BYTES = 0xFFFF;

  /** After so many misses no row is expected, until one comes in its order. */
  private static final int MOST_MISSES = 16;

  /** So many come of one row that changed, came or went: it is looked for twice. */
  private static final int MOST_IN_ORDER = 2;

  private final KeyTable table;
  private final Hasher64 hasher;
  private int most = Integer.MAX_VALUE;
  private int[] slots = new int[INITIAL];
  private int used;
  private int misses;

  // The entry of the row before, the one that was found, and the row that was looked for.
  private int before = NONE;
  private int found = NONE;
  private long print;

  KnownBytes(KeyTable table, long salt) {
    this.table = table;
    this.hasher = Hashing.komihash5_0(salt);
  }

  /** Finds no more than so many rows out of their order from now on; with 0, learns none at all. */
  public void limit(int rows) {
    most = rows;
  }

  /** Begins a row; returns the bytes that it should have, 0 when no row is expected. */
  public int expected() {
    found = NONE;
    print = 0;
    return isOrdered() ? length(print(next(before))) : 0;
  }

  private boolean isOrdered() {
    return misses < MOST_MISSES;
  }

  /** Looks for a row, which is the one to {@link #follow} or to {@link #learn} then. */
  public boolean find(byte[] text, int from, int bytes) {
    if (bytes > MOST_BYTES) {
      print = 0;
      return false;
    }
    if (length(print) != bytes) {
      print = (hasher.hashBytesToLong(text, from, bytes) & ~MOST_BYTES) | bytes;
    }
    int next = next(before);
    found = isOrdered() && print(next) == print ? next : slots[slot(print)];
    misses = found == next ? 0 : misses + 1;
    return found != NONE;
  }

  /** The key of the row that was found. */
  public Key key() {
    return table.key(found);
  }

  /** The content hash of the row that was found. */
  public long contentHash() {
    return Word.hash(table.word(found));
  }

  /** Expects the row that was found after the one before. */
  public void follow() {
    follow(found);
  }

  private void follow(int entry) {
    Segment segment = table.segmentIfAny(before);
    if (segment != null) {
      segment.follow(table.entry(before), entry);
    }
    before = entry;
  }

  private int next(int entry) {
    Segment segment = table.segmentIfAny(entry);
    return segment == null ? NONE : segment.next(table.entry(entry));
  }

  /** Knows the row that was looked for last, if the digest knows that content of its key. */
  public void learn(Key key, long contentHash) {
    int entry = table.find(key);
    boolean isThere =
        print != 0
            && entry != NONE
            && table.word(entry) == Word.of(Image.State.CURRENT, contentHash);
    if (!isThere || most == 0) {
      return;
    }
    table.segment(entry).show(table.entry(entry), print);
    if (misses > MOST_IN_ORDER) {
      put(entry);
    }
    follow(entry);
  }

  /** Leaves out what refers to nothing any more. */
  private void rebuild() {
    int[] old = slots;
    long live = Arrays.stream(old).filter(entry -> print(entry) != 0).count();
    slots = new int[Math.max(INITIAL, Math.toIntExact(live * 45 / 32))];
    used = 0;
    for (int entry : old) {
      if (print(entry) != 0) {
        enter(entry);
      }
    }
  }

  private void put(int entry) {
    if (used >= most) {
      Arrays.fill(slots, NONE);
      used = 0;
    }
    if (5L * (used + 1) > 4L * slots.length) {
      rebuild();
    }
    enter(entry);
  }

  private void enter(int entry) {
    int slot = slot(print(entry));
    used += slots[slot] == NONE ? 1 : 0;
    slots[slot] = entry;
  }

  /** The slot of a row, or the empty one where it would be. */
  private int slot(long rowPrint) {
    int slot = (int) (((rowPrint >>> Integer.SIZE) * slots.length) >>> Integer.SIZE);
    while (slots[slot] != NONE && print(slots[slot]) != rowPrint) {
      slot = slot + 1 == slots.length ? 0 : slot + 1;
    }
    return slot;
  }

  /** 0 for none. */
  private long print(int entry) {
    Segment segment = table.segmentIfAny(entry);
    return segment == null ? 0 : segment.print(table.entry(entry));
  }

  private static int length(long print) {
    return (int) print & MOST_BYTES;
  }
}
