package io.posconnect.fetch;

import io.posconnect.record.Provenance.FetchKind;
import java.time.Instant;
import java.util.Optional;

/** An plan that can be asked what it gave out last, and changed in single answers. */
class WatchedPlan implements FetchPlan {

  private final FetchPlan plan;
  private Optional<Fetch> latest = Optional.empty();

  WatchedPlan(FetchPlan plan) {
    this.plan = plan;
  }

  /** Whether the latest fetch is of that kind. */
  final boolean reads(FetchKind kind) {
    return latest.isPresent() && latest.get().kind() == kind;
  }

  /** Whether the latest fetch ends at a given time. */
  final boolean isBounded() {
    return latest.isPresent() && latest.get().window().hasTo();
  }

  /** When the latest fetch began. */
  final long startedNanos() {
    return latest.orElseThrow().startedNanos();
  }

  @Override
  public Optional<Fetch> next(long nowNanos, Instant serverNow) {
    latest = plan.next(nowNanos, serverNow);
    return latest;
  }

  @Override
  public long dueNanos(long nowNanos, Instant serverNow) {
    return plan.dueNanos(nowNanos, serverNow);
  }

  @Override
  public boolean completed(Fetch fetch, Instant began, long nowNanos) {
    return plan.completed(fetch, began, nowNanos);
  }

  @Override
  public void confirmAt(long nanos) {
    plan.confirmAt(nanos);
  }

  @Override
  public void passAccepted() {
    plan.passAccepted();
  }

  @Override
  public boolean shrink(Fetch fetch, Instant serverNow) {
    return plan.shrink(fetch, serverNow);
  }

  @Override
  public void restart(Fetch fetch) {
    plan.restart(fetch);
  }

  @Override
  public Optional<Reconciliation> reconciliation() {
    return plan.reconciliation();
  }

  @Override
  public void stopReconciling() {
    plan.stopReconciling();
  }

  @Override
  public Progress progress() {
    return plan.progress();
  }
}
