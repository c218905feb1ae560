package io.posconnect.fetch;

import io.posconnect.offset.StreamOffset;
import io.posconnect.record.Provenance.FetchKind;
import io.posconnect.resource.Resource;
import io.posconnect.resource.Window;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Plans full reads, one after another: for resources without a filter. */
final class FullPlan implements FetchPlan {

  private final Resource resource;
  private StreamOffset position;
  private long nextNanos;
  private @Nullable Fetch fetch;

  FullPlan(Resource resource, StreamOffset position, long nowNanos) {
    this.resource = resource;
    this.position = position;
    this.nextNanos = nowNanos;
  }

  @Override
  public Optional<Fetch> next(long nowNanos, Instant serverNow) {
    boolean isDue = fetch == null && nextNanos - nowNanos <= 0;
    return isDue ? Optional.of(newFetch()) : Optional.ofNullable(fetch);
  }

  @Override
  public void sent(Fetch begun) {
    fetch = begun;
  }

  private Fetch newFetch() {
    FetchKind kind = position.snapshotted() ? FetchKind.RECONCILIATION : FetchKind.SNAPSHOT;
    return new Fetch(kind, Window.ALL, resource, null);
  }

  @Override
  public long dueNanos(long nowNanos, Instant serverNow) {
    return nextNanos;
  }

  @Override
  public void completed(Fetch completed, Instant began, long nowNanos) {
    nextNanos = completed.started().nanos() + resource.pollInterval().toNanos();
    position = position.withWatermark(began);
    fetch = null;
  }

  @Override
  public void confirmAt(long nanos) {
    if (nanos - nextNanos < 0) {
      nextNanos = nanos;
    }
  }

  @Override
  public void snapshotRead() {
    position = position.withSnapshotCompleted(position.watermark());
  }

  @Override
  public void passAccepted() {
    position = position.withLastReconciliation(position.watermark());
  }

  @Override
  public void restart(Fetch broken) {
    fetch = newFetch();
  }

  @Override
  public StreamOffset position() {
    return position;
  }
}
