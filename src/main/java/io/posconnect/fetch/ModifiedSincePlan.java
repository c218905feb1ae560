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
  private boolean incrementWasLast;
  private boolean confirmWanted;
  private long confirmNanos;
  private @Nullable Fetch increment;
  private @Nullable Fetch full;
  private @Nullable Reconciliation reconciliation;

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
      return Optional.of(fullRead(FetchKind.SNAPSHOT));
    }
    if (increment != null) {
      return Optional.of(increment);
    }
    if (reconciliation == null && reconciliationIsDue(nowNanos, serverNow)) {
      reconciliation = new Reconciliation(serverNow);
      return Optional.of(newIncrement());
    }
    // A poll interval shorter than the limiter's spacing must not keep a reconciliation from its
    // pages.
    boolean reconciliationGoesOn = reconciliationGoesOn(nowNanos);
    if (nextIncrementNanos - nowNanos <= 0 && !(reconciliationGoesOn && incrementWasLast)) {
      return Optional.of(newIncrement());
    }
    if (reconciliationGoesOn) {
      incrementWasLast = false;
      return Optional.of(fullRead(FetchKind.RECONCILIATION));
    }
    return Optional.empty();
  }

  private boolean reconciliationGoesOn(long nowNanos) {
    return reconciliation != null && (!confirmWanted || confirmNanos - nowNanos <= 0);
  }

  private boolean reconciliationIsDue(long nowNanos, Instant serverNow) {
    return confirmWanted
        ? confirmNanos - nowNanos <= 0
        : reconcileFromNanos - nowNanos <= 0
            && FetchPlan.elapsed(position.lastReconciliation(), reconcileInterval, serverNow);
  }

  private Fetch newIncrement() {
    Window window = Window.since(position.watermark().minus(resource.lookback()));
    increment = new Fetch(FetchKind.INCREMENT, window, resource, reconciliation);
    return increment;
  }

  private Fetch fullRead(FetchKind kind) {
    if (full == null) {
      full = new Fetch(kind, Window.ALL, resource, reconciliation);
    }
    return full;
  }

  @Override
  public long dueNanos(long nowNanos, Instant serverNow) {
    if (!position.snapshotted() || increment != null || reconciliationGoesOn(nowNanos)) {
      return nowNanos;
    }
    if (reconciliation == null && reconciliationIsDue(nowNanos, serverNow)) {
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
      incrementWasLast = true;
      position = position.withWatermark(began);
      nextIncrementNanos = fetch.startedNanos() + resource.pollInterval().toNanos();
      return;
    }
    full = null;
    confirmWanted = false;
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
    if (reconciliation != null) {
      position = FetchPlan.reconciled(position, reconciliation.began());
      reconciliation = null;
    }
  }

  @Override
  public boolean shrink(Fetch fetch, Instant serverNow) {
    return false;
  }

  @Override
  public void restart(Fetch fetch) {
    if (fetch == increment) {
      newIncrement();
    } else {
      full = null;
    }
  }

  @Override
  public StreamOffset position() {
    return position;
  }
}
