package io.posconnect.fetch;

import io.posconnect.record.Provenance.FetchKind;
import io.posconnect.resource.Resource;
import io.posconnect.resource.Window;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Everything, again and again: for resources without a filter. */
final class FullPlan implements FetchPlan {

  private final Resource resource;
  private Progress progress;
  private long nextNanos;
  private @Nullable Fetch fetch;

  FullPlan(Resource resource, Progress progress, long nowNanos) {
    this.resource = resource;
    this.progress = progress;
    this.nextNanos = nowNanos;
  }

  @Override
  public Optional<Fetch> next(long nowNanos, Instant serverNow) {
    if (fetch == null && nextNanos - nowNanos <= 0) {
      fetch = newFetch();
    }
    return Optional.ofNullable(fetch);
  }

  private Fetch newFetch() {
    FetchKind kind = progress.snapshotted() ? FetchKind.RECONCILIATION : FetchKind.SNAPSHOT;
    return new Fetch(kind, Window.ALL, resource.retrieval(), resource.path());
  }

  @Override
  public long dueNanos(long nowNanos, Instant serverNow) {
    return fetch == null ? nextNanos : nowNanos;
  }

  @Override
  public boolean completed(Fetch completed, Instant began, long nowNanos) {
    nextNanos = completed.startedNanos() + resource.pollInterval().toNanos();
    progress = new Progress(began, progress.snapshotted(), began);
    fetch = null;
    return true;
  }

  @Override
  public void confirmAt(long nanos) {
    if (nanos - nextNanos < 0) {
      nextNanos = nanos;
    }
  }

  @Override
  public void passAccepted() {
    // Not before: what a second pass over the first list confirms is still state rather than
    // change.
    progress = progress.withSnapshot(progress.swept());
  }

  @Override
  public boolean shrink(Fetch tooMuch, Instant serverNow) {
    return false;
  }

  @Override
  public void restart(Fetch broken) {
    fetch = newFetch();
  }

  @Override
  public Optional<Reconciliation> reconciliation() {
    return Optional.empty();
  }

  @Override
  public void stopReconciling() {
    // There is no other way to read such a resource; the fetcher refuses to go on.
  }

  @Override
  public Progress progress() {
    return progress;
  }
}
