package io.posconnect.fetch;

import io.posconnect.offset.StreamOffset;
import io.posconnect.record.Provenance.FetchKind;
import io.posconnect.resource.Resource;
import io.posconnect.resource.Window;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Plans full reads, one after another: for resources without a filter. */
final class FullPlan extends FetchPlan {

  private long nextNanos;
  private @Nullable Fetch fetch;

  FullPlan(Resource resource, StreamOffset position, long nowNanos) {
    super(resource, position);
    this.nextNanos = nowNanos;
  }

  @Override
  Optional<Fetch> next(long nowNanos, Instant serverNow) {
    boolean isDue = fetch == null && nextNanos - nowNanos <= 0;
    return isDue ? Optional.of(newFetch()) : Optional.ofNullable(fetch);
  }

  @Override
  void sent(Fetch begun) {
    fetch = begun;
  }

  private Fetch newFetch() {
    FetchKind kind = position.snapshotted() ? FetchKind.RECONCILIATION : FetchKind.SNAPSHOT;
    return new Fetch(kind, Window.ALL, resource, null);
  }

  @Override
  long dueNanos(long nowNanos, Instant serverNow) {
    return nextNanos;
  }

  @Override
  void completed(Fetch completed, Instant began, long nowNanos) {
    nextNanos = completed.started().nanos() + resource.pollInterval().toNanos();
    position = position.withWatermark(began);
    fetch = null;
  }

  @Override
  void confirmAt(long nanos) {
    if (nanos - nextNanos < 0) {
      nextNanos = nanos;
    }
  }

  @Override
  void passAccepted(Fetch pass) {
    position = position.withLastReconciliation(position.watermark());
  }

  @Override
  void restart(Fetch broken) {
    fetch = newFetch();
  }
}
