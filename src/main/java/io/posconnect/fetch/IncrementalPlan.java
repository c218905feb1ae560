package io.posconnect.fetch;

import io.posconnect.offset.StreamOffset;
import io.posconnect.resource.StreamSettings;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Plans increments at their interval, and beside them reconciliations: each begins with an
 * increment of its own, and takes turns with those that follow until its list was read.
 */
abstract class IncrementalPlan extends FetchPlan {

  final StreamSettings settings;
  long nextIncrementNanos;
  final long reconcileFromNanos;

  // When a reconciliation is due that was asked for.
  @Nullable Long confirmNanos;

  // From its first request until it is complete.
  @Nullable Fetch increment;

  // Of the list; also of a snapshot.
  @Nullable Fetch full;

  // From the request of the increment at its head until its list was read.
  @Nullable Reconciliation reconciliation;

  // The turn of increments and full reads, which follow one another.
  private boolean incrementWasLast;

  IncrementalPlan(StreamSettings settings, StreamOffset position, long nowNanos) {
    super(settings.resource(), position);
    this.settings = settings;
    this.nextIncrementNanos = nowNanos;
    // After a start it is unknown which keys increments returned of late, and a list may be older.
    reconcileFromNanos =
        position.snapshotted() ? nowNanos + resource.lookback().toNanos() : nowNanos;
  }

  /** The fetch that is due while the stream has not read up to the present yet. */
  abstract Optional<Fetch> catchUp();

  /** A new increment, beside that reconciliation if any. */
  abstract Fetch newIncrement(@Nullable Reconciliation beside);

  /** The next fetch of the reconciliation's list. */
  abstract Fetch newFull(Reconciliation running, Instant serverNow);

  @Override
  Optional<Fetch> next(long nowNanos, Instant serverNow) {
    if (increment != null) {
      return Optional.of(increment);
    }
    Optional<Fetch> behind = catchUp();
    if (behind.isPresent()) {
      return behind;
    }
    if (reconciliation == null && reconcileNanos(nowNanos, serverNow) - nowNanos <= 0) {
      return Optional.of(newIncrement(new Reconciliation(serverNow)));
    }
    // An increment that is due at once again must not keep a reconciliation from its list.
    if (nextIncrementNanos - nowNanos <= 0 && !(reconciliation != null && incrementWasLast)) {
      return Optional.of(newIncrement(reconciliation));
    }
    if (reconciliation != null) {
      return Optional.of(full != null ? full : newFull(reconciliation, serverNow));
    }
    return Optional.empty();
  }

  /**
   * When the next reconciliation is due: when it was asked for, or once the interval has passed
   * since the last one, or until it, since a clock that was set back must not put it off.
   */
  private long reconcileNanos(long nowNanos, Instant serverNow) {
    if (reconcileFromNanos - nowNanos > 0) {
      return reconcileFromNanos;
    }
    if (confirmNanos != null) {
      return confirmNanos;
    }
    Duration interval = settings.reconciliationInterval();
    if (interval.isZero()) {
      return nowNanos + NEVER_NANOS;
    }
    Duration since = Duration.between(position.lastReconciliation(), serverNow).abs();
    return since.compareTo(interval) < 0 ? nowNanos + interval.minus(since).toNanos() : nowNanos;
  }

  @Override
  void confirmAt(long nanos) {
    confirmNanos = nanos;
  }

  @Override
  void sent(Fetch fetch) {
    incrementWasLast = !fetch.isPass();
    if (incrementWasLast) {
      increment = fetch;
      reconciliation = fetch.reconciliation().orElse(null);
    } else {
      full = fetch;
    }
  }

  @Override
  long dueNanos(long nowNanos, Instant serverNow) {
    long reconcile = reconcileNanos(nowNanos, serverNow);
    return reconcile - nextIncrementNanos < 0 ? reconcile : nextIncrementNanos;
  }

  /**
   * Records an increment that was read to its end; the next one follows at the interval.
   *
   * @param began server time at which it began
   */
  void incrementCompleted(Fetch completed, Instant began) {
    increment = null;
    nextIncrementNanos = completed.started().nanos() + resource.pollInterval().toNanos();
    if (position.snapshotted() && began.isBefore(position.watermark().minus(resource.lookback()))) {
      // The service's clock was set back. What has changed since then, while nothing was read, may
      // have a time that no increment asks for.
      position = position.withLastReconciliation(StreamOffset.NEVER);
    }
  }

  @Override
  void passAccepted(Fetch pass) {
    // Before the first answer of a process its clock may be wrong; the watermark of the increment
    // at the head of the reconciliation is known better.
    Instant watermark = position.watermark();
    Optional<Instant> began = pass.reconciliation().map(Reconciliation::began);
    began.ifPresent(
        at -> position = position.withLastReconciliation(at.isAfter(watermark) ? watermark : at));
  }
}
