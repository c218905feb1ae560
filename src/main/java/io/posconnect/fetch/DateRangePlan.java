package io.posconnect.fetch;

import io.posconnect.offset.StreamOffset;
import io.posconnect.record.Provenance.FetchKind;
import io.posconnect.resource.Counts.Count;
import io.posconnect.resource.Resource;
import io.posconnect.resource.StreamSettings;
import io.posconnect.resource.Window;
import io.posconnect.resource.WindowLength;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Plans windows of time, one fetch each: first from the start until now, then increments, and at
 * their interval reconciliations of the last days, since old rows are edited and voided.
 */
final class DateRangePlan implements FetchPlan {

  // Whether the service's bounds are inclusive is not published.
  private static final Duration SEAM = Duration.ofSeconds(1);

  private final Resource resource;
  private final StreamSettings settings;
  private StreamOffset position;
  private final WindowLength length;
  private final long reconcileFromNanos;
  private Instant cursor;

  // When the first window within the lookback was read: late rows may still be added to it. A
  // stream that has caught up reads again from there, less the lookback.
  private Instant incompleteSince = Instant.MAX;
  private boolean behind;
  private boolean reconcilesSoon;

  // The turn of increments and windows of a reconciliation, which follow one another.
  private boolean incrementWasLast;
  private long nextIncrementNanos;
  private @Nullable Fetch current;
  private @Nullable Fetch reconciliationFetch;
  private @Nullable Reconciliation reconciliation;
  private Instant reconciliationCursor = Instant.MIN;
  private Instant floor;

  DateRangePlan(StreamSettings settings, StreamOffset position, long nowNanos) {
    this.resource = settings.resource();
    this.settings = settings;
    this.position = position;
    this.length = new WindowLength(settings.windowMax());
    this.reconcileFromNanos = FetchPlan.reconcileFrom(resource, position, nowNanos);
    this.nextIncrementNanos = nowNanos;
    this.behind = !position.snapshotted();
    this.cursor = position.watermark();
    this.floor = position.context().snapshot().start();
  }

  @Override
  public Optional<Fetch> next(long nowNanos, Instant serverNow) {
    if (current != null) {
      return Optional.of(current);
    }
    if (behind) {
      return Optional.of(newFetch(start(), reconciliation));
    }
    if (reconciliation == null && reconciliationIsDue(nowNanos, serverNow)) {
      return Optional.of(newIncrement(new Reconciliation(serverNow)));
    }
    // An increment that is due at once again must not keep a reconciliation from its windows.
    if (nextIncrementNanos - nowNanos <= 0 && !(reconciliation != null && incrementWasLast)) {
      return Optional.of(newIncrement(reconciliation));
    }
    if (reconciliation != null) {
      return Optional.of(
          reconciliationFetch != null
              ? reconciliationFetch
              : fetch(FetchKind.RECONCILIATION, reconciliationStart(serverNow), reconciliation));
    }
    return Optional.empty();
  }

  @Override
  public void sent(Fetch fetch) {
    incrementWasLast = fetch.kind() != FetchKind.RECONCILIATION;
    if (incrementWasLast) {
      current = fetch;
      reconciliation = fetch.reconciliation().orElse(null);
    } else {
      reconciliationFetch = fetch;
    }
  }

  private Instant start() {
    return cursor.equals(Instant.MIN) ? floor : cursor.minus(SEAM);
  }

  private boolean reconciliationIsDue(long nowNanos, Instant serverNow) {
    return !settings.reconcileWindow().isZero()
        && reconcileFromNanos - nowNanos <= 0
        && (reconcilesSoon
            || FetchPlan.elapsed(
                position.lastReconciliation(), settings.reconcileInterval(), serverNow));
  }

  private Fetch newIncrement(@Nullable Reconciliation beside) {
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

  private Instant reconciliationStart(Instant serverNow) {
    return reconciliationCursor.equals(Instant.MIN)
        ? later(floor, serverNow.minus(settings.reconcileWindow()))
        : reconciliationCursor;
  }

  private Fetch fetch(FetchKind kind, Instant begin, @Nullable Reconciliation beside) {
    // Bounds are sent in whole seconds; widened, a window would be longer than allowed.
    Instant from = begin.truncatedTo(ChronoUnit.SECONDS);
    return new Fetch(kind, new Window(from, from.plus(length.current())), resource, beside);
  }

  @Override
  public long dueNanos(long nowNanos, Instant serverNow) {
    boolean now =
        current != null
            || behind
            || reconciliation != null
            || reconciliationIsDue(nowNanos, serverNow);
    return now ? nowNanos : nextIncrementNanos;
  }

  @Override
  public void completed(Fetch fetch, Instant began, long nowNanos) {
    length.read(fetch.window(), fetch.counts().get(Count.RECEIVED));
    if (fetch == reconciliationFetch) {
      reconciliationFetchCompleted(fetch);
    } else {
      windowCompleted(fetch, began);
    }
  }

  private void windowCompleted(Fetch fetch, Instant began) {
    current = null;
    // A window whose end lay in the service's future vouches only for what was there.
    Instant reached = earlier(began, fetch.window().to());
    behind = !fetch.reachesNow();
    cursor = fetch.window().to();
    if (reached.isAfter(began.minus(resource.lookback()))) {
      incompleteSince = earlier(incompleteSince, began);
    }
    if (!position.snapshotted() && floor.isAfter(began)) {
      // The start is of the worker's clock, and the service's is behind.
      floor = began;
      position = position.withContext(c -> c.withSnapshot(c.snapshot().since(began)));
    }
    Instant complete = earlier(reached, resumable());
    // A window may be shorter than the lookback: it is the first of some that reach the present.
    boolean returns = behind && position.snapshotted();
    position = position.withWatermark(returns ? later(position.watermark(), complete) : complete);
    if (!behind) {
      incompleteSince = Instant.MAX;
      if (!position.snapshotted()) {
        position = position.withSnapshotCompleted(position.watermark());
      }
    }
    nextIncrementNanos = fetch.startedNanos() + resource.pollInterval().toNanos();
  }

  /**
   * Where a later process resumes so that it finds rows that came late into windows read so far.
   */
  private Instant resumable() {
    // A backfill resumes right at its watermark, an increment one lookback before.
    boolean backfills = behind && !position.snapshotted() && !incompleteSince.equals(Instant.MAX);
    return backfills ? incompleteSince.minus(resource.lookback()) : incompleteSince;
  }

  private void reconciliationFetchCompleted(Fetch fetch) {
    reconciliationFetch = null;
    reconciliationCursor = fetch.window().to().minus(SEAM);
  }

  private static Instant earlier(Instant a, Instant b) {
    return a.isBefore(b) ? a : b;
  }

  private static Instant later(Instant a, Instant b) {
    return a.isAfter(b) ? a : b;
  }

  @Override
  public void snapshotRead(boolean again, long nowNanos) {
    throw new IllegalStateException("a date range is read in windows");
  }

  @Override
  public void confirmAt(long nanos) {
    reconcilesSoon = true;
  }

  @Override
  public void passAccepted() {
    if (reconciliation != null) {
      position = FetchPlan.reconciled(position, reconciliation.began());
      reconciliation = null;
      reconciliationCursor = Instant.MIN;
      reconcilesSoon = false;
    }
  }

  @Override
  public boolean shrink(Fetch fetch) {
    if (!length.refused(fetch.window())) {
      return false;
    }
    Reconciliation beside = fetch.reconciliation().orElse(null);
    Fetch half = fetch(fetch.kind(), fetch.window().from(), beside);
    if (fetch == reconciliationFetch) {
      reconciliationFetch = half;
    } else {
      current = half;
    }
    return true;
  }

  @Override
  public void restart(Fetch fetch) {
    // A window is one request: there is nothing behind a first page to go back from.
  }

  @Override
  public StreamOffset position() {
    return position;
  }
}
