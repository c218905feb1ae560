package io.posconnect.fetch;

import io.posconnect.offset.StreamOffset;
import io.posconnect.record.Provenance.FetchKind;
import io.posconnect.resource.Counts;
import io.posconnect.resource.Counts.Count;
import io.posconnect.resource.StreamSettings;
import io.posconnect.resource.Window;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Plans a snapshot, then increments, and reconciliations at their interval: for resources that can
 * be filtered by their time of modification.
 */
final class ModifiedSincePlan extends IncrementalPlan {

  // A service that changes all the time must not keep the position from moving.
  private static final int MOST_READS = 4;

  private Instant snapshotBegan = Instant.MIN;

  // The increments that have read the time since the watermark: when the first of them began.
  private Instant readBegan = Instant.MIN;
  private int reads;

  // Of the list that was read last, whether or not that was accepted; never without an interval.
  private long intervalEndsNanos;

  ModifiedSincePlan(StreamSettings settings, StreamOffset position, long nowNanos) {
    super(settings, position, nowNanos);
    intervalEndsNanos = nowNanos + NEVER_NANOS;
  }

  @Override
  Optional<Fetch> catchUp() {
    if (position.snapshotted()) {
      return Optional.empty();
    }
    return Optional.of(
        full != null ? full : new Fetch(FetchKind.SNAPSHOT, Window.ALL, resource, null));
  }

  @Override
  Fetch newIncrement(@Nullable Reconciliation beside) {
    Window window = Window.since(position.watermark().minus(resource.lookback()));
    return new Fetch(FetchKind.INCREMENT, window, resource, beside);
  }

  @Override
  Fetch newFull(Reconciliation running, Instant serverNow) {
    return new Fetch(FetchKind.RECONCILIATION, Window.ALL, resource, running);
  }

  @Override
  void completed(Fetch fetch, Instant began, long nowNanos) {
    if (fetch == increment) {
      incrementCompleted(fetch, began);
      position = position.withWatermark(proven(fetch, began));
      return;
    }
    full = null;
    confirmNanos = null;
    Duration interval = settings.reconciliationInterval();
    intervalEndsNanos =
        interval.isZero() ? nowNanos + NEVER_NANOS : fetch.started().nanos() + interval.toNanos();
    // Another read of the list begins with an increment of its own.
    reconciliation = null;
    if (fetch.kind() == FetchKind.SNAPSHOT) {
      // Increments read what changed since the first pass began.
      snapshotBegan = snapshotBegan.equals(Instant.MIN) ? began : snapshotBegan;
      position = position.withWatermark(snapshotBegan);
      nextIncrementNanos = nowNanos;
    }
  }

  /**
   * The time up to which every row was shown. An increment whose rows move between its pages may
   * miss some: the same time is read until an increment brings nothing new, as a snapshot is.
   */
  private Instant proven(Fetch read, Instant began) {
    if (!resource.retrieval().shiftingIncrements()) {
      return began;
    }
    Instant proven = position.watermark();
    if (began.isBefore(proven)) { // The service's clock was set back: nothing later is proven.
      readBegan = began;
      reads = 1;
      return began;
    }
    Counts counts = read.counts();
    boolean hasNews =
        counts.get(Count.READ) + counts.get(Count.CREATED) + counts.get(Count.UPDATED) > 0;
    boolean isRead = readBegan.isAfter(proven);
    if (isRead && hasNews && ++reads < MOST_READS) {
      return proven;
    }
    proven = isRead ? readBegan : proven;
    readBegan = began;
    reads = 1;
    return proven;
  }

  @Override
  void confirmAt(long nanos) {
    // Keys that wait must not keep the changes and deletes of others waiting.
    super.confirmAt(nanos - intervalEndsNanos > 0 ? intervalEndsNanos : nanos);
  }

  @Override
  void restart(Fetch fetch) {
    if (fetch == increment) {
      increment = newIncrement(reconciliation);
    } else {
      full = null;
    }
  }
}
