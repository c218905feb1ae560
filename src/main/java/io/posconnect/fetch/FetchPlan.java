package io.posconnect.fetch;

import io.posconnect.offset.StreamOffset;
import io.posconnect.resource.Resource;
import io.posconnect.resource.StreamSettings;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * Plans what a stream reads, and when: one for each cycle of a retrieval. Pure bookkeeping, no
 * input or output.
 *
 * <p>All times named nanos are of one monotonic clock; compare them by difference.
 */
interface FetchPlan {

  /** The plan of a stream that goes on there. */
  static FetchPlan of(StreamSettings settings, StreamOffset position, long nowNanos) {
    return switch (settings.resource().retrieval().cycle()) {
      case FULL_READS -> new FullPlan(settings.resource(), position, nowNanos);
      case CHANGES_SINCE -> new ModifiedSincePlan(settings, position, nowNanos);
      case WINDOWS -> new DateRangePlan(settings, position, nowNanos);
    };
  }

  /**
   * The fetch to go on with now, or empty when nothing is due. The same fetch comes back until it
   * is completed.
   *
   * @param serverNow the service's time now, estimated low
   */
  Optional<Fetch> next(long nowNanos, Instant serverNow);

  /** When {@link #next} will have something, at the latest. */
  long dueNanos(long nowNanos, Instant serverNow);

  /**
   * The fetch has read all it set out to read.
   *
   * @param began server time at which it began: what it vouches for is not later
   * @return whether a full pass over the resource ended with it
   */
  boolean completed(Fetch fetch, Instant began, long nowNanos);

  /**
   * A pass of the first full read has ended.
   *
   * @param again whether rows may have slipped between its requests, so that it is read once more
   *     at once
   */
  void snapshotRead(boolean again, long nowNanos);

  /** Another full pass is wanted at that time, to confirm what the last one missed. */
  void confirmAt(long nanos);

  /**
   * Nothing is left to confirm: the pass that just ended stands, and a first one ends the snapshot.
   */
  void passAccepted();

  /**
   * The fetch was too much for the service: asks for less at a time.
   *
   * @param serverNow the service's time now, at the latest
   * @return false when it cannot get smaller
   */
  boolean shrink(Fetch fetch, Instant serverNow);

  /** The fetch cannot go on from where it is: it starts again. */
  void restart(Fetch fetch);

  /** The reconciliation under way, beginning with the increment right before it. */
  Optional<Reconciliation> reconciliation();

  /** Whether another reconciliation is to follow, sooner or later. */
  boolean reconciles();

  /** Reconciliations no longer make sense: the digest does not know every key. */
  void stopReconciling();

  /** Where the stream stands. */
  StreamOffset position();

  /** The position after a reconciliation that began then. */
  static StreamOffset reconciled(StreamOffset position, Instant began) {
    // Before the first answer of a process its clock may be anything; what the increment at the
    // head of the reconciliation vouches for is known better.
    Instant watermark = position.watermark();
    return position.withLastReconciliation(began.isAfter(watermark) ? watermark : began);
  }

  /**
   * When the first reconciliation may begin: what increments returned of late is not remembered
   * after a start, and a list may be older than that.
   */
  static long reconcileFrom(Resource resource, StreamOffset position, long startNanos) {
    return position.snapshotted() ? startNanos + resource.lookback().toNanos() : startNanos;
  }

  /** Whether {@code interval} has passed since {@code last}; a zero interval never passes. */
  static boolean elapsed(Instant last, Duration interval, Instant now) {
    return !interval.isZero() && (last.equals(Instant.MIN) || !now.isBefore(last.plus(interval)));
  }
}
