package io.posconnect.fetch;

import io.posconnect.change.Digest;
import io.posconnect.fetch.LocationIdentity.Name;
import io.posconnect.problem.Incident;
import io.posconnect.problem.Problem;
import io.posconnect.resource.Reading;
import io.posconnect.resource.Retrieval;
import io.posconnect.resource.Retrieval.Cycle;
import io.posconnect.resource.Shape;
import io.posconnect.resource.StreamSettings;
import io.posconnect.resource.Window;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Guards a stream against another store's rows: answers whether what a location sends may be
 * believed.
 *
 * <p>The checkpoints remember the location's identity. While the location does not say who it is,
 * rows are read and nothing is deleted. If it gives another name, nothing is read before its rows
 * are {@linkplain StoreComparison compared} with the digest. At least {@link
 * StoreComparison#ENOUGH} keys decide for all streams of the location in the task, fewer for this
 * stream only, and where there is no key there is nothing to protect. An answer that it is another
 * store holds until the location is asked again, which each probe of a suspended stream does.
 *
 * <p>Rows that were read since the location last gave its known name may be another store's. Beside
 * older ones their entries prove nothing, so the guard remembers where the digest ended then, in
 * the checkpoints too. Once the location has given another name, they may be in the digest until a
 * pass under the known name shows every other key.
 */
final class StoreGuard {

  // In the checkpoints, between the known identity and where the digest ended when it was given:
  // another store's rows may have followed, or rows that no answer has proven yet.
  private static final String UNCLEAR = "?";
  private static final String UNPROVEN = "+";
  private static final String EITHER = "[" + UNCLEAR + UNPROVEN + "]";

  /** What a stream may do now. */
  enum Answer {
    /** The location is the store that was read before. */
    TRUSTED,
    /** It is unclear which store it is: rows may be emitted, and nothing deleted. */
    READ_ONLY,
    /** It is another store. */
    REFUSED,
    /** The location must be asked who it is. */
    ASK,
    /** Its rows must be compared with the digest. */
    COMPARE
  }

  private record Verdict(String name, boolean same, int version) {}

  private final StreamSettings settings;
  private final LocationIdentity identity;
  private final Digest digest;
  private final StoreComparison comparison;
  private String known;
  private Digest.End end;
  private long askedNanos;
  private boolean unclear;

  // When the location was asked last, as far as this stream noticed, and where the digest ended.
  private long askingNanos;
  private Digest.End endAtAsking;

  // When the keys were missing about which is to be judged: an answer that was asked for before
  // does not say whose they are.
  private @Nullable Long missedNanos;

  // When the digest had rows for the first time, of which no answer has proven any.
  private @Nullable Long unprovenNanos;

  // With which of the location's keys the pass began, and rows were read that no answer has proven.
  private int passKey;
  private @Nullable Integer readKey;

  // The digest may hold another store's rows.
  private boolean mixed;
  private @Nullable Verdict verdict;

  // The location gave another name last, and nothing has shown that it is the known store.
  private boolean hasOtherName;

  /**
   * @param known what {@link #known} was in the latest checkpoint; may be empty
   */
  StoreGuard(
      StreamSettings settings,
      LocationIdentity identity,
      Digest digest,
      StoreComparison comparison,
      String known) {
    this.settings = settings;
    this.identity = identity;
    this.digest = digest;
    this.comparison = comparison;
    String[] parts = known.split(EITHER, 2);
    this.known = parts[0];
    end = digest.end();
    endAtAsking = end;
    digest.prove(parts.length < 2 ? end : Digest.End.parse(parts[1]).orElse(end));
    mixed = known.contains(UNCLEAR) && isReconciled();
  }

  /** Returns what the stream may do now. */
  Answer answer(long nowNanos) {
    Optional<String> current = identity.current(nowNanos);
    if (current.isEmpty() || isOlder(missedNanos) || isOlder(unprovenNanos)) {
      boolean asks = identity.mustBeAsked(nowNanos, missedNanos != null || hasOtherName);
      return asks ? Answer.ASK : Answer.READ_ONLY;
    }
    String name = current.get();
    if (known.isEmpty() || name.equals(known) || digest.keys() == 0) {
      return Answer.TRUSTED;
    }
    return identity
        .verdict(name, digest.keys() >= StoreComparison.ENOUGH, nowNanos)
        .or(() -> ownVerdict(name))
        .or(() -> isSingle() ? Optional.of(true) : Optional.empty())
        .map(same -> same ? Answer.TRUSTED : Answer.REFUSED)
        .orElse(Answer.COMPARE);
  }

  /** As {@link LocationIdentity#slotBefore}. */
  long slotBefore(long nanos) {
    return identity.slotBefore(nanos);
  }

  private boolean isOlder(@Nullable Long nanos) {
    return nanos != null && identity.askedNanos() - nanos < 0;
  }

  /** Returns whether the resource is one object, which has no deletes and nothing to compare. */
  private boolean isSingle() {
    return new Reading(settings.resource(), Window.ALL).shape().equals(Shape.OBJECT);
  }

  private Optional<Boolean> ownVerdict(String name) {
    return Optional.ofNullable(verdict)
        .filter(each -> each.name().equals(name))
        .filter(each -> each.same() || each.version() == identity.version())
        .map(Verdict::same);
  }

  /** Adopts the identity that {@link #answer} trusts now; returns what has to be reported. */
  List<Report> follow(long nowNanos) {
    // Rows may be later than the answer, or come between its request and it.
    long asked = identity.askedNanos();
    Digest.End shown = asked == askingNanos ? endAtAsking : end;
    noteAsking();
    end = digest.end();
    if (unprovenNanos == null && end.keys() > 0 && digest.proven().keys() == 0) {
      unprovenNanos = nowNanos;
    }
    Answer answer = answer(nowNanos);
    unclear = answer != Answer.TRUSTED && (unclear || answer != Answer.ASK);
    if (answer == Answer.COMPARE || answer == Answer.REFUSED) {
      mixed = isReconciled();
      hasOtherName = true;
    }
    String current = identity.current(nowNanos).orElse(null);
    if (current == null) {
      return List.of();
    }
    List<Report> reports = new ArrayList<>();
    if (current.isEmpty()) {
      Incident incident = Problem.UNKNOWN_STORE.incident(settings.stream().id());
      reports.add(to -> to.warnOnce(incident));
    }
    // An answer without a name takes none away: the next store with one would be believed unseen.
    String name = current.isEmpty() ? known : current;
    if (answer == Answer.TRUSTED && (askedNanos != asked || !name.equals(known))) {
      askedNanos = asked;
      hasOtherName = false;
      mixIn(identity.key());
      if (!mixed) {
        digest.prove(shown);
      }
      readKey = shown.equals(end) ? null : readKey;
      comparison.cancel();
      // Nothing has shown whose row a single object is.
      if (!known.isEmpty() && !name.equals(known) && !isSingle()) {
        reports.add(StreamReporter::storeRenamed);
      }
      known = name;
    }
    return reports;
  }

  /** Remembers where the digest ended when a request began to ask the location. */
  private void noteAsking() {
    long asking = identity.askingSinceNanos();
    if (asking != askingNanos) {
      askingNanos = asking;
      endAtAsking = end;
    }
  }

  /** Returns whether a pass will show which keys are not the known store's. */
  private boolean isReconciled() {
    boolean alwaysPasses = retrieval().cycle() == Cycle.FULL_READS;
    return retrieval().provesAbsence()
        && (alwaysPasses || !settings.reconciliationInterval().isZero());
  }

  /**
   * Returns whether the end of that fetch waits for the location's name: it has missed keys, or
   * will show which keys are the known store's.
   */
  boolean mustJudge(Fetch read) {
    return missedNanos != null || (read.endsPass() && mixed);
  }

  /** Records that a pass has shown every key that the digest still holds. */
  void everyKeyShown(long nowNanos) {
    if (mixed && hasKeyOfPass() && answer(nowNanos) == Answer.TRUSTED) {
      mixed = false;
      digest.prove(digest.end());
    }
  }

  /**
   * Has the location be asked again until it is {@link #judged} about the keys that a pass has
   * missed. Other streams go on with its last answer, and with one that is under way.
   */
  void missed(long nowNanos) {
    missedNanos = nowNanos;
  }

  /** Records that a request of the fetch follows. */
  void reads(Fetch fetch) {
    int key = identity.key();
    mixIn(key);
    readKey = key;
    if (fetch.isPass() && !fetch.continues()) {
      passKey = key;
    }
  }

  /** Only an answer to the same key proves whose the rows are that were read before. */
  private void mixIn(int key) {
    if (readKey != null && readKey != key) {
      mixed = isReconciled();
    }
  }

  /**
   * Returns whether the location still has the key that the pass was read with: otherwise its rows
   * may be of another store than the one that answers now.
   */
  boolean hasKeyOfPass() {
    return passKey == identity.key();
  }

  /** Records that it was judged about the missing keys, with an answer or without. */
  void judged() {
    missedNanos = null;
  }

  /** Has the location be asked again, and its rows be compared once more. */
  void askAgain() {
    identity.invalidate();
  }

  /**
   * The identity that the checkpoints and the offsets of rows remember, and what the digest knew of
   * it: a stop may follow before an answer shows whose the rows after it are. The first rows may
   * follow the answer to another stream before this one has adopted it; without it, a key that
   * opens another store after a restart would be taken for the right one.
   */
  String known(long nowNanos) {
    String name = known.isEmpty() ? identity.current(nowNanos).orElse("") : known;
    return name.isEmpty() ? "" : name + (unclear || mixed ? UNCLEAR : UNPROVEN) + digest.proven();
  }

  /**
   * Records what a comparison has shown of the name that it began with; nothing if the key was
   * replaced meanwhile, since the rows may be of the store that the new one opens.
   */
  void decide(StoreComparison.Result shown, long nowNanos) {
    Name name = comparison.name().orElse(null);
    if (shown.complete() && name != null && name.key() == identity.key()) {
      verdict = new Verdict(name.text(), shown.isSameStore(), identity.version());
      if (shown.decidesForAll()) {
        identity.judged(name.text(), shown.isSameStore(), nowNanos);
      }
    }
  }

  /** Why nothing is read of another store. */
  Incident otherStore() {
    return Problem.OTHER_STORE.incident(
        settings.stream().id(),
        "the key of location "
            + settings.stream().location()
            + " opens another store than the one that was read before");
  }

  private Retrieval retrieval() {
    return settings.resource().retrieval();
  }
}
