package io.posconnect.fetch;

import io.posconnect.offset.BucketSet;
import io.posconnect.offset.LazyOffset;
import io.posconnect.offset.StreamOffset;
import io.posconnect.offset.StreamOffset.SnapshotState;
import io.posconnect.offset.StreamPartition;
import io.posconnect.record.Checkpoint;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.apache.kafka.connect.source.SourceRecord;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells of complete fetches: a checkpoint carries the new position, and leaves once all that the
 * position vouches for is written.
 */
final class Checkpoints {

  private static final Logger log = LoggerFactory.getLogger(Checkpoints.class);

  private final StreamParts parts;
  private final Ownership ownership;
  private final Map<String, String> partition;
  private final Queue<ForgottenKeys> outgrown = new ConcurrentLinkedQueue<>();
  private long lastNanos;
  private Progress told = Progress.NONE;

  Checkpoints(StreamParts parts, Ownership ownership) {
    this.parts = parts;
    this.ownership = ownership;
    partition = StreamPartition.position(parts.stream()).toMap();
  }

  /** Drops the keys that an acknowledged checkpoint allows to drop. */
  void forgetAcknowledged() {
    for (ForgottenKeys each = outgrown.poll(); each != null; each = outgrown.poll()) {
      int forgotten = each.forget(parts.digest());
      log.debug("{}: forgot {} keys", parts.stream(), forgotten);
    }
  }

  /**
   * A fetch is complete. What brings no news is told only now and then.
   *
   * @param full whether the digest holds all keys
   * @param forget what need not be remembered once this is written
   */
  void tell(Fetch fetch, Progress progress, boolean full, ForgottenKeys forget, long now) {
    boolean news =
        parts.ackTracker().emittedSinceLastCheckpoint() > 0
            || progress.snapshotted() != told.snapshotted()
            || (!progress.swept().equals(told.swept()) && parts.resource().retrieval().filtered());
    boolean late = now - lastNanos >= parts.settings().checkpointInterval().toNanos();
    if (!news && !late && !told.equals(Progress.NONE)) {
      return;
    }
    told = progress;
    lastNanos = now;
    Checkpoint checkpoint = checkpoint(fetch, progress, now);
    parts.listener().completed(parts.stream(), checkpoint);
    parts.ackTracker().close(buckets -> release(checkpoint, progress, full, buckets, forget));
  }

  private Checkpoint checkpoint(Fetch fetch, Progress progress, long now) {
    Fetch.Counts counts = fetch.counts();
    return new Checkpoint(
        fetch.kind(),
        fetch.window(),
        progress.watermark(),
        counts.rows,
        counts.created,
        counts.updated,
        counts.deleted,
        counts.suppressed,
        counts.typeMismatches,
        counts.deadLetters,
        counts.requests,
        counts.retries,
        Duration.ofNanos(now - fetch.startedNanos()));
  }

  private void release(
      Checkpoint checkpoint,
      Progress progress,
      boolean full,
      BucketSet buckets,
      ForgottenKeys forget) {
    StreamOffset position =
        parts
            .resumed()
            .withWatermark(progress.watermark())
            .withSnapshot(
                progress.snapshotted() ? SnapshotState.COMPLETED : SnapshotState.RUNNING,
                parts.resumed().snapshotId())
            .withLastReconciliation(progress.swept())
            .withBuckets(parts.digest().buckets(), buckets)
            .withIdentity(ownership.known());
    Map<String, Object> offset =
        (full
                ? position.withFullRetention()
                : position.withWindowRetention(parts.settings().digestMaxKeys()))
            .toMap();
    SourceRecord record =
        parts
            .records()
            .checkpoint(
                checkpoint,
                partition,
                new LazyOffset<Delivery>(written -> acknowledged(written, forget), () -> offset));
    parts.buffer().putNow(new Buffer.Unit(List.of(record), 0));
  }

  private void acknowledged(boolean written, ForgottenKeys forget) {
    if (written) {
      if (forget.before() > 0) {
        outgrown.add(forget);
      }
    } else {
      parts
          .buffer()
          .fail(
              new FatalException(
                  parts.stream()
                      + ": a transform or errors.tolerance dropped a checkpoint, so the position would"
                      + " never move again. Exempt the checkpoints topic from the transform with the"
                      + " predicate org.apache.kafka.connect.transforms.predicates.TopicNameMatches"
                      + " and negate=true"));
    }
  }
}
