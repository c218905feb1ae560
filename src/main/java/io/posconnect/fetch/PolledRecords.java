package io.posconnect.fetch;

import io.posconnect.record.TrackedRecord;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.connect.source.SourceRecord;
import org.jspecify.annotations.Nullable;

/**
 * Tracks the records that {@code poll()} returned until Connect is done with each of them, and
 * detects the ones that a transform dropped.
 *
 * <p>Connect acknowledges a dropped record too: at once under at-least-once, but only with the next
 * transaction under exactly-once, and a batch that is dropped whole opens none. Without more, its
 * stream would wait for ever: no checkpoint, and no position.
 *
 * <p>Under exactly-once Connect calls {@code commit()} on the polling thread whenever it has
 * committed, or found nothing to commit. By then every record that it has written is acknowledged.
 * So an earlier batch is proved dropped as far as it is unacknowledged. The latest batch is not,
 * since a pause can commit in the middle of it. Under at-least-once {@code commit()} comes on
 * another thread while records are still on their way, and proves nothing.
 */
public class PolledRecords {

  private final List<SourceRecord> earlier = new ArrayList<>();
  private List<SourceRecord> latest = List.of();
  private volatile @Nullable Thread poller;

  /** The calling thread, which polls, is about to return that batch. */
  public synchronized void add(List<SourceRecord> batch) {
    poller = Thread.currentThread();
    earlier.addAll(latest);
    earlier.removeIf(record -> record instanceof TrackedRecord tracked && tracked.isDone());
    latest = batch;
  }

  /**
   * Returns whether the calling thread is the one that polls. Under exactly-once no other
   * acknowledges what was written.
   */
  public boolean isPolling() {
    return Thread.currentThread() == poller;
  }

  /**
   * Connect is done with a record; by any thread. One that was found to be dropped may come again.
   *
   * @param written whether its offset is, or will be, committed
   */
  public void acknowledged(SourceRecord record, boolean written) {
    if (record instanceof TrackedRecord tracked) {
      tracked.acknowledged(written);
    }
  }

  /** Connect has committed, or found nothing to commit; on the polling thread or another. */
  public void committed() {
    // Not under the lock: what follows takes those of the buffer and of the stream.
    dropped().forEach(record -> acknowledged(record, false));
  }

  private synchronized List<SourceRecord> dropped() {
    if (!isPolling()) {
      return List.of();
    }
    List<SourceRecord> dropped = List.copyOf(earlier);
    earlier.clear();
    return dropped;
  }
}
