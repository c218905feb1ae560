package io.posconnect.fetch;

import io.posconnect.change.Digest;
import io.posconnect.fetch.Checkpoints.ForgottenKeys;
import io.posconnect.fetch.DeleteDetector.Verdict;
import io.posconnect.metrics.StreamMetrics;
import io.posconnect.offset.StreamOffset;
import io.posconnect.offset.StreamOffset.Retention;
import io.posconnect.problem.Problem;
import io.posconnect.record.Provenance;
import io.posconnect.record.Provenance.FetchKind;
import io.posconnect.resource.Key;
import io.posconnect.resource.Retrieval;
import io.posconnect.resource.StreamSettings;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.apache.kafka.common.utils.Time;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Draws what follows from a complete fetch: deletes, a new position, and the checkpoint that tells
 * of both.
 */
final class FetchCompletion {

  private static final Logger log = LoggerFactory.getLogger(FetchCompletion.class);

  // A list that loses rows whenever it is read must be done with at some time.
  private static final int MOST_SNAPSHOT_PASSES = 4;

  private final StreamSettings settings;
  private final FetchPlan plan;
  private final Digest digest;
  private final ChangeEmitter emitter;
  private final ServerTime serverTime;
  private final Ownership ownership;
  private final Checkpoints checkpoints;
  private final StreamMetrics metrics;
  private final Time time;
  private final Retrieval retrieval;
  private final DeleteDetector deleteDetector;
  private int snapshotPasses;
  private boolean fullRetention = true;
  private boolean firstWindow;

  // No row read since the start was modified later.
  private Instant furthest = Instant.MIN;

  FetchCompletion(
      StreamSettings settings,
      FetchPlan plan,
      Digest digest,
      ChangeEmitter emitter,
      ServerTime serverTime,
      Ownership ownership,
      Checkpoints checkpoints,
      StreamMetrics metrics,
      Time time) {
    this.settings = settings;
    this.plan = plan;
    this.digest = digest;
    this.emitter = emitter;
    this.serverTime = serverTime;
    this.ownership = ownership;
    this.checkpoints = checkpoints;
    this.metrics = metrics;
    this.time = time;
    retrieval = settings.resource().retrieval();
    deleteDetector =
        new DeleteDetector(
            digest, retrieval.shifting(), settings.deletesMaxRatio(), settings.deletesConfirm());
    // What this process itself finds out is as it was written.
    firstWindow = digest.size() > 0;
    if (plan.position().retention() == Retention.WINDOW) {
      keepOnlyLastWindow();
    }
  }

  /**
   * A request of the fetch is about to be sent.
   *
   * @return whether a row is emitted even if the digest knows it: under at-least-once the digest
   *     may be ahead of, or behind, what was written around a crash, so the first window after a
   *     start is not held against it
   */
  boolean begins(Fetch fetch) {
    if (fetch.kind() != FetchKind.RECONCILIATION && fetch.window().to().isAfter(furthest)) {
      furthest = fetch.window().to();
    }
    boolean initial = fetch.kind() == FetchKind.SNAPSHOT || fetch.kind() == FetchKind.BACKFILL;
    fetch.stamp(new Provenance(fetch.kind(), serverTime.start(fetch), initial));
    return firstWindow && !settings.exactlyOnce() && fetch.kind() == FetchKind.INCREMENT;
  }

  /** The digest has no room for every key; returns why nothing more can be read, if that is so. */
  Optional<String> ceilingReached() {
    if (retrieval.filtered()) {
      keepOnlyLastWindow();
      return Optional.empty();
    }
    return Optional.of(
        Problem.CEILING_REACHED.at(
            settings.stream().id(),
            "more than "
                + digest.size()
                + " keys, and a resource without a filter cannot be followed without remembering"
                + " all of them"));
  }

  /** The digest has no room for every key: from now on only those of the last window are kept. */
  private void keepOnlyLastWindow() {
    fullRetention = false;
    emitter.stopRemembering();
    plan.stopReconciling();
    metrics.retention(false);
    log.warn(
        Problem.CEILING_REACHED.at(
            settings.stream().id(),
            "more keys than digest.max.keys="
                + settings.digestMaxKeys()
                + " (or than a bucket's 64 KB) can hold; no reconciliations and no deletes from now"
                + " on"));
  }

  /** Whether completing it would find keys missing, so that it matters whose rows these were. */
  boolean missesKeys(Fetch fetch) {
    boolean pass = fetch.kind() == FetchKind.SNAPSHOT || fetch.kind() == FetchKind.RECONCILIATION;
    return pass
        && retrieval.provesAbsence()
        && fullRetention
        && !digest.missing(passSince(fetch)).isEmpty();
  }

  /** The digest's tick at which the pass began that ends, or would end, with that fetch. */
  private long passSince(Fetch fetch) {
    return plan.reconciliation().map(Reconciliation::sinceTick).orElse(fetch.sinceTick());
  }

  /**
   * The fetch was read to its end.
   *
   * @param mayDelete whether the location has said that it is the known store
   */
  void complete(Fetch fetch, boolean mayDelete) throws InterruptedException {
    long now = time.nanoseconds();
    boolean passEnded = plan.completed(fetch, serverTime.start(fetch), now);
    ForgottenKeys forget = passEnded ? passEnded(fetch, mayDelete, now) : outOfReach(fetch, now);
    if (fetch.kind() == FetchKind.INCREMENT && !fetch.window().hasTo()) {
      firstWindow = false;
    }
    metrics.watermark(plan.position().watermark());
    metrics.digest(digest.size());
    checkpoints.publish(fetch, position(), forget, now);
  }

  private StreamOffset position() {
    StreamOffset position = plan.position().withIdentity(ownership.known());
    return fullRetention
        ? position.withFullRetention()
        : position.withWindowRetention(settings.digestMaxKeys());
  }

  private ForgottenKeys passEnded(Fetch fetch, boolean mayDelete, long now)
      throws InterruptedException {
    long since = passSince(fetch);
    boolean unconfirmedRows = emitter.passEnded();
    if (fetch.kind() == FetchKind.SNAPSHOT) {
      plan.snapshotRead(mayHaveSlipped(fetch), now);
    }
    if (!retrieval.provesAbsence() || !fullRetention) {
      plan.passAccepted();
      return retrieval.provesAbsence() ? ForgottenKeys.NONE : new ForgottenKeys(since, true);
    }
    if (!mayDelete) {
      plan.passAccepted();
      plan.confirmAt(now + settings.deletesConfirm().toNanos());
      return ForgottenKeys.NONE;
    }
    Optional<Reconciliation> reconciliation = plan.reconciliation();
    Verdict verdict =
        deleteDetector.judge(
            since, key -> reconciliation.isPresent() && reconciliation.get().isFresh(key), now);
    for (Key key : verdict.gone()) {
      emitter.delete(key, fetch);
    }
    tellHeldDeletes(verdict, now);
    if (unconfirmedRows) {
      plan.confirmAt(now);
    } else if (verdict.pending() > 0) {
      plan.confirmAt(verdict.confirmNanos());
    } else {
      plan.passAccepted();
    }
    return ForgottenKeys.NONE;
  }

  /**
   * Whether a row may have slipped between the requests of this pass of a snapshot, since the list
   * shifted: then what the pass before had seen is missing from it, or the next pass would miss
   * something.
   */
  private boolean mayHaveSlipped(Fetch fetch) {
    if (!retrieval.shifting() || !fullRetention || ++snapshotPasses >= MOST_SNAPSHOT_PASSES) {
      return false;
    }
    return snapshotPasses == 1 || !digest.missing(fetch.sinceTick()).isEmpty();
  }

  private void tellHeldDeletes(Verdict verdict, long now) {
    metrics.deletesPending(verdict.guarded() ? verdict.pending() : 0);
    if (verdict.guarded()) {
      log.warn(
          Problem.DELETES_HELD.at(
              settings.stream().id(),
              verdict.pending()
                  + " of "
                  + digest.size()
                  + " keys vanished, more within an hour than deletes.max.ratio="
                  + settings.deletesMaxRatio()
                  + " allows; nothing is deleted before another full read confirms it in "
                  + Duration.ofNanos(verdict.confirmNanos() - now).toSeconds()
                  + " s"));
    }
  }

  /**
   * What this window leaves behind for ever: no later increment or reconciliation reaches back to
   * it.
   */
  private ForgottenKeys outOfReach(Fetch fetch, long now) {
    Duration lookback = settings.resource().lookback();
    if (!fetch.window().hasTo()) {
      furthest = serverTime.now(now);
      // The watermark may have gone down, and the next window then begins before this one.
      Instant next = plan.position().watermark().minus(lookback);
      boolean covered = !fetch.window().from().isAfter(next);
      return plan.reconciles() || !covered || deleteDetector.undecided()
          ? ForgottenKeys.NONE
          : new ForgottenKeys(fetch.sinceTick(), true);
    }
    if (fullRetention && fetch.window().to().isBefore(furthest)) {
      // There was a longer window before, finished or not: what it brought comes again later.
      return ForgottenKeys.NONE;
    }
    Duration window = plan.reconciles() ? settings.reconcileWindow() : Duration.ZERO;
    Instant reach = serverTime.now(now).minus(window.compareTo(lookback) > 0 ? window : lookback);
    // What was not seen since the start may be newer: the stream may have been set back by hand.
    return fetch.window().to().isBefore(reach)
        ? new ForgottenKeys(fetch.sinceTick(), false)
        : ForgottenKeys.NONE;
  }
}
