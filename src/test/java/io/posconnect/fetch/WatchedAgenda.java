package io.posconnect.fetch;

import io.posconnect.record.FetchKind;
import java.time.Instant;
import java.util.Optional;

/** An agenda that can be asked what it gave out last, and changed in single answers. */
class WatchedAgenda implements Agenda {

  private final Agenda agenda;
  private Optional<Fetch> latest = Optional.empty();

  WatchedAgenda(Agenda agenda) {
    this.agenda = agenda;
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
    latest = agenda.next(nowNanos, serverNow);
    return latest;
  }

  @Override
  public long dueNanos(long nowNanos, Instant serverNow) {
    return agenda.dueNanos(nowNanos, serverNow);
  }

  @Override
  public boolean completed(Fetch fetch, Instant began, long nowNanos) {
    return agenda.completed(fetch, began, nowNanos);
  }

  @Override
  public void confirmAt(long nanos) {
    agenda.confirmAt(nanos);
  }

  @Override
  public void passAccepted() {
    agenda.passAccepted();
  }

  @Override
  public boolean shrink(Fetch fetch, Instant serverNow) {
    return agenda.shrink(fetch, serverNow);
  }

  @Override
  public void restart(Fetch fetch) {
    agenda.restart(fetch);
  }

  @Override
  public Optional<Sweep> sweep() {
    return agenda.sweep();
  }

  @Override
  public void stopSweeping() {
    agenda.stopSweeping();
  }

  @Override
  public Progress progress() {
    return agenda.progress();
  }
}
