package io.posconnect.fetch;

import io.posconnect.record.FetchKind;
import io.posconnect.resource.Resource;
import io.posconnect.resource.Window;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A snapshot, then what changed since the watermark, and now and then everything once more: for
 * resources that can be filtered by their time of modification.
 */
final class IncrementAgenda implements Agenda {

  private final Resource resource;
  private final Duration sweepInterval;
  private Progress progress;
  private long nextIncrementNanos;
  private boolean sweeping = true;
  private boolean incrementWasLast;
  private boolean confirmWanted;
  private long confirmNanos;
  private @Nullable Fetch increment;
  private @Nullable Fetch full;
  private @Nullable Sweep sweep;

  IncrementAgenda(Resource resource, Duration sweepInterval, Progress progress, long nowNanos) {
    this.resource = resource;
    this.sweepInterval = sweepInterval;
    this.progress = progress;
    this.nextIncrementNanos = nowNanos;
  }

  @Override
  public Optional<Fetch> next(long nowNanos, Instant serverNow) {
    if (!progress.snapshotted()) {
      return Optional.of(fullRead(FetchKind.SNAPSHOT));
    }
    if (increment != null) {
      return Optional.of(increment);
    }
    if (sweep == null && sweepIsDue(nowNanos, serverNow)) {
      sweep = new Sweep(serverNow);
      return Optional.of(newIncrement());
    }
    // A poll interval shorter than the limiter's spacing must not keep a sweep from its pages.
    boolean sweepGoesOn = sweepGoesOn(nowNanos);
    if (nextIncrementNanos - nowNanos <= 0 && !(sweepGoesOn && incrementWasLast)) {
      return Optional.of(newIncrement());
    }
    if (sweepGoesOn) {
      incrementWasLast = false;
      return Optional.of(fullRead(FetchKind.SWEEP));
    }
    return Optional.empty();
  }

  private boolean sweepGoesOn(long nowNanos) {
    return sweep != null && (!confirmWanted || confirmNanos - nowNanos <= 0);
  }

  private boolean sweepIsDue(long nowNanos, Instant serverNow) {
    if (!sweeping) {
      return false;
    }
    return confirmWanted
        ? confirmNanos - nowNanos <= 0
        : Agenda.elapsed(progress.swept(), sweepInterval, serverNow);
  }

  private Fetch newIncrement() {
    Window window = Window.since(progress.watermark().minus(resource.overlap()));
    increment = new Fetch(FetchKind.INCREMENT, window, resource.retrieval(), resource.path());
    return increment;
  }

  private Fetch fullRead(FetchKind kind) {
    if (full == null) {
      full = new Fetch(kind, Window.ALL, resource.retrieval(), resource.path());
    }
    return full;
  }

  @Override
  public long dueNanos(long nowNanos, Instant serverNow) {
    if (!progress.snapshotted() || increment != null || sweepGoesOn(nowNanos)) {
      return nowNanos;
    }
    if (sweep == null && sweepIsDue(nowNanos, serverNow)) {
      return nowNanos;
    }
    return confirmWanted && confirmNanos - nextIncrementNanos < 0
        ? confirmNanos
        : nextIncrementNanos;
  }

  @Override
  public boolean completed(Fetch fetch, Instant began, long nowNanos) {
    if (fetch == increment) {
      increment = null;
      incrementWasLast = true;
      progress = progress.withWatermark(began);
      nextIncrementNanos = fetch.startedNanos() + resource.pollInterval().toNanos();
      return false;
    }
    full = null;
    confirmWanted = false;
    if (fetch.kind() == FetchKind.SNAPSHOT) {
      progress = progress.withWatermark(began).withSnapshot(began);
      nextIncrementNanos = nowNanos;
    }
    return true;
  }

  @Override
  public void confirmAt(long nanos) {
    confirmWanted = true;
    confirmNanos = nanos;
  }

  @Override
  public void passAccepted() {
    if (sweep != null) {
      progress = progress.withSweep(sweep.began());
      sweep = null;
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
  public Optional<Sweep> sweep() {
    return Optional.ofNullable(sweep);
  }

  @Override
  public void stopSweeping() {
    sweeping = false;
    confirmWanted = false;
    sweep = null;
    if (progress.snapshotted()) {
      full = null;
    }
  }

  @Override
  public Progress progress() {
    return progress;
  }
}
