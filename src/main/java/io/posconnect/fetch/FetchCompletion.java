package io.posconnect.fetch;

import io.posconnect.fetch.DeleteDetector.Verdict;
import io.posconnect.offset.StreamOffset;
import io.posconnect.offset.StreamOffset.Retention;
import io.posconnect.offset.StreamOffset.SnapshotState;
import io.posconnect.record.Provenance;
import io.posconnect.record.Provenance.FetchKind;
import io.posconnect.resource.Key;
import io.posconnect.resource.Retrieval.DateRange;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What follows from a complete fetch: deletes, a new position, and the checkpoint that tells of
 * both.
 */
final class FetchCompletion {

  private static final Logger log = LoggerFactory.getLogger(FetchCompletion.class);

  private final StreamParts parts;
  private final FetchPlan plan;
  private final ChangeEmitter emitter;
  private final ServerTime serverTime;
  private final Checkpoints checkpoints;
  private final DeleteDetector deleteDetector;
  private final boolean dateRange;
  private boolean fullRetention;
  private boolean firstWindow;

  // No row read since the start was modified later.
  private Instant furthest = Instant.MIN;

  FetchCompletion(
      StreamParts parts,
      FetchPlan plan,
      ChangeEmitter emitter,
      ServerTime serverTime,
      Checkpoints checkpoints) {
    this.parts = parts;
    this.checkpoints = checkpoints;
    this.plan = plan;
    this.emitter = emitter;
    this.serverTime = serverTime;
    FetchSettings settings = parts.settings();
    deleteDetector =
        new DeleteDetector(
            parts.digest(),
            parts.resource().retrieval().shifting(),
            settings.deletesMaxRatio(),
            settings.deletesConfirm());
    dateRange = parts.resource().retrieval() instanceof DateRange;
    fullRetention = true;
    // What this process itself finds out is as it was written.
    firstWindow = parts.digest().size() > 0;
    if (parts.resumed().retention() == Retention.WINDOW) {
      keepOnlyLastWindow();
    }
  }

  static Progress resumed(StreamParts parts) {
    StreamOffset offset = parts.resumed();
    return new Progress(
        offset.watermark(),
        offset.snapshot() == SnapshotState.COMPLETED,
        offset.lastReconciliation());
  }

  /** A request of the fetch is about to be sent. */
  void begins(Fetch fetch) {
    if (fetch.kind() != FetchKind.RECONCILIATION && fetch.window().to().isAfter(furthest)) {
      furthest = fetch.window().to();
    }
  }

  /** Why the fetch is made, for the records that come of it. */
  Provenance provenance(Fetch fetch) {
    boolean initial = fetch.kind() == FetchKind.SNAPSHOT || fetch.kind() == FetchKind.BACKFILL;
    return new Provenance(fetch.kind(), serverTime.start(fetch), initial);
  }

  /**
   * Whether a row is emitted even if the digest knows it: under at-least-once the digest may be
   * ahead of, or behind, what was written around a crash, so the first window after a start is not
   * held against it.
   */
  boolean repeats(Fetch fetch) {
    return firstWindow && !parts.settings().exactlyOnce() && fetch.kind() == FetchKind.INCREMENT;
  }

  /** The digest has no room for every key: from now on only those of the last window are kept. */
  void keepOnlyLastWindow() {
    fullRetention = false;
    emitter.stopRemembering();
    plan.stopReconciling();
    parts.listener().retention(parts.stream(), false);
    log.warn(
        "{}: more keys than digest.max.keys={} (or than a bucket's 64 KB) can hold; no reconciliations and no"
            + " deletes from now on. Raise digest.max.keys to have the stream read again in full",
        parts.stream(),
        parts.settings().digestMaxKeys());
  }

  /** Whether completing it would find keys missing, so that it matters whose rows these were. */
  boolean missesKeys(Fetch fetch) {
    boolean pass = fetch.kind() == FetchKind.SNAPSHOT || fetch.kind() == FetchKind.RECONCILIATION;
    long since = plan.reconciliation().map(Reconciliation::sinceTick).orElse(fetch.sinceTick());
    return pass && !dateRange && fullRetention && !parts.digest().missing(since).isEmpty();
  }

  void complete(Fetch fetch, Provenance source) throws InterruptedException {
    long now = parts.time().nanoseconds();
    boolean passEnded = plan.completed(fetch, serverTime.start(fetch), now);
    ForgottenKeys forget = passEnded ? passEnded(fetch, source, now) : outgrown(fetch, now);
    if (fetch.kind() == FetchKind.INCREMENT && !fetch.window().hasTo()) {
      firstWindow = false;
    }
    parts.listener().watermark(parts.stream(), plan.progress().watermark());
    parts.listener().digest(parts.stream(), parts.digest().size());
    checkpoints.tell(fetch, plan.progress(), fullRetention, forget, now);
  }

  private ForgottenKeys passEnded(Fetch fetch, Provenance source, long now)
      throws InterruptedException {
    Optional<Reconciliation> reconciliation = plan.reconciliation();
    long since = reconciliation.map(Reconciliation::sinceTick).orElse(fetch.sinceTick());
    if (dateRange || !fullRetention) {
      plan.passAccepted();
      return dateRange ? new ForgottenKeys(since, true) : ForgottenKeys.NONE;
    }
    boolean doubtful = emitter.passEnded();
    Verdict verdict =
        deleteDetector.judge(
            since, key -> reconciliation.isPresent() && reconciliation.get().isFresh(key), now);
    for (Key key : verdict.gone()) {
      emitter.delete(key, fetch, source);
    }
    parts.listener().deletesPending(parts.stream(), verdict.guarded() ? verdict.pending() : 0);
    if (verdict.guarded()) {
      log.warn(
          "{}: {} of {} keys vanished at once, more than deletes.max.ratio={} allows; nothing is"
              + " deleted before another full read confirms it in {} s",
          parts.stream(),
          verdict.pending(),
          parts.digest().size(),
          parts.settings().deletesMaxRatio(),
          Duration.ofNanos(verdict.confirmNanos() - now).toSeconds());
    }
    if (doubtful) {
      plan.confirmAt(now);
    } else if (verdict.pending() > 0) {
      plan.confirmAt(verdict.confirmNanos());
    } else {
      plan.passAccepted();
    }
    return ForgottenKeys.NONE;
  }

  /**
   * What this window leaves behind for ever: no later increment or reconciliation reaches back to
   * it.
   */
  private ForgottenKeys outgrown(Fetch fetch, long now) {
    boolean reconciliations = fullRetention && !parts.settings().reconcileInterval().isZero();
    Duration lookback = parts.resource().lookback();
    if (!fetch.window().hasTo()) {
      furthest = serverTime.now(now);
      // The watermark may have gone down, and the next window then begins before this one.
      Instant next = plan.progress().watermark().minus(lookback);
      boolean covered = !fetch.window().from().isAfter(next);
      return reconciliations || !covered || deleteDetector.undecided()
          ? ForgottenKeys.NONE
          : new ForgottenKeys(fetch.sinceTick(), true);
    }
    if (fullRetention && fetch.window().to().isBefore(furthest)) {
      // There was a longer slice before, finished or not: what it brought comes again later.
      return ForgottenKeys.NONE;
    }
    Duration window = reconciliations ? parts.settings().reconcileWindow() : Duration.ZERO;
    Instant reach = serverTime.now(now).minus(window.compareTo(lookback) > 0 ? window : lookback);
    // What was not seen since the start may be newer: the stream may have been set back by hand.
    return fetch.window().to().isBefore(reach)
        ? new ForgottenKeys(fetch.sinceTick(), false)
        : ForgottenKeys.NONE;
  }
}
