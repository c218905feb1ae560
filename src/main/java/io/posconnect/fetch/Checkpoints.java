package io.posconnect.fetch;

import io.posconnect.change.Digest;
import io.posconnect.metrics.StreamMetrics;
import io.posconnect.offset.StreamOffset;
import io.posconnect.record.Checkpoint;
import io.posconnect.resource.StreamSettings;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Publishes complete fetches: a checkpoint carries the new position, and leaves once all that the
 * position vouches for is written.
 */
final class Checkpoints {

  private static final Logger log = LoggerFactory.getLogger(Checkpoints.class);

  /**
   * Keys that need not be remembered once a checkpoint is written.
   *
   * @param before the digest's tick since which they were not seen
   * @param unseen whether those are among them that were not seen since the start at all
   */
  record ForgottenKeys(long before, boolean unseen) {

    static final ForgottenKeys NONE = new ForgottenKeys(0, false);

    // Keys that were restored carry a smaller tick until they are seen.
    private static final long FIRST_TICK = 1;

    private int forget(Digest digest) {
      return unseen ? digest.forget(before) : digest.forget(FIRST_TICK, before);
    }
  }

  private final StreamSettings settings;
  private final Digest digest;
  private final StreamOutput output;
  private final StreamMetrics metrics;
  private final Queue<ForgottenKeys> acknowledged = new ConcurrentLinkedQueue<>();
  private long lastNanos;
  private @Nullable StreamOffset last;

  Checkpoints(StreamSettings settings, Digest digest, StreamOutput output, StreamMetrics metrics) {
    this.settings = settings;
    this.digest = digest;
    this.output = output;
    this.metrics = metrics;
  }

  /** Drops the keys that an acknowledged checkpoint allows to drop. */
  void forgetAcknowledged() {
    for (ForgottenKeys keys = acknowledged.poll(); keys != null; keys = acknowledged.poll()) {
      log.debug("{}: forgot {} keys", settings.stream(), keys.forget(digest));
    }
  }

  /**
   * A fetch is complete. Where nothing changed a checkpoint is published only now and then.
   *
   * @param forget what need not be remembered once this is written
   */
  void publish(Fetch fetch, StreamOffset position, ForgottenKeys forget, long now) {
    boolean late = now - lastNanos >= settings.checkpointInterval().toNanos();
    if (last != null && !late && !isNews(last, position)) {
      return;
    }
    last = position;
    lastNanos = now;
    Checkpoint checkpoint = fetch.checkpoint(position.watermark(), now);
    metrics.completed(
        checkpoint.received(),
        checkpoint.suppressed(),
        checkpoint.typeMismatches(),
        checkpoint.deadLetters(),
        checkpoint.duration());
    output.checkpoint(checkpoint, position, () -> acknowledged(forget));
  }

  private boolean isNews(StreamOffset before, StreamOffset position) {
    boolean reconciled = !position.lastReconciliation().equals(before.lastReconciliation());
    return output.hasNews()
        || position.snapshotted() != before.snapshotted()
        // What is always read in full is reconciled by every fetch.
        || (reconciled && settings.resource().retrieval().filtered());
  }

  private void acknowledged(ForgottenKeys forget) {
    if (forget.before() > 0) {
      acknowledged.add(forget);
    }
  }
}
