package io.posconnect.fetch;

import io.posconnect.offset.BucketSet;
import io.posconnect.offset.LazyOffset;
import io.posconnect.offset.StreamOffset;
import io.posconnect.offset.StreamOffset.SnapshotState;
import io.posconnect.offset.StreamPartition;
import io.posconnect.record.Receipt;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.apache.kafka.connect.source.SourceRecord;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells of complete fetches: a receipt carries the new position, and leaves once all that the
 * position vouches for is written.
 */
final class Receipts {

  private static final Logger log = LoggerFactory.getLogger(Receipts.class);

  private final StreamParts parts;
  private final Ownership ownership;
  private final Map<String, String> partition;
  private final Queue<Outgrown> outgrown = new ConcurrentLinkedQueue<>();
  private long lastNanos;
  private Progress told = Progress.NONE;

  Receipts(StreamParts parts, Ownership ownership) {
    this.parts = parts;
    this.ownership = ownership;
    partition = StreamPartition.position(parts.stream()).toMap();
  }

  /** Drops the keys that an acknowledged receipt allows to drop. */
  void forgetAcknowledged() {
    for (Outgrown each = outgrown.poll(); each != null; each = outgrown.poll()) {
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
  void tell(Fetch fetch, Progress progress, boolean full, Outgrown forget, long now) {
    boolean news =
        parts.ledger().emittedSinceLastReceipt() > 0
            || progress.snapshotted() != told.snapshotted()
            || (!progress.swept().equals(told.swept()) && parts.resource().retrieval().filtered());
    boolean late = now - lastNanos >= parts.settings().receiptsInterval().toNanos();
    if (!news && !late && !told.equals(Progress.NONE)) {
      return;
    }
    told = progress;
    lastNanos = now;
    Receipt receipt = receipt(fetch, progress, now);
    parts.listener().completed(parts.stream(), receipt);
    parts.ledger().close(buckets -> release(receipt, progress, full, buckets, forget));
  }

  private Receipt receipt(Fetch fetch, Progress progress, long now) {
    Fetch.Counts counts = fetch.counts();
    return new Receipt(
        fetch.kind(),
        fetch.window(),
        progress.watermark(),
        counts.rows,
        counts.created,
        counts.updated,
        counts.deleted,
        counts.suppressed,
        counts.misfits,
        counts.deadLetters,
        counts.requests,
        counts.retries,
        Duration.ofNanos(now - fetch.startedNanos()));
  }

  private void release(
      Receipt receipt, Progress progress, boolean full, BucketSet buckets, Outgrown forget) {
    StreamOffset position =
        parts
            .resumed()
            .withWatermark(progress.watermark())
            .withSnapshot(
                progress.snapshotted() ? SnapshotState.COMPLETED : SnapshotState.RUNNING,
                parts.resumed().snapshotId())
            .withLastSweep(progress.swept())
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
            .receipt(
                receipt,
                partition,
                new LazyOffset<Delivery>(written -> acknowledged(written, forget), () -> offset));
    parts.buffer().putNow(new Buffer.Unit(List.of(record), 0));
  }

  private void acknowledged(boolean written, Outgrown forget) {
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
                      + ": a transform or errors.tolerance dropped a receipt, so the position would"
                      + " never move again. Exempt the receipts topic from the transform with the"
                      + " predicate org.apache.kafka.connect.transforms.predicates.TopicNameMatches"
                      + " and negate=true"));
    }
  }
}
