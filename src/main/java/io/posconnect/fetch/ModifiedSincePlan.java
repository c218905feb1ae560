package io.posconnect.fetch;

import io.posconnect.offset.StreamOffset;
import io.posconnect.record.Provenance.FetchKind;
import io.posconnect.resource.StreamSettings;
import io.posconnect.resource.Window;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Plans a snapshot, then increments, and reconciliations at their interval: for resources that can
 * be filtered by their time of modification.
 */
final class ModifiedSincePlan extends IncrementalPlan {

  private Instant snapshotBegan = Instant.MIN;

  // The start of the latest complete increment.
  private Instant incrementBegan = Instant.MIN;
  private Instant reconciledAt = Instant.MIN;

  ModifiedSincePlan(StreamSettings settings, StreamOffset position, long nowNanos) {
    super(settings, position, nowNanos);
  }

  @Override
  boolean isBehind() {
    return !position.snapshotted();
  }

  @Override
  Fetch catchUp() {
    return full != null ? full : new Fetch(FetchKind.SNAPSHOT, Window.ALL, resource, null);
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
  public void completed(Fetch fetch, Instant began, long nowNanos) {
    if (fetch == increment) {
      incrementCompleted(fetch);
      position = position.withWatermark(proven(began));
      incrementBegan = began;
      return;
    }
    full = null;
    confirms = false;
    if (reconciliation != null) {
      // Another read of the list begins with an increment of its own.
      reconciledAt = reconciliation.began();
      reconciliation = null;
    }
    if (fetch.kind() == FetchKind.SNAPSHOT) {
      // Increments read what changed since the first pass began.
      snapshotBegan = snapshotBegan.equals(Instant.MIN) ? began : snapshotBegan;
      position = position.withWatermark(snapshotBegan);
      nextIncrementNanos = nowNanos;
    }
  }

  /**
   * The time up to which every row was shown. An increment whose rows move between its pages may
   * miss some, so the next one reads the same time again.
   */
  private Instant proven(Instant began) {
    if (!resource.retrieval().shiftingIncrements()) {
      return began;
    }
    Instant before = position.watermark();
    return incrementBegan.isAfter(before) ? incrementBegan : before;
  }

  @Override
  public void snapshotRead(boolean again, long nowNanos) {
    if (!again) {
      position = position.withSnapshotCompleted(snapshotBegan);
    }
  }

  @Override
  public void passAccepted() {
    if (!reconciledAt.equals(Instant.MIN)) {
      reconciled(reconciledAt);
    }
  }

  @Override
  public void restart(Fetch fetch) {
    if (fetch == increment) {
      increment = newIncrement(reconciliation);
    } else {
      full = null;
    }
  }
}
