package io.posconnect.fetch;

import io.posconnect.change.Digest;
import io.posconnect.fetch.DeleteDetector.Verdict;
import io.posconnect.metrics.StreamMetrics;
import io.posconnect.offset.StreamOffset;
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

/**
 * Draws what follows from a complete fetch: deletes, a new position, and the checkpoint that tells
 * of both.
 */
final class FetchCompletion {

  // A list that loses rows whenever it is read must be done with at some time.
  private static final int MOST_SNAPSHOT_PASSES = 4;

  /** What a full pass came to. */
  private enum Pass {
    /** All that it read has been said. */
    WHOLE,
    /** There is room now for rows that waited for it: another pass says them. */
    AGAIN,
    /** There is no room for some rows, and nobody is known to be gone. */
    BLOCKED
  }

  private final StreamSettings settings;
  private final FetchPlan plan;
  private final Digest digest;
  private final Room room;
  private final ChangeEmitter emitter;
  private final ServerTime serverTime;
  private final Ownership ownership;
  private final Checkpoints checkpoints;
  private final StreamMetrics metrics;
  private final StatusReporter status;
  private final Time time;
  private final Retrieval retrieval;
  private final DeleteDetector deleteDetector;
  private int snapshotPasses;
  private boolean unverified;
  private long unverifiedNanos;
  private boolean firstWindow;

  FetchCompletion(
      StreamSettings settings,
      FetchPlan plan,
      Digest digest,
      Room room,
      ChangeEmitter emitter,
      ServerTime serverTime,
      Ownership ownership,
      Checkpoints checkpoints,
      StreamMetrics metrics,
      StatusReporter status,
      Time time) {
    this.settings = settings;
    this.plan = plan;
    this.digest = digest;
    this.room = room;
    this.emitter = emitter;
    this.serverTime = serverTime;
    this.ownership = ownership;
    this.checkpoints = checkpoints;
    this.metrics = metrics;
    this.status = status;
    this.time = time;
    retrieval = settings.resource().retrieval();
    deleteDetector =
        new DeleteDetector(
            digest, retrieval.shifting(), settings.deletesMaxRatio(), settings.deletesConfirm());
    // What this process itself finds out is as it was written.
    firstWindow = digest.size() > 0;
  }

  /**
   * A request of the fetch is about to be sent.
   *
   * @return whether a row is emitted even if the digest knows it: under at-least-once the digest
   *     may be ahead of, or behind, what was written around a crash, so the first window after a
   *     start is not held against it
   */
  boolean begins(Fetch fetch) {
    boolean initial = fetch.kind() == FetchKind.SNAPSHOT || fetch.kind() == FetchKind.BACKFILL;
    Instant now = Instant.ofEpochMilli(time.milliseconds());
    fetch.stamp(new Provenance(fetch.kind(), now, initial));
    return firstWindow && !settings.exactlyOnce() && fetch.kind() == FetchKind.INCREMENT;
  }

  /** Whether completing it would find keys missing, so that it matters whose rows these were. */
  boolean missesKeys(Fetch fetch) {
    boolean pass = fetch.kind() == FetchKind.SNAPSHOT || fetch.kind() == FetchKind.RECONCILIATION;
    return pass && retrieval.provesAbsence() && !digest.missing(passSince(fetch)).isEmpty();
  }

  /** The digest's tick at which the pass began that ends, or would end, with that fetch. */
  private long passSince(Fetch fetch) {
    return plan.reconciliation().map(Reconciliation::sinceTick).orElse(fetch.sinceTick());
  }

  /**
   * The fetch was read to its end.
   *
   * @param mayDelete whether the location has said that it is the known store
   * @return false when there was no room for all of them, and another read would not find any
   */
  boolean complete(Fetch fetch, boolean mayDelete) throws InterruptedException {
    long now = time.nanoseconds();
    boolean passEnded = plan.completed(fetch, serverTime.start(fetch), now);
    long since = passSince(fetch);
    Pass pass = passEnded ? passEnded(fetch, mayDelete, now) : Pass.WHOLE;
    if (fetch.kind() == FetchKind.INCREMENT && !fetch.window().hasTo()) {
      firstWindow = false;
      room.incremented(fetch.sinceTick());
    }
    if (plan.position().snapshotted()) {
      status.snapshotCompleted();
    }
    metrics.watermark(plan.position().watermark());
    metrics.digest(digest.size());
    if (pass == Pass.WHOLE) {
      checkpoints.publish(fetch, position(), () -> acknowledged(passEnded, since), now);
    }
    return pass != Pass.BLOCKED;
  }

  private void acknowledged(boolean passEnded, long sinceTick) {
    if (passEnded) {
      room.reconciled(sinceTick);
    }
  }

  private StreamOffset position() {
    return plan.position().withIdentity(ownership.known());
  }

  private Pass passEnded(Fetch fetch, boolean mayDelete, long now) throws InterruptedException {
    boolean unconfirmedRows = emitter.passEnded();
    if (fetch.kind() == FetchKind.SNAPSHOT) {
      plan.snapshotRead(mayHaveSlipped(fetch), now);
    }
    if (!retrieval.provesAbsence()) {
      plan.passAccepted();
      return Pass.WHOLE;
    }
    if (!mayDelete) {
      tellUnverifiedDeletes(fetch, now);
      plan.passAccepted();
      plan.confirmAt(now + settings.deletesConfirm().toNanos());
      return emitter.waiting() > 0 ? Pass.BLOCKED : Pass.WHOLE;
    }
    Optional<Reconciliation> reconciliation = plan.reconciliation();
    Verdict verdict =
        deleteDetector.judge(
            passSince(fetch),
            key -> reconciliation.isPresent() && reconciliation.get().isFresh(key),
            now);
    for (Key key : verdict.gone()) {
      emitter.delete(key, fetch);
    }
    tellHeldDeletes(verdict, now);
    Pass pass = Pass.WHOLE;
    if (emitter.waiting() > 0) {
      pass = verdict.gone().isEmpty() ? Pass.BLOCKED : Pass.AGAIN;
    }
    if (unconfirmedRows || pass == Pass.AGAIN) {
      plan.confirmAt(now);
    } else if (verdict.pending() > 0) {
      plan.confirmAt(verdict.confirmNanos());
    } else if (pass == Pass.WHOLE) {
      plan.passAccepted();
    }
    return pass;
  }

  /**
   * Whether a row may have slipped between the requests of this pass of a snapshot, since the list
   * shifted: then what the pass before had seen is missing from it, or the next pass would miss
   * something.
   */
  private boolean mayHaveSlipped(Fetch fetch) {
    if (!retrieval.shifting() || ++snapshotPasses >= MOST_SNAPSHOT_PASSES) {
      return false;
    }
    return snapshotPasses == 1 || !digest.missing(fetch.sinceTick()).isEmpty();
  }

  /** Not at once: a location may be silent for a while, and nobody has to do anything. */
  private void tellUnverifiedDeletes(Fetch fetch, long now) {
    if (!unverified) {
      unverified = true;
      unverifiedNanos = now;
    }
    if (now - unverifiedNanos >= settings.deletesConfirm().toNanos()) {
      int missing = digest.missing(passSince(fetch)).size();
      metrics.deletesPending(missing);
      status.deletesHeld(
          Problem.DELETES_UNVERIFIED.at(
              settings.stream().id(),
              missing
                  + " keys vanished, and the location has not said that it is the store that was"
                  + " read before; nothing is deleted until it does"));
    }
  }

  private void tellHeldDeletes(Verdict verdict, long now) {
    unverified = false;
    metrics.deletesPending(verdict.guarded() ? verdict.pending() : 0);
    if (verdict.guarded()) {
      String line =
          Problem.DELETES_HELD.at(
              settings.stream().id(),
              verdict.pending()
                  + " of "
                  + digest.size()
                  + " keys vanished, more within an hour than deletes.max.ratio="
                  + settings.deletesMaxRatio()
                  + " allows; nothing is deleted before another full read confirms it in "
                  + Duration.ofNanos(verdict.confirmNanos() - now).toSeconds()
                  + " s");
      status.deletesHeld(line);
    } else {
      status.deletesReleased(verdict.gone().size());
    }
  }
}
