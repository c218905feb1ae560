package io.posconnect.change;

import io.posconnect.change.Digest.Segments;
import io.posconnect.resource.Key;
import java.util.ArrayDeque;
import java.util.BitSet;
import java.util.Deque;
import java.util.List;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Keeps a digest's entries in the order in which they were appended, in small segments. Each is
 * stored in a slot of its own, which is used again once its segment is released.
 *
 * <p>Entries are appended by one thread and records acknowledged by another, so everything is done
 * under the log's own lock.
 */
final class SegmentLog {
  private static final int SEGMENTS = 512;
  private static final int SEGMENTS_IN_BULK = 8;
  private final Segments sizes;
  private final long run;
  private final TreeMap<Long, Segment> segments = new TreeMap<>();
  private final BitSet slots = new BitSet();
  private final Deque<Integer> damaged = new ArrayDeque<>();
  private @Nullable Segment last;
  private long next = 1;
  private long base;
  private long floor = 1;
  private long sum;
  private int entries;
  private long bytes;

  SegmentLog(Segments sizes, long run) {
    this.sizes = sizes;
    this.run = run;
  }

  /**
   * Puts back what was stored, oldest first; all of it counts as written.
   *
   * @param unreadable slots that are taken before any other: what they hold is damaged
   * @param used no segment gets a number up to this one. A checkpoint vouches for segments of which
   *     nothing was written, too: others of their numbers would look like parts of what it vouches
   *     for
   */
  synchronized void restore(
      List<Segment> stored, long baseOfThem, List<Integer> unreadable, long used) {
    damaged.addAll(unreadable);
    base = baseOfThem;
    sum = baseOfThem;
    next = Math.max(next, used + 1);
    for (Segment segment : stored) {
      segment.sealed = true;
      segment.trim();
      segments.put(segment.sequence, segment);
      slots.set(segment.slot);
      entries += segment.length();
      bytes += segment.bytes();
      sum += segment.checksum();
      next = Math.max(next, segment.sequence + 1);
    }
    floor = next;
  }

  synchronized int entries() {
    return entries;
  }

  /** The segments of which nothing can change any more, up to the first that can; not the last. */
  synchronized List<Segment> settled() {
    return segments.values().stream()
        .limit(Math.max(0, segments.size() - 1))
        .takeWhile(Segment::settled)
        .toList();
  }

  /**
   * Returns whether so many of the entries are not needed any more that the oldest segment may hold
   * nothing else.
   */
  synchronized boolean mayRelease(int live) {
    return !segments.isEmpty() && entries - live >= segments.firstEntry().getValue().length();
  }

  /** The fate of an entry: stored for good, never to be stored, or undecided yet. */
  enum Fate {
    PENDING,
    WRITTEN,
    UNWRITTEN
  }

  synchronized Fate fate(Segment segment, int entry) {
    if (!segment.settled()) {
      return Fate.PENDING;
    }
    return entry < segment.written ? Fate.WRITTEN : Fate.UNWRITTEN;
  }

  /**
   * Returns whether the last segment has room for that entry. A segment of which a part is stored
   * ends soon, since the next commit stores all of it again. Before that it may grow: a transaction
   * takes longer for each segment in it.
   */
  synchronized boolean hasRoom(Key key, long word) {
    if (last == null) {
      return false;
    }
    long most = limit(last.written == 0 ? SEGMENTS_IN_BULK : SEGMENTS);
    return last.length() < sizes.leastEntries() || last.bytes() + last.cost(key, word) <= most;
  }

  /**
   * The oldest segment of which nothing can change and not all was looked at yet, if so few of the
   * entries are needed that it is worth carrying; else null.
   */
  synchronized @Nullable Segment oldestToCarry(int live) {
    int staying = entries;
    for (Segment each : segments.values()) {
      if (!each.settled()) {
        return null;
      }
      if (each.carried < each.length()) {
        double size = (double) bytes / entries;
        return staying > 1.25 * live + limit(SEGMENTS) / size ? each : null;
      }
      staying -= each.length(); // about to be released
    }
    return null;
  }

  /** Seals the last segment and begins another. */
  synchronized Segment roll() {
    if (last != null) {
      last.sealed = true;
      settle();
    }
    for (Segment segment : segments.values()) {
      if (segment.settled()) {
        segment.trim(); // not by an acknowledgement: entries are not guarded by the lock
        if (segment.written == 0) {
          freeSlot(segment);
        }
      }
    }
    int slot = damaged.isEmpty() ? slots.nextClearBit(0) : damaged.remove();
    slots.set(slot);
    Segment tail = new Segment(next, run, slot);
    last = tail;
    segments.put(next, tail);
    next++;
    return tail;
  }

  private void freeSlot(Segment segment) {
    if (segment.slot != Segment.NO_SLOT) {
      slots.clear(segment.slot);
      segment.slot = Segment.NO_SLOT;
    }
  }

  /** Appends to the last segment, in which there must be room, and returns it. */
  synchronized Segment append(Key key, long word, int tick) {
    Segment tail = Objects.requireNonNull(last, "there is no segment");
    int before = tail.bytes();
    tail.append(key, word, tick);
    entries++;
    bytes += tail.bytes() - before;
    return tail;
  }

  /** The image of the last segment, which begins if there is none, for so many records. */
  synchronized Image image(int records) {
    Segment tail = last == null ? roll() : last;
    tail.outstanding += records;
    return new Image(
        this,
        tail,
        new Image.Header(
            run,
            tail.sequence,
            tail.length(),
            segments.firstKey(),
            base,
            floor,
            sum,
            slots.length()));
  }

  synchronized void acknowledged(Segment segment, int length, boolean written) {
    if (written) {
      segment.written = Math.max(segment.written, length);
      segment.marks.forEach(mark -> mark.written(length));
    }
    segment.outstanding--;
    settle();
  }

  synchronized void release(Segment oldest) {
    segments.remove(oldest.sequence);
    freeSlot(oldest);
    base += oldest.checksum();
    entries -= oldest.length();
    bytes -= oldest.bytes();
  }

  /** Where the log ends now. */
  synchronized Digest.End end(int keys) {
    return last == null
        ? new Digest.End(next, 0, keys)
        : new Digest.End(last.sequence, last.length(), keys);
  }

  /** Where the log ends now, for a checkpoint that leaves when all until here is acknowledged. */
  synchronized Mark mark() {
    if (last == null) {
      return new Mark(next, 0, 0);
    }
    Mark mark = new Mark(last.sequence, last.length(), last.written);
    last.marks.add(mark);
    return mark;
  }

  /** The part of the log up to a mark, all records before which are acknowledged. */
  synchronized Image.Vouched vouched(Mark mark) {
    long head = segments.isEmpty() ? next : segments.firstKey();
    Segment marked = segments.get(mark.sequence);
    if (marked != null) {
      marked.marks.remove(mark);
    }
    if (mark.sequence < head) {
      return new Image.Vouched(head, 0, base, slots.length());
    }
    long below = base;
    for (Segment segment : segments.headMap(mark.sequence).values()) {
      below += segment.checksum();
    }
    return new Image.Vouched(mark.sequence, mark.written, below, slots.length());
  }

  /** A length of a segment, and how much of that was written. */
  static final class Mark {
    private final long sequence;
    private final int limit;
    private int written;

    private Mark(long sequence, int limit, int written) {
      this.sequence = sequence;
      this.limit = limit;
      this.written = written;
    }

    /**
     * Acknowledgements may come out of order: a longer image proves nothing about a shorter one.
     */
    private void written(int image) {
      if (image <= limit) {
        written = Math.max(written, image);
      }
    }
  }

  private void settle() {
    for (Segment at = segments.get(floor); at != null && at.settled(); at = segments.get(floor)) {
      sum += at.checksum();
      floor++;
    }
  }

  /** The most bytes of a segment of a log that has about so many of them. */
  private long limit(int parts) {
    return Math.max(sizes.leastBytes(), Math.min(sizes.mostBytes(), bytes / parts));
  }
}
