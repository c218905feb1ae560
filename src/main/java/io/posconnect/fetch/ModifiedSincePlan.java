package io.posconnect.fetch;

import io.posconnect.offset.StreamOffset;
import io.posconnect.record.Provenance.FetchKind;
import io.posconnect.resource.Resource;
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
final class ModifiedSincePlan implements FetchPlan {

  private final Resource resource;
  private final Duration reconcileInterval;
  private StreamOffset position;
  private long nextIncrementNanos;
  private final long reconcileFromNanos;
  private Instant snapshotBegan = Instant.MIN;
  private boolean confirmWanted;
  private long confirmNanos;
  private @Nullable Fetch increment;
  private @Nullable Fetch full;

  // From the request of the increment at its head until its list was read.
  private @Nullable Reconciliation reconciliation;
  private Instant reconciledAt = Instant.MIN;

  // The turn of increments and full reads, which follow one another.
  private boolean incrementWasLast;

  ModifiedSincePlan(StreamSettings settings, StreamOffset position, long nowNanos) {
    this.resource = settings.resource();
    this.reconcileInterval = settings.reconcileInterval();
    this.position = position;
    this.nextIncrementNanos = nowNanos;
    this.reconcileFromNanos = FetchPlan.reconcileFrom(resource, position, nowNanos);
  }

  @Override
  public Optional<Fetch> next(long nowNanos, Instant serverNow) {
    if (!position.snapshotted()) {
      return Optional.of(full != null ? full : fullRead(FetchKind.SNAPSHOT));
    }
    if (increment != null) {
      return Optional.of(increment);
    }
    if (reconciliation == null && reconciliationIsDue(nowNanos, serverNow)) {
      return Optional.of(newIncrement(new Reconciliation(serverNow)));
    }
    // An increment that is due at once again must not keep a reconciliation from its list.
    if (nextIncrementNanos - nowNanos <= 0 && !(reconciliation != null && incrementWasLast)) {
      return Optional.of(newIncrement(reconciliation));
    }
    if (reconciliation != null) {
      return Optional.of(full != null ? full : fullRead(FetchKind.RECONCILIATION));
    }
    return Optional.empty();
  }

  @Override
  public void sent(Fetch fetch) {
    incrementWasLast = fetch.kind() == FetchKind.INCREMENT;
    if (incrementWasLast) {
      increment = fetch;
      reconciliation = fetch.reconciliation().orElse(null);
    } else {
      full = fetch;
    }
  }

  private boolean reconciliationIsDue(long nowNanos, Instant serverNow) {
    return confirmWanted
        ? confirmNanos - nowNanos <= 0
        : reconcileFromNanos - nowNanos <= 0
            && FetchPlan.elapsed(position.lastReconciliation(), reconcileInterval, serverNow);
  }

  private Fetch newIncrement(@Nullable Reconciliation beside) {
    Window window = Window.since(position.watermark().minus(resource.lookback()));
    return new Fetch(FetchKind.INCREMENT, window, resource, beside);
  }

  private Fetch fullRead(FetchKind kind) {
    return new Fetch(kind, Window.ALL, resource, reconciliation);
  }

  @Override
  public long dueNanos(long nowNanos, Instant serverNow) {
    if (!position.snapshotted()
        || increment != null
        || reconciliation != null
        || reconciliationIsDue(nowNanos, serverNow)) {
      return nowNanos;
    }
    return confirmWanted && confirmNanos - nextIncrementNanos < 0
        ? confirmNanos
        : nextIncrementNanos;
  }

  @Override
  public void completed(Fetch fetch, Instant began, long nowNanos) {
    if (fetch == increment) {
      increment = null;
      position = position.withWatermark(began);
      nextIncrementNanos = fetch.startedNanos() + resource.pollInterval().toNanos();
      return;
    }
    full = null;
    confirmWanted = false;
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

  @Override
  public void snapshotRead(boolean again, long nowNanos) {
    if (!again) {
      position = position.withSnapshotCompleted(snapshotBegan);
    }
  }

  @Override
  public void confirmAt(long nanos) {
    confirmWanted = true;
    confirmNanos = nanos;
  }

  @Override
  public void passAccepted() {
    if (!reconciledAt.equals(Instant.MIN)) {
      position = FetchPlan.reconciled(position, reconciledAt);
    }
  }

  @Override
  public boolean shrink(Fetch fetch) {
    return false;
  }

  @Override
  public void restart(Fetch fetch) {
    if (fetch == increment) {
      increment = newIncrement(reconciliation);
    } else {
      full = null;
    }
  }

  @Override
  public StreamOffset position() {
    return position;
  }
}
