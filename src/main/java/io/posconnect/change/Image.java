package io.posconnect.change;

import com.dynatrace.hash4j.hashing.Hashing;
import io.posconnect.change.Digest.StoredEntry;
import io.posconnect.change.Segment.Word;
import java.util.ArrayList;
import java.util.List;

/**
 * Shows a segment of a digest's log as it was when a record left: what the record's offset holds.
 * Immutable but for its acknowledgement, and free to be read by any thread.
 */
public final class Image {

  /** The state of a key. */
  public enum State {
    /** Emitted within the snapshot that the image belongs to. */
    CURRENT(0),
    /** Emitted within an earlier snapshot: it only serves to find deletes. */
    STALE(1),
    /** Gone. */
    REMOVED(2);

    /** More than any code. */
    public static final int CODES = 3;

    private static final List<State> BY_CODE = List.of(CURRENT, STALE, REMOVED);

    private final int code;

    State(int code) {
      this.code = code;
    }

    /** How it is stored, for ever. */
    public int code() {
      return code;
    }

    /** The state of a code from 0, less than {@link #CODES}. */
    public static State of(int code) {
      return BY_CODE.get(code);
    }
  }

  /**
   * The fields of an image beside its entries.
   *
   * @param run of the process that wrote it, at random
   * @param sequence the segment's place in the log, from 1
   * @param length number of its entries
   * @param head sequence of the oldest segment that counts; what is below is void
   * @param base sum of the checksums of the segments below {@code head}
   * @param floor sequence of the first segment that was not settled
   * @param sum sum of the checksums of the segments below {@code floor}
   * @param slots more than any slot in use
   */
  public record Header(
      long run, long sequence, int length, long head, long base, long floor, long sum, int slots) {}

  /**
   * The part of a digest that a checkpoint vouches for.
   *
   * @param sequence of the segment up to which everything is stored, itself not yet settled
   * @param length so many of that segment's entries are stored at least
   * @param sum sum of the checksums of the segments below it
   * @param slots more than any slot in use
   */
  public record Vouched(long sequence, int length, long sum, int slots) {

    /** Of a stream of which nothing was stored. */
    public static final Vouched NOTHING = new Vouched(1, 0, 0, 0);
  }

  private final SegmentLog log;
  private final Segment segment;
  private final Entries entries;
  private final Header header;
  private final int slot;

  Image(SegmentLog log, Segment segment, Header header) {
    this.log = log;
    this.segment = segment;
    this.header = header;
    this.entries = segment.entries();
    this.slot = segment.slot;
  }

  /**
   * The checksum of a segment of which so many entries are stored: sums of them detect a loss. The
   * same for ever, since the sums are stored.
   */
  public static long checksum(long sequence, long run, int written) {
    return written == 0 ? 0 : Hashing.komihash5_0().hashLongLongLongToLong(run, sequence, written);
  }

  public Header header() {
    return header;
  }

  /** Which of the stream's slots holds it. */
  public int slot() {
    return slot;
  }

  /** Its entries, in the order in which they were appended. */
  public List<StoredEntry> stored() {
    List<StoredEntry> stored = new ArrayList<>(header.length());
    for (int entry = 0; entry < header.length(); entry++) {
      long word = entries.word(entry);
      stored.add(new StoredEntry(entries.key(entry), Word.state(word), Word.hash(word)));
    }
    return stored;
  }

  /**
   * Connect is done with a record that carries it; by any thread.
   *
   * @param written whether its offset is, or will be, committed
   */
  public void acknowledged(boolean written) {
    log.acknowledged(segment, header.length(), written);
  }
}
