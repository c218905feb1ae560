package io.posconnect.fetch;

import io.posconnect.offset.LazyOffset;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
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

  // By identity, since records compare all that is in them.
  private final Set<SourceRecord> latest = Collections.newSetFromMap(new IdentityHashMap<>());
  private final Set<SourceRecord> earlier = Collections.newSetFromMap(new IdentityHashMap<>());
  private @Nullable Thread poller;

  /** The calling thread, which polls, is about to return that batch. */
  public synchronized void add(List<SourceRecord> batch) {
    poller = Thread.currentThread();
    earlier.addAll(latest);
    latest.clear();
    latest.addAll(batch);
  }

  /**
   * Connect is done with a record; by any thread. One that was found to be dropped may come again.
   *
   * @param written whether its offset is, or will be, committed
   */
  public void acknowledged(SourceRecord record, boolean written) {
    if (remove(record)) {
      release(record, written);
    }
  }

  private synchronized boolean remove(SourceRecord record) {
    return latest.remove(record) || earlier.remove(record);
  }

  /** Connect has committed, or found nothing to commit; on the polling thread or another. */
  public void committed() {
    // Not under the lock: what follows takes those of the buffer and of the stream.
    dropped().forEach(record -> release(record, false));
  }

  private synchronized List<SourceRecord> dropped() {
    if (Thread.currentThread() != poller) {
      return List.of();
    }
    List<SourceRecord> dropped = List.copyOf(earlier);
    earlier.clear();
    return dropped;
  }

  private static void release(SourceRecord record, boolean written) {
    if (record.sourceOffset() instanceof LazyOffset offset) {
      offset.acknowledged(written);
    }
  }
}
