package io.posconnect.fetch;

import io.posconnect.metrics.StreamMetrics;
import io.posconnect.offset.StreamOffset;
import io.posconnect.record.Checkpoint;
import io.posconnect.resource.StreamSettings;
import org.jspecify.annotations.Nullable;

/**
 * Publishes complete fetches: a checkpoint carries the new position, and leaves once all that the
 * position vouches for is written.
 */
final class Checkpoints {

  private final StreamSettings settings;
  private final StreamOutput output;
  private final StreamMetrics metrics;
  private long lastNanos;
  private @Nullable StreamOffset last;

  Checkpoints(StreamSettings settings, StreamOutput output, StreamMetrics metrics) {
    this.settings = settings;
    this.output = output;
    this.metrics = metrics;
  }

  /**
   * A fetch is complete. Where nothing changed a checkpoint is published only now and then.
   *
   * @param written called once the checkpoint is acknowledged, on any thread
   */
  void publish(Fetch fetch, StreamOffset position, Runnable written, long now) {
    Checkpoint checkpoint = fetch.checkpoint(position.watermark(), output.numbering(), now);
    metrics.completed(
        checkpoint.received(),
        checkpoint.suppressed(),
        checkpoint.typeMismatches(),
        checkpoint.deadLetters(),
        checkpoint.duration());
    boolean late = now - lastNanos >= settings.checkpointInterval().toNanos();
    if (last != null && !late && !isNews(last, position)) {
      return;
    }
    last = position;
    lastNanos = now;
    output.checkpoint(checkpoint, position, written);
  }

  private boolean isNews(StreamOffset before, StreamOffset position) {
    boolean reconciled = !position.lastReconciliation().equals(before.lastReconciliation());
    return output.hasNews()
        || position.snapshotted() != before.snapshotted()
        // What is always read in full is reconciled by every fetch.
        || (reconciled && settings.resource().retrieval().filtered());
  }
}
