package io.posconnect.fetch;

import io.posconnect.offset.StreamOffset;
import io.posconnect.record.Provenance.FetchKind;
import io.posconnect.resource.StreamSettings;
import io.posconnect.resource.Window;
import io.posconnect.resource.WindowLength;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Plans windows of time, one fetch each: first from the start until now, then increments, and at
 * their interval reconciliations of the last days, since old rows are edited and voided.
 */
final class DateRangePlan extends IncrementalPlan {

  private final WindowLength length;
  private Instant readTo;

  // When the first window within the lookback was read: late rows may still be added to it. A
  // stream that has caught up reads again from there, less the lookback.
  private Instant incompleteSince = Instant.MAX;
  private boolean behind;
  private Instant reconciledTo = Instant.MIN;
  private Instant floor;

  DateRangePlan(StreamSettings settings, StreamOffset position, long nowNanos) {
    super(settings, position, nowNanos);
    this.length = new WindowLength(settings.windowMax());
    this.behind = !position.snapshotted();
    this.readTo = position.watermark();
    this.floor = position.context().snapshot().start();
  }

  @Override
  Optional<Fetch> catchUp() {
    Instant start = readTo.equals(Instant.MIN) ? floor : readTo.minus(WindowLength.SEAM);
    return behind ? Optional.of(newFetch(start, reconciliation)) : Optional.empty();
  }

  @Override
  Fetch newIncrement(@Nullable Reconciliation beside) {
    Instant from = position.watermark().minus(resource.lookback());
    // The lookback must not reach behind where the user asked to start, unless the watermark was
    // rewound behind it.
    boolean reachesBehind = from.isBefore(floor) && !position.watermark().isBefore(floor);
    return newFetch(reachesBehind ? floor : from, beside);
  }

  private Fetch newFetch(Instant from, @Nullable Reconciliation beside) {
    FetchKind kind = position.snapshotted() ? FetchKind.INCREMENT : FetchKind.BACKFILL;
    return fetch(kind, from, beside);
  }

  @Override
  Fetch newFull(Reconciliation running, Instant serverNow) {
    Instant start =
        reconciledTo.equals(Instant.MIN)
            ? later(floor, serverNow.minus(settings.reconcileWindow()))
            : reconciledTo;
    return fetch(FetchKind.RECONCILIATION, start, running);
  }

  private Fetch fetch(FetchKind kind, Instant begin, @Nullable Reconciliation beside) {
    // Bounds are sent in whole seconds; widened, a window would be longer than allowed.
    Instant from = begin.truncatedTo(ChronoUnit.SECONDS);
    return new Fetch(kind, new Window(from, from.plus(length.current())), resource, beside);
  }

  @Override
  void completed(Fetch fetch, Instant began, long nowNanos) {
    length.read(fetch.window(), fetch.rows());
    if (fetch == full) {
      full = null;
      reconciledTo = fetch.window().to().minus(WindowLength.SEAM);
      if (fetch.reachesNow()) {
        reconciledTo = Instant.MIN;
        reconciliation = null;
        confirmNanos = null;
      }
    } else {
      windowCompleted(fetch, began);
    }
  }

  private void windowCompleted(Fetch fetch, Instant began) {
    incrementCompleted(fetch, began);
    // A window whose end lay in the service's future vouches only for what was there.
    Instant reached = earlier(began, fetch.window().to());
    behind = !fetch.reachesNow();
    readTo = fetch.window().to();
    if (reached.isAfter(began.minus(resource.lookback()))) {
      incompleteSince = earlier(incompleteSince, began);
    }
    if (!position.snapshotted() && floor.isAfter(began)) {
      // The start is of the worker's clock, and the service's is behind.
      floor = earlier(began, settings.startFrom().resolve(began));
      position = position.withContext(c -> c.withSnapshot(c.snapshot().since(floor)));
      if (floor.isBefore(began)) {
        // A duration reaches back from the service's time, of which nothing was read yet.
        reached = floor;
        behind = true;
        readTo = Instant.MIN;
        incompleteSince = Instant.MAX;
      }
    }
    Instant complete = earlier(reached, resumable());
    // A window may be shorter than the lookback: it is the first of some that reach the present.
    boolean returns = behind && position.snapshotted();
    position = position.withWatermark(returns ? later(position.watermark(), complete) : complete);
    if (!behind) {
      incompleteSince = Instant.MAX;
      if (!position.snapshotted()) {
        snapshotRead();
      }
    }
  }

  /**
   * Where a later process resumes so that it finds rows that came late into windows read so far.
   */
  private Instant resumable() {
    // A backfill resumes right at its watermark, an increment one lookback before.
    boolean backfills = behind && !position.snapshotted() && !incompleteSince.equals(Instant.MAX);
    return backfills ? incompleteSince.minus(resource.lookback()) : incompleteSince;
  }

  private static Instant earlier(Instant a, Instant b) {
    return a.isBefore(b) ? a : b;
  }

  private static Instant later(Instant a, Instant b) {
    return a.isAfter(b) ? a : b;
  }

  @Override
  void confirmAt(long nanos) {
    if (!settings.reconciliationInterval().isZero()) {
      super.confirmAt(reconcileFromNanos);
    }
  }

  @Override
  boolean shrink(Fetch fetch) {
    boolean shrinks = length.refused(fetch.window());
    if (shrinks) {
      // In place of the longer one, which was sent.
      sent(fetch(fetch.kind(), fetch.window().from(), fetch.reconciliation().orElse(null)));
    }
    return shrinks;
  }
}
