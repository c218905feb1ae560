package io.posconnect.fetch;

import io.posconnect.client.ApiException;
import io.posconnect.client.ApiException.Refused;
import io.posconnect.fetch.Checkpoints.Completed;
import io.posconnect.fetch.DeleteDetector.Reason;
import io.posconnect.fetch.DeleteDetector.Verdict;
import io.posconnect.fetch.ServerTime.Moment;
import io.posconnect.fetch.StoreGuard.Answer;
import io.posconnect.offset.StreamOffset;
import io.posconnect.problem.Incident;
import io.posconnect.problem.Problem;
import io.posconnect.problem.Text;
import io.posconnect.record.Provenance.FetchKind;
import io.posconnect.resource.Counts.Count;
import io.posconnect.resource.Key;
import io.posconnect.resource.PageEnd;
import io.posconnect.resource.StreamSettings;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The state machine of one stream: {@link #next} decides the next step and changes nothing, {@link
 * #apply} draws the consequences of what came of it. It does no input or output; for one thread at
 * a time.
 */
final class StreamCycle {

  private final StreamSettings settings;
  private final FetchPlan plan;
  private final Pass pass;
  private final StoreGuard guard;
  private final StoreComparison comparison;
  private final Retries retries;

  // Read to its end; it is finished once it is clear whether its deletes may be emitted. The keys
  // that it lacks are not held until then: a refused key may keep it for days.
  private @Nullable Fetch read;

  // The last pass showed keys to be gone, and rows wait for their room.
  private boolean madeRoom;

  // The kinds of fetches of which rows of an earlier window wait. The windows behind it wait as
  // well, up to the present.
  private final Set<FetchKind> waiting = EnumSet.noneOf(FetchKind.class);

  // The page at which the list ended last, where that does not exist; the first page always does.
  // Increments have a list of their own, of another length each time.
  private int missingPage;
  private boolean incrementHasEnded;

  StreamCycle(
      StreamSettings settings,
      FetchPlan plan,
      Pass pass,
      StoreGuard guard,
      StoreComparison comparison,
      Retries retries) {
    this.settings = settings;
    this.plan = plan;
    this.pass = pass;
    this.guard = guard;
    this.comparison = comparison;
    this.retries = retries;
  }

  /**
   * Decides the next step: wait, ask who the location is, read the fetch that is due, finish it.
   */
  Step next(Moment now) {
    if (read != null && mayFinish()) {
      // It needs no request: neither a pause nor a key that was refused meanwhile holds it.
      return new Step.Finish(read, pass.end(read, List.of(), true, now.nanos()));
    }
    // What another stream found out about the key decides what is next.
    if (retries.mustFollowKey() || now.isBefore(retries.notBeforeNanos())) {
      return new Step.Wait(retries.notBeforeNanos());
    }
    if (retries.doubtsKey()) {
      return new Step.Identify();
    }
    Optional<Fetch> due = read == null ? plan.next(now.nanos(), now.server()) : Optional.of(read);
    if (due.isEmpty()) {
      long dueNanos = plan.dueNanos(now.nanos(), now.server());
      long until = guard.slotBefore(dueNanos);
      boolean waits = until == dueNanos || now.isBefore(until);
      return waits ? new Step.Wait(until) : new Step.Identify();
    }
    Fetch fetch = due.get();
    Answer answer = guard.answer(now.nanos());
    if (answer == Answer.ASK) {
      return new Step.Identify();
    }
    if (read != null) {
      boolean trusted = answer == Answer.TRUSTED && guard.hasKeyOfPass();
      List<Key> missing = pass.missing(fetch);
      return new Step.Finish(fetch, pass.end(fetch, missing, trusted, now.nanos()));
    }
    return switch (answer) {
      case REFUSED -> new Step.Refuse(fetch, guard.otherStore());
      case COMPARE -> new Step.Compare(fetch, comparison.sample(plan.position().watermark(), now));
      default -> new Step.Read(fetch);
    };
  }

  /** Draws the consequences of an outcome; returns what has to be reported. */
  List<Report> apply(Outcome outcome, Moment now) {
    List<Report> reports = new ArrayList<>(guard.follow(now.nanos()));
    reports.addAll(outcome.applyTo(this, now));
    if (!mayFinish()) {
      reports.addAll(retries.followKey(now));
    }
    return reports;
  }

  /** Returns whether a fetch was read to its end, and need not wait for the location's identity. */
  boolean mayFinish() {
    return read != null && !guard.mustJudge(read);
  }

  List<Report> compared(Fetch fetch, StoreComparison.Result shown, Moment now) {
    // Pages that came before may be the other store's, and prove nothing of this one.
    plan.restart(fetch);
    guard.decide(shown, now.nanos());
    return guard.follow(now.nanos());
  }

  /** A comparison has failed: nothing follows for the list that the fetch may be in. */
  List<Report> uncompared(Fetch fetch, ApiException failure, Moment now) {
    return failure.isTooMuch() && comparison.shrink()
        ? List.of()
        : retries.failedAtAnyLength(fetch, failure, now);
  }

  List<Report> refused(Fetch fetch, Incident incident, boolean hasNewKey, Moment now) {
    guard.askAgain();
    return retries.refusedStore(fetch, incident, hasNewKey, now);
  }

  List<Report> received(Fetch fetch, PageEnd end, Moment now) {
    plan.sent(fetch);
    int page = fetch.reading().page();
    Optional<String> stray = fetch.advance(end);
    if (stray.isPresent()) {
      return retries.strayed(fetch, page, stray.get(), now);
    }
    List<Report> reports = retries.succeeded(fetch, page);
    finishOnceTrusted(fetch, now);
    return reports;
  }

  private void finishOnceTrusted(Fetch fetch, Moment now) {
    if (fetch.reading().hasEnded()) {
      read = fetch;
      if (!pass.missing(fetch).isEmpty()) {
        // The keys may be another store's: the location must say again who it is.
        guard.missed(now.nanos());
      }
    }
  }

  List<Report> failed(Fetch fetch, ApiException failure, Moment now) {
    plan.sent(fetch);
    if (failure instanceof Refused refused && fetch.reading().mayEndBefore(refused.status())) {
      fetch.reading().refused();
      finishOnceTrusted(fetch, now);
      return fetch.reading().hasEnded()
          ? ended(fetch, refused)
          : retries.doubted(fetch, refused, now);
    }
    return retries.failed(fetch, failure, now);
  }

  /** The list ended with a page that does not exist: reported when it first does, or moves. */
  private List<Report> ended(Fetch fetch, Refused refused) {
    List<Report> reports = new ArrayList<>(retries.succeeded(fetch, fetch.reading().page()));
    int page = fetch.reading().page();
    boolean isNews = fetch.isPass() ? page != missingPage : !incrementHasEnded;
    missingPage = fetch.isPass() ? page : missingPage;
    incrementHasEnded |= !fetch.isPass();
    if (isNews) {
      reports.add(to -> to.listEnded(refused.incident()));
    }
    return reports;
  }

  List<Report> overflowed(Fetch fetch, Moment now) {
    // From its beginning, since what follows this page may be too many for ever.
    plan.restart(fetch);
    return List.of(
        retries.suspendUntilComplete(
            fetch, full("identical rows included, the list has more"), now));
  }

  List<Report> finished(Fetch fetch, PassEnd end, Instant began, Moment now) {
    read = null;
    guard.judged();
    boolean waits = fetch.counts().get(Count.WAITING) > 0 || waiting.contains(fetch.kind());
    if (waits && !(fetch.endsPass() && provesAbsence())) {
      return waitForRoom(fetch, now);
    }
    plan.completed(fetch, began, now.nanos());
    pass.ended(fetch, end, now.nanos());
    List<Report> reports = new ArrayList<>();
    if (fetch.endsPass()) {
      planNextPass(fetch, end, waits, now);
      if (provesAbsence()) {
        if (end.isWhole()) {
          guard.everyKeyShown(now.nanos());
        }
        int unreadable = pass.unreadableRows();
        reports.add(
            to -> to.passCompleted(unreadable, end.verdict().waitingFor(Reason.UNREADABLE)));
        reports.addAll(deletes(end.verdict(), now));
      }
    }
    boolean inVain = madeRoom;
    if (fetch.endsPass()) {
      madeRoom = waits && !end.verdict().gone().isEmpty();
    }
    if (!waits) {
      reports.addAll(completed(fetch, end, now));
      if (fetch.reachesNow() || fetch.kind() == FetchKind.BACKFILL) {
        // Rows of a later window may wait, which the next windows read again from the first one on.
        reports.addAll(retries.completed(fetch));
      }
    } else if (inVain || !madeRoom) {
      reports.add(suspendFull(fetch, now));
    }
    return reports;
  }

  private List<Report> completed(Fetch fetch, PassEnd end, Moment now) {
    List<Report> reports = new ArrayList<>();
    DigestCapacity capacity = pass.capacity();
    StreamOffset position =
        plan.position().withIdentity(guard.known(now.nanos())).withSuspects(pass.suspects());
    Completed completed = new Completed(fetch, end.again(), position);
    reports.add(to -> to.completed(completed));
    if (capacity.needsReconciliation()) {
      plan.confirmAt(now.nanos());
    }
    if (capacity.hasEvicted()) {
      Incident full = full("the oldest keys are evicted; a change of one is op c");
      reports.add(to -> to.keysEvicted(full));
    }
    boolean snapshotEnds = fetch.source().snapshot() && position.snapshotted();
    if (snapshotEnds) {
      reports.add(StreamReporter::snapshotCompleted);
    }
    if ((snapshotEnds || fetch.endsPass()) && !pass.unmetPaths().isEmpty()) {
      List<String> absent = List.copyOf(pass.unmetPaths());
      reports.add(to -> to.privateFieldsAbsent(absent));
    }
    return reports;
  }

  private boolean provesAbsence() {
    return settings.resource().retrieval().provesAbsence();
  }

  /**
   * Keeps the watermark, so that the rows that found no room come again. A reconciliation follows,
   * since it may make room: it shows which keys are gone, or too old to be read again.
   */
  private List<Report> waitForRoom(Fetch fetch, Moment now) {
    pass.capacity().ended(fetch);
    if (fetch.kind() == FetchKind.BACKFILL) {
      fetch.readAgain();
      return List.of(suspendFull(fetch, now));
    }
    plan.completed(fetch, plan.position().watermark(), now.nanos());
    plan.confirmAt(now.nanos());
    if (fetch.reachesNow()) {
      waiting.remove(fetch.kind());
    } else {
      waiting.add(fetch.kind());
    }
    // The reconciliation that may make room, and what comes before it, go on without a pause.
    boolean goesOn =
        !fetch.reachesNow() || (fetch.reconciliation().isPresent() && !fetch.endsPass());
    if (goesOn && retries.suspension().isPresent()) {
      retries.staysUntilComplete(fetch);
      return List.of();
    }
    return List.of(suspendFull(fetch, now));
  }

  private Report suspendFull(Fetch fetch, Moment now) {
    return retries.suspendUntilComplete(fetch, full("new rows wait until others are gone"), now);
  }

  private Incident full(String consequence) {
    return Problem.CEILING_REACHED.incident(
        settings.stream().id(),
        "the digest holds digest.max.keys=" + settings.digestMaxKeys() + " keys; " + consequence);
  }

  private void planNextPass(Fetch fetch, PassEnd end, boolean waits, Moment now) {
    // Also where no room was made: only a pass shows that no row waits any longer.
    boolean atOnce = end.again() || waits;
    if (fetch.kind() == FetchKind.SNAPSHOT && !atOnce) {
      plan.snapshotRead();
    }
    if (atOnce) {
      plan.confirmAt(now.nanos());
    } else if (end.verdict().wantsAnotherPass()) {
      plan.confirmAt(end.verdict().againNanos());
    } else {
      plan.passAccepted(fetch);
    }
  }

  private List<Report> deletes(Verdict verdict, Moment now) {
    if (verdict.waitingFor(Reason.UNVERIFIED) > 0) {
      // Not at once: a location may be silent for a while, and no person has to act.
      boolean lasts =
          verdict.longestNanos(Reason.UNVERIFIED, now.nanos())
              >= settings.deletesConfirm().toNanos();
      String detail = "and it is unclear which store answers; " + again(verdict, now);
      return lasts ? held(Problem.DELETES_UNVERIFIED, verdict, detail) : List.of();
    }
    if (verdict.waitingFor(Reason.MISSING) > 0 && verdict.againNanos() - now.nanos() > 0) {
      String ratio = "more within an hour than deletes.max.ratio=" + settings.deletesMaxRatio();
      String detail = ratio + " allows; " + again(verdict, now);
      return held(Problem.DELETES_HELD, verdict, detail);
    }
    if (verdict.waitingFor(Reason.UNREADABLE) > 0) {
      String detail =
          "and a row has no readable key; they wait until it is readable or leaves the list";
      return held(Problem.DELETES_UNCERTAIN, verdict, detail);
    }
    // A pass that follows at once shows whether the keys are deleted, or there again.
    boolean isOpen = verdict.wantsAnotherPass() && verdict.deletes() == 0;
    return isOpen ? List.of() : List.of(to -> to.deletesReleased(verdict.deletes()));
  }

  private static String again(Verdict verdict, Moment now) {
    Duration wait = Duration.ofNanos(Math.max(0, verdict.againNanos() - now.nanos()));
    return "another full read must confirm it, in %s, at %s"
        .formatted(Text.duration(wait), now.wall().plus(wait).truncatedTo(ChronoUnit.SECONDS));
  }

  private List<Report> held(Problem problem, Verdict verdict, String detail) {
    int keys = verdict.keysWaiting();
    String what = Text.count(keys, "key") + " vanished, " + detail;
    Incident incident = problem.incident(settings.stream().id(), what);
    return List.of(to -> to.deletesHeld(incident, keys));
  }

  /** What follows failures, and whether the stream is suspended. */
  Retries retries() {
    return retries;
  }
}
