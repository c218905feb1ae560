package io.posconnect.task;

import io.posconnect.offset.DigestCodec.Decoded;
import io.posconnect.offset.DigestReader.Loss;
import io.posconnect.offset.DigestReader.Restored;
import io.posconnect.offset.DigestScope;
import io.posconnect.offset.Snapshot;
import io.posconnect.offset.Snapshot.State;
import io.posconnect.offset.StreamContext;
import io.posconnect.offset.StreamOffset;
import io.posconnect.problem.Incident;
import io.posconnect.problem.Problem;
import io.posconnect.record.Contract;
import io.posconnect.resource.Numbering;
import io.posconnect.task.OffsetLoader.StreamToResume;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Decides how one stream resumes: where it left off, or with another snapshot, which emits
 * everything once more.
 *
 * <p>The latest snapshot is known from the position or from the newest segment of the digest,
 * whichever is later: a position is written when a snapshot's first fetch is complete, and after a
 * reset or a rewind by hand there is none. While a snapshot runs, a watermark that was set by hand
 * does not count, since what lies before it may not have been read.
 *
 * <p><b>Other keys.</b> The old keys stay in the topic, and no event can name the new key of a row.
 * So other key fields need a second confirmation, a new {@code snapshot.id}; without it nothing is
 * read, and undoing the change loses nothing.
 *
 * <p><b>Another contract.</b> A larger contract leaves earlier rows true, only in another form. A
 * decimal of another scale does not: registries accept it, and consumers with the new schema
 * misread every earlier value. The scale of a field counts also while it is not declared.
 */
final class Resumption {

  /**
   * The stored state of a stream.
   *
   * @param position of the latest checkpoint; empty after a rewind or a reset by hand
   * @param rewind the watermark that a person has set
   */
  record Stored(Optional<StreamOffset> position, Optional<Instant> rewind, Restored digest) {}

  private final StreamToResume stream;
  private final DigestScope scope;
  private final Stored stored;
  private final Optional<Incident> lost;
  private final Instant now;
  private final Numbering numbering;

  private Resumption(StreamToResume stream, Stored stored, Instant now) {
    this.stream = stream;
    this.scope = stream.scope();
    this.stored = stored;
    this.lost = stored.digest().loss().map(this::lost);
    this.now = now;
    Numbering known = numbering();
    this.numbering = isUncertain() ? known.restartedAt(now.toEpochMilli()) : known;
  }

  static ResumePlan decide(StreamToResume stream, Stored stored, Instant now) {
    Resumption resumption = new Resumption(stream, stored, now);
    return resumption
        .latest()
        // An earlier build may have spelled the scope otherwise, so nothing follows from it.
        .filter(before -> resumption.lost.stream().noneMatch(Resumption::isOlder))
        .map(resumption::resume)
        .orElseGet(resumption::begin);
  }

  /** The state of the stream at its latest record; empty when nothing is stored. */
  private Optional<StreamContext> latest() {
    Optional<StreamContext> ofPosition = stored.position().map(StreamOffset::context);
    // Within one snapshot the position knows whether it is complete.
    return stored
        .digest()
        .newest()
        .map(Decoded::context)
        .filter(
            newest ->
                ofPosition.isEmpty() || newest.snapshot().isAfter(ofPosition.get().snapshot()))
        .or(() -> ofPosition);
  }

  /**
   * Until a snapshot has written over the damage that it answers, the same damage again, of what it
   * wrote, cannot be distinguished from it. So more events may be numbered than is stored.
   */
  private boolean isUncertain() {
    return !stored.digest().unreadable().isEmpty()
        && latest().filter(before -> before.snapshot().runs()).isPresent();
  }

  private ResumePlan begin() {
    String id = stream.snapshotId();
    Snapshot first = started(stream.baseline() ? Snapshot.baseline(id) : Snapshot.first(id));
    StreamOffset start =
        StreamOffset.start(
            StreamContext.of(first, scope, Numbering.beginningAt(now.toEpochMilli())));
    return lost.isPresent()
        ? new ResumePlan.Restart(snapshot(start.context()), lost.get())
        : new ResumePlan.Continue(
            stored.rewind().map(at -> rewound(start, at)).orElse(start), null);
  }

  private ResumePlan resume(StreamContext before) {
    Optional<Incident> refusal = refusal(before);
    if (refusal.isPresent()) {
      return new ResumePlan.Refuse(resumed(before, before.scope()), refusal.get());
    }
    Optional<Incident> reason = reasonForSnapshot(before);
    return reason.isPresent()
        ? new ResumePlan.Restart(snapshot(before), reason.get())
        : new ResumePlan.Continue(resumed(before, grown(before.scope())), notice(before));
  }

  /** Returns whether a person asks for one more snapshot. */
  private boolean isRenamed(Snapshot before) {
    return !before.name().equals(stream.snapshotId());
  }

  /** Why nothing may be read. */
  private Optional<Incident> refusal(StreamContext before) {
    boolean reset = stored.position().isEmpty() && stored.rewind().isEmpty();
    if (!before.scope().keys().equals(scope.keys()) && !isRenamed(before.snapshot()) && !reset) {
      return Optional.of(keyFieldsChanged(before.scope().keys()));
    }
    // In another topic nothing stands yet.
    return before.scope().topic().equals(scope.topic())
        ? contract(scope)
            .misread(contract(before.scope()))
            .map(what -> incident(Problem.VALUES_MISREAD, what))
        : Optional.empty();
  }

  private Incident keyFieldsChanged(String before) {
    String prefix = "resources." + stream.stream().resource() + ".";
    return incident(
        Problem.KEY_FIELDS_CHANGED,
        "keys would be made of %s, and its rows stand in the topic under keys of %s; nothing is read or deleted, since"
                .formatted(scope.keys(), before)
            + " %skey.fields (or its .occurrences, its schema, decimal.handling.mode, schema.namespace, or that a key"
                .formatted(prefix)
            + " field is hashed, or its salt) was changed and neither snapshot.id nor %ssnapshot.id was"
                .formatted(prefix));
  }

  /** Why everything is emitted once more. */
  private Optional<Incident> reasonForSnapshot(StreamContext context) {
    DigestScope before = context.scope();
    if (!before.keys().equals(scope.keys())) {
      return Optional.of(
          incident(
              Problem.KEYS_REPLACED,
              "keys are made of %s from now on, no longer of %s; every row is emitted under its new key, and nothing deletes the old keys"
                  .formatted(scope.keys(), before.keys())));
    }
    if (isRenamed(context.snapshot())) {
      return snapshotBegins("snapshot.id is \"" + stream.snapshotId() + "\" now");
    }
    if (lost.isPresent()) {
      return lost;
    }
    if (!before.topic().equals(scope.topic())) {
      return snapshotBegins("its topic is " + scope.topic() + " now, no longer " + before.topic());
    }
    return scope.comparesAs(before)
        ? Optional.empty()
        : snapshotBegins(
            "what is read, or compared, is \"%s\" now, no longer \"%s\""
                .formatted(scope.comparison(), before.comparison()));
  }

  private Optional<Incident> snapshotBegins(String why) {
    return Optional.of(incident(Problem.SNAPSHOT_BEGINS, why));
  }

  private static boolean isOlder(Incident lost) {
    return lost.problem() == Problem.OFFSET_OLDER;
  }

  private Incident lost(Loss loss) {
    return incident(
        loss.problem(),
        "parts of the digest cannot be read (%s); everything is emitted once more, since changes cannot be distinguished from repeats"
            .formatted(loss.detail()));
  }

  private Incident incident(Problem problem, String detail) {
    return problem.incident(stream.stream().id(), detail);
  }

  private @Nullable Incident notice(StreamContext before) {
    return contract(scope).differs(contract(before.scope()))
        ? Problem.CONTRACT_CHANGED.incident(stream.stream().id())
        : null;
  }

  /** The scope from now on, which keeps the meanings of fields that are declared no longer. */
  private DigestScope grown(DigestScope before) {
    return before.topic().equals(scope.topic())
        ? scope.withContract(contract(scope).after(contract(before)).text())
        : scope;
  }

  private static Contract contract(DigestScope scope) {
    return Contract.parse(scope.contract());
  }

  private StreamOffset snapshot(StreamContext before) {
    boolean lacks = lost.isPresent() || (before.snapshot().runs() && before.isIncomplete());
    Snapshot next = started(before.snapshot()).next(stream.snapshotId());
    boolean sameEvents = lost.isEmpty() && before.scope().topic().equals(scope.topic());
    return StreamOffset.start(
        new StreamContext(
            isRenamed(before.snapshot()) ? startedAgain(next) : next,
            grown(before.scope()),
            sameEvents ? numbering : numbering.restartedAt(now.toEpochMilli()),
            identity(),
            damaged(lacks)));
  }

  private String damaged(boolean lacks) {
    String marks = stored.digest().damaged();
    return lacks ? (StreamContext.LOST + " " + marks).strip() : marks;
  }

  /** The snapshot with the beginning of a date range, which it keeps once it has it. */
  private Snapshot started(Snapshot snapshot) {
    return snapshot.hasStart()
        ? snapshot
        : stream.startFrom().map(from -> snapshot.since(from.resolve(now))).orElse(snapshot);
  }

  private Snapshot startedAgain(Snapshot next) {
    return stream.startFrom().map(from -> next.since(from.again(next.start(), now))).orElse(next);
  }

  private StreamOffset resumed(StreamContext before, DigestScope scopeNow) {
    StreamContext context =
        new StreamContext(
            started(before.snapshot()),
            scopeNow,
            numbering,
            identity(),
            lost.isPresent() ? before.damaged() : damaged(before.isIncomplete()));
    if (stored.position().isPresent()
        && stored.position().get().context().snapshot().isSameAs(before.snapshot())) {
      return stored.position().get().withContext(position -> context);
    }
    StreamOffset start =
        StreamOffset.start(
            before.snapshot().isSilent()
                ? context
                : context.withSnapshot(before.snapshot().in(State.RUNNING)));
    return stored
        .rewind()
        .filter(at -> !before.snapshot().runs())
        .map(at -> rewound(start, at))
        .orElse(start);
  }

  /** The watermark that a person has set, in a stream that is otherwise like that. */
  private static StreamOffset rewound(StreamOffset start, Instant watermark) {
    return start.withWatermark(watermark).withSnapshotCompleted(StreamOffset.NEVER);
  }

  /** A rewind keeps it; a reset forgets it. */
  private String identity() {
    return stored
        .position()
        .map(StreamOffset::context)
        .or(() -> stored.rewind().flatMap(at -> stored.digest().newest()).map(Decoded::context))
        .map(StreamContext::identity)
        .orElse("");
  }

  /**
   * Returns whether an earlier process may have stored the newest segment: the position vouches for
   * a later one, or a person has replaced it.
   */
  private boolean mayBeOfEarlierProcess(Decoded newest) {
    return stored
        .position()
        .filter(at -> at.vouched().sequence() <= newest.stored().header().sequence())
        .isEmpty();
  }

  /**
   * Under exactly-once the newest segment knows the latest event. Under at-least-once it may be
   * ahead of an event that was never written, so numbers are used again rather than left out: from
   * the latest checkpoint, or in a new numbering. So they are once exactly-once follows.
   */
  private Numbering numbering() {
    Numbering ofPosition =
        stored.position().map(p -> p.context().numbering()).orElse(Numbering.NONE);
    Optional<Decoded> newest = stored.digest().newest();
    Numbering ofDigest = newest.map(each -> each.context().numbering()).orElse(ofPosition);
    if (stream.exactlyOnce() || ofDigest.epochMillis() < ofPosition.epochMillis()) {
      if (!ofDigest.isAfter(ofPosition)) {
        return ofPosition;
      }
      return mayBeOfEarlierProcess(newest.orElseThrow())
          ? ofDigest.restartedAt(now.toEpochMilli())
          : ofDigest;
    }
    return ofDigest.epochMillis() == ofPosition.epochMillis()
        ? ofPosition
        : ofDigest.restartedAt(now.toEpochMilli());
  }
}
