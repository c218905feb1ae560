package io.posconnect.fetch;

import io.posconnect.offset.BucketSet;
import io.posconnect.offset.LazyOffset.Delivery;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Holds one stream's barrier: a checkpoint leaves only when every record that the stream emitted
 * before it has been acknowledged.
 *
 * <p>Records are counted in segments, each the records emitted between two completed fetches. What
 * a broken fetch emitted lies in the segment that the next completed fetch closes, so its
 * checkpoint waits for it too. Emitting happens on fetch threads, acknowledging on the producer's
 * or the task's thread.
 */
public class AckTracker {

  private static final class Segment {
    private int outstanding;
    private long emitted;
    private @Nullable Consumer<BucketSet> checkpoint;
  }

  /** What one record of the stream carries to be recognised by when it comes back acknowledged. */
  public final class Entry implements Delivery {
    private final Segment segment;
    private final int bucket;
    private int awaited = 1;

    private Entry(Segment segment, int bucket) {
      this.segment = segment;
      this.bucket = bucket;
    }

    /** So many records share this entry, and it counts when the last of them is done with. */
    void awaits(int records) {
      awaited = records;
    }

    @Override
    public void acknowledged(boolean written) {
      AckTracker.this.acknowledged(this, written);
    }
  }

  private final Deque<Segment> segments = new ArrayDeque<>();
  private BucketSet buckets;

  /**
   * @param acknowledgedBuckets buckets known to stand in Connect's offsets already
   */
  public AckTracker(BucketSet acknowledgedBuckets) {
    buckets = acknowledgedBuckets;
    segments.add(new Segment());
  }

  /** Counts one record that is about to enter the buffer with the state of {@code bucket}. */
  synchronized Entry emit(int bucket) {
    Segment segment = segments.getLast();
    segment.outstanding++;
    segment.emitted++;
    return new Entry(segment, bucket);
  }

  /** Records emitted since the last {@link #close}. */
  synchronized long emittedSinceLastCheckpoint() {
    return segments.getLast().emitted;
  }

  /**
   * A fetch is complete: its checkpoint leaves as soon as nothing emitted until now is
   * unacknowledged.
   *
   * @param checkpoint builds its record once it may leave, from the buckets that have been
   *     acknowledged until then
   */
  synchronized void close(Consumer<BucketSet> checkpoint) {
    segments.getLast().checkpoint = checkpoint;
    segments.add(new Segment());
    releaseReady();
  }

  private synchronized void acknowledged(Entry entry, boolean written) {
    if (written) {
      buckets = buckets.with(entry.bucket);
    }
    if (--entry.awaited == 0) {
      entry.segment.outstanding--;
      releaseReady();
    }
  }

  // Under the lock, so that the checkpoints of two acknowledging threads cannot overtake each
  // other.
  private synchronized void releaseReady() {
    while (segments.size() > 1 && segments.getFirst().outstanding == 0) {
      Consumer<BucketSet> checkpoint = segments.removeFirst().checkpoint;
      if (checkpoint != null) {
        checkpoint.accept(buckets);
      }
    }
  }
}
