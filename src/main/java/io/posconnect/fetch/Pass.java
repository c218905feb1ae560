package io.posconnect.fetch;

import io.posconnect.change.Digest;
import io.posconnect.fetch.DeleteDetector.Verdict;
import io.posconnect.fetch.Reconciliation.RecentKeys;
import io.posconnect.fetch.ServerTime.Moment;
import io.posconnect.fetch.Twins.Resolution;
import io.posconnect.fetch.Twins.Twin;
import io.posconnect.json.Row;
import io.posconnect.record.Provenance.FetchKind;
import io.posconnect.resource.Key;
import io.posconnect.resource.Retrieval;
import io.posconnect.resource.StreamSettings;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Owns the rules of a pass: which row is a change, which keys are there, and which are gone.
 *
 * <p>A <em>pass</em> is one complete read of a resource (a snapshot, or a reconciliation; of a date
 * range, its last days). It may take many responses. Increments run beside it and belong to none.
 *
 * <p><b>Order.</b> A key that an increment returned during a reconciliation, or less than a
 * lookback before, is <em>fresh</em>: the reconciliation neither updates nor deletes it, since its
 * body, or the replica behind it, may be older than the increment.
 *
 * <p><b>Twins.</b> Rows stream, so the first row of a key is emitted as it comes. A second content
 * puts the key <em>in conflict</em>; within one response it is a dead letter, in a later response
 * of the pass it may be a change, so the next pass decides. From then on the rows of the key are
 * set aside until the end of each complete pass: the content that was emitted last stays while any
 * row shows it, otherwise the first row is emitted; the others are dead letters. A pass that shows
 * one content ends the conflict, and that content is emitted. In an increment a content that was
 * emitted last or is a known dead letter of the key is no change; any other is an update.
 *
 * <p><b>What is there.</b> A row whose key can be read counts as seen even if it becomes a dead
 * letter. A row whose key cannot be read may be a missing one, so it holds the keys that vanished
 * when or before it appeared; see {@link DeleteDetector}. Such rows are identified by their text
 * without {@code ignore.fields}, and after a start all of them count as new. Dead letters are no
 * keys: no ratio counts them.
 *
 * <p><b>An example.</b> Pass 1 shows {@code 1=a, 2=b, 2=c} in one response: it emits 1=a and 2=b;
 * 2=c is a dead letter, and 2 is in conflict. Pass 2 shows {@code 2=c} and a row without a readable
 * key: 2=c is set aside; at the end it is the only content, so 2=c is emitted and the conflict
 * ends. Key 1 is missing, and held, since the unreadable row appeared in the same pass. In pass 3
 * that row is gone: 1 is deleted.
 *
 * <p>The rules hold for any order of rows, changes and restarts; the crash law tries them.
 */
class Pass {

  /** What a row is. */
  enum Ruling {
    /** A new key. */
    CREATE,
    /** A key with another content. */
    UPDATE,
    /** What the digest knows. */
    UNCHANGED,
    /** Older than what an increment returned, or a known dead letter. */
    IGNORED,
    /** One of several rows of its key. */
    TWIN,
    /** A new key for which the digest has no room. */
    NO_ROOM
  }

  // A list that loses rows whenever it is read must end some time.
  private static final int MOST_SNAPSHOT_PASSES = 4;

  // Distinguishes a twin's dead letter from that of a broken row with the same content.
  private static final long TWIN = 0x2545F4914F6CDDL;

  private final Digest digest;
  private final DigestCapacity capacity;
  private final DeleteDetector detector;
  private final Retrieval retrieval;
  private final boolean provesAbsence;
  private final RecentKeys recentKeys;
  private final Twins twins = new Twins();
  private final Occurrences occurrences = new Occurrences();
  private final List<Key> changedByReconciliation = new ArrayList<>();

  // Rows of this pass whose key cannot be read, and in which pass each appeared.
  private final Map<Key, Long> unreadable = new HashMap<>();
  private Map<Key, Long> unreadableBefore = Map.of();

  // Private paths that no row of this pass, or of the backfill, has; null before its first row.
  private @Nullable Set<String> unmetPaths;

  // Whether a response of this pass broke off.
  private boolean hasBrokenOff;
  private int snapshotPasses;

  Pass(StreamSettings settings, Digest digest, DigestCapacity capacity, DeleteDetector detector) {
    this.digest = digest;
    this.capacity = capacity;
    this.detector = detector;
    retrieval = settings.resource().retrieval();
    provesAbsence = retrieval.provesAbsence();
    recentKeys = new RecentKeys(settings.resource().lookback());
  }

  /** The pass of a stream that resumes with that digest. */
  static Pass of(StreamSettings settings, Digest digest) {
    return new Pass(
        settings, digest, new DigestCapacity(settings, digest), new DeleteDetector(settings));
  }

  /** Begins a response of the fetch: the pass begins with the first of them. */
  void responseBegins(Fetch fetch, Moment now) {
    fetch.attempt(now, digest.tick());
    boolean first = !fetch.continues();
    occurrences.request(first);
    // The windows of a date range are fetches of one pass.
    if (fetch.isPass()
        && first
        && (provesAbsence || fetch.reconciliation().map(Reconciliation::startPass).orElse(true))) {
      twins.passBegins();
      unreadable.clear();
      unmetPaths = null;
    }
  }

  /**
   * Ends a response.
   *
   * @param whole whether it was read to its end; otherwise its rows will come again
   */
  void responseEnds(Fetch fetch, boolean whole) {
    if (!whole) {
      occurrences.rollBack();
      hasBrokenOff |= fetch.isPass();
    }
    // The next answer, to the same request or the next page's, may be older than this one. Not
    // sooner, or a key that stands in one answer twice would pass unnoticed.
    fetch.reconciliation().ifPresent(running -> changedByReconciliation.forEach(running::changed));
    changedByReconciliation.clear();
  }

  /** Records the private paths that no row of a response has. */
  void searched(Fetch fetch, Set<String> unmet) {
    if (fetch.kind() == FetchKind.INCREMENT) {
      return;
    }
    if (unmetPaths == null) {
      unmetPaths = new TreeSet<>(unmet);
    } else {
      unmetPaths.retainAll(unmet);
    }
  }

  /** The private paths that no row of the pass has; none where there was no row. */
  Set<String> unmetPaths() {
    return unmetPaths == null ? Set.of() : unmetPaths;
  }

  /** Counts one more of the rows with these key fields; returns its number, from 1. */
  int nextOccurrence(Key base) {
    return occurrences.next(base);
  }

  /** Returns how many keys the occurrence numbers of this pass take. */
  int occurrencesHeld() {
    return occurrences.size();
  }

  /**
   * Doubts an occurrence number that is new; returns whether another pass must show it before the
   * row is believed.
   */
  boolean doubt(Key key, int number) {
    return number > 1 && !digest.contains(key) && occurrences.doubt(key);
  }

  /** Rules on a row that can become an event; the digest knows it afterwards. */
  Ruling rule(Fetch fetch, Key key, long hash, Row row, long nowNanos) {
    if (fetch.kind() == FetchKind.RECONCILIATION && isOutdated(fetch, key, nowNanos)) {
      see(key, hash);
      return Ruling.IGNORED;
    }
    if (fetch.kind() == FetchKind.INCREMENT) {
      recentKeys.add(key, nowNanos);
      fetch.reconciliation().ifPresent(running -> running.refresh(key));
    }
    Ruling ruling =
        fetch.isPass() ? ruleInPass(fetch, key, hash, row) : ruleInIncrement(fetch, key, hash);
    if (ruling == Ruling.IGNORED || ruling == Ruling.TWIN) {
      see(key, hash);
    }
    if (fetch.kind() == FetchKind.RECONCILIATION
        && (ruling == Ruling.CREATE || ruling == Ruling.UPDATE)) {
      changedByReconciliation.add(key);
    }
    return ruling;
  }

  private void see(Key key, long hash) {
    digest.see(key);
    digest.see(deadLetter(hash));
  }

  /** Returns whether an increment has returned the key, so that this row may be older. */
  boolean isOutdated(Fetch fetch, Key key, long nowNanos) {
    return recentKeys.contains(key, nowNanos)
        || fetch.reconciliation().filter(running -> running.isFresh(key)).isPresent();
  }

  private Ruling ruleInPass(Fetch fetch, Key key, long hash, Row row) {
    boolean emittedLast = isEmittedLast(key, hash);
    if (twins.areSetAside(key)) {
      return setAside(key, hash, row) || emittedLast ? Ruling.IGNORED : Ruling.TWIN;
    }
    if (isSeenEarlier(fetch, key)) {
      if (emittedLast) {
        return Ruling.UNCHANGED;
      }
      if (isInThisResponse(fetch, key)) {
        return twin(key, hash);
      }
      twins.doubt(key);
      return Ruling.IGNORED;
    }
    if (!emittedLast && digest.contains(key) && digest.contains(deadLetter(hash))) {
      // Found before a restart.
      return setAside(key, hash, row) ? Ruling.IGNORED : Ruling.TWIN;
    }
    return classify(fetch, key, hash);
  }

  private boolean setAside(Key key, long hash, Row row) {
    return twins.setAside(new Twin(key, hash, row));
  }

  private Ruling ruleInIncrement(Fetch fetch, Key key, long hash) {
    if (isEmittedLast(key, hash)) {
      return classify(fetch, key, hash);
    }
    boolean known =
        digest.contains(key) && (twins.isRejected(key, hash) || digest.contains(deadLetter(hash)));
    if (known) {
      twins.reject(key, hash);
      return Ruling.IGNORED;
    }
    return isInThisResponse(fetch, key) ? twin(key, hash) : classify(fetch, key, hash);
  }

  private boolean isInThisResponse(Fetch fetch, Key key) {
    return digest.contains(key) && digest.lastSeen(key) == fetch.pages().tick();
  }

  private Ruling twin(Key key, long hash) {
    twins.reject(key, hash);
    return Ruling.TWIN;
  }

  /** Classifies a row by the digest alone; also the row that {@link #end} chose among twins. */
  Ruling classify(Fetch fetch, Key key, long hash) {
    if (!digest.holds(key) && !capacity.makeRoom(fetch, key)) {
      return Ruling.NO_ROOM;
    }
    return switch (digest.classify(key, hash)) {
      case CREATE -> {
        detector.returned(key);
        yield Ruling.CREATE;
      }
      case UPDATE -> Ruling.UPDATE;
      case UNCHANGED -> Ruling.UNCHANGED;
    };
  }

  private boolean isEmittedLast(Key key, long hash) {
    OptionalLong known = digest.hash(key);
    return known.isPresent() && known.getAsLong() == hash;
  }

  /** Returns whether this response, or an earlier one of this pass, showed the key. */
  private boolean isSeenEarlier(Fetch fetch, Key key) {
    long seen = digest.contains(key) ? digest.lastSeen(key) : -1;
    boolean inBrokenAttempt = seen >= fetch.requestTick() && seen < fetch.pages().tick();
    return seen >= fetch.passSince() && !inBrokenAttempt;
  }

  /** The tick at which the digest saw the key last; negative when it does not hold it. */
  long lastSeen(Key key) {
    return digest.lastSeen(key);
  }

  /** Removes a key from the digest; a record must follow. */
  void remove(Key key) {
    digest.remove(key);
  }

  /** The entry under which the digest remembers a rejected content. */
  static Key deadLetter(long hash) {
    return Key.deadLetter(hash ^ TWIN);
  }

  /** Records a key that is there, though its row cannot become an event. */
  void see(Fetch fetch, Key key, long nowNanos) {
    digest.see(key);
    if (fetch.kind() == FetchKind.INCREMENT) {
      recentKeys.add(key, nowNanos);
      fetch.reconciliation().ifPresent(running -> running.refresh(key));
    }
  }

  /** Records a row whose key cannot be read; {@code id} identifies it. */
  void seeUnreadable(Fetch fetch, Key id) {
    if (fetch.isPass()) {
      // A response that broke off may have shown the row as it was when it could be read.
      long since =
          hasBrokenOff ? detector.pass() : unreadableBefore.getOrDefault(id, detector.pass());
      unreadable.put(id, since);
    }
  }

  /** Returns how many keys the digest holds. */
  int keys() {
    return digest.keys();
  }

  /** Returns whether the digest is full, and old keys were evicted since the start. */
  boolean hasEvicted() {
    return capacity.hasEvicted();
  }

  /** Records that the checkpoint of the pass that began at that tick is written; on any thread. */
  void acknowledged(long sinceTick) {
    capacity.reconciled(sinceTick);
  }

  /** Returns how many rows of the latest pass have no readable key. */
  int unreadableRows() {
    return unreadableBefore.size();
  }

  /** Returns whether the end of the fetch would find keys missing. */
  boolean missesKeys(Fetch fetch) {
    return fetch.endsPass() && provesAbsence && !missing(fetch).isEmpty();
  }

  private List<Key> missing(Fetch fetch) {
    List<Key> missing = new ArrayList<>();
    for (Key key : digest.missing(fetch.passSince())) {
      boolean fresh = fetch.reconciliation().filter(running -> running.isFresh(key)).isPresent();
      if (!fresh) {
        missing.add(key);
      }
    }
    return missing;
  }

  /**
   * Decides what the end of the fetch proves.
   *
   * @param trusted whether the location is known to be the store that was read before
   */
  PassEnd end(Fetch fetch, boolean trusted, long nowNanos) {
    if (!fetch.endsPass()) {
      return PassEnd.NONE;
    }
    List<Resolution> resolutions =
        twins.resolutions(digest::hash).stream()
            .filter(resolution -> !isOutdated(fetch, resolution.key(), nowNanos))
            .toList();
    boolean again = occurrences.areUnconfirmed();
    if (!provesAbsence) {
      return new PassEnd(resolutions, List.of(), Verdict.NOTHING, true, again);
    }
    List<Key> missing = missing(fetch);
    List<Key> keys = missing.stream().filter(key -> !key.isDeadLetter()).toList();
    Verdict verdict =
        trusted
            ? withDeadLetters(
                detector.judge(keys, digest.keys(), newestUnreadable(), nowNanos), missing)
            : new Verdict(List.of(), keys.size(), 0, 0, nowNanos);
    boolean slipped = fetch.kind() == FetchKind.SNAPSHOT && mayHaveSlipped(missing);
    return new PassEnd(resolutions, keys, verdict, trusted, again || slipped);
  }

  /** Dead letters that the pass did not show are forgotten; nothing is emitted for them. */
  private static Verdict withDeadLetters(Verdict verdict, List<Key> missing) {
    List<Key> gone = new ArrayList<>(verdict.gone());
    missing.stream().filter(Key::isDeadLetter).forEach(gone::add);
    return new Verdict(
        gone, verdict.pending(), verdict.guarded(), verdict.unreadable(), verdict.confirmNanos());
  }

  private long newestUnreadable() {
    return unreadable.values().stream().mapToLong(Long::longValue).max().orElse(-1);
  }

  /**
   * Returns whether a row may have slipped between the pages of a snapshot, since the list shifted:
   * then this pass lacks what the one before showed, or the next would show more.
   */
  private boolean mayHaveSlipped(List<Key> missing) {
    return retrieval.shifting()
        && snapshotPasses + 1 < MOST_SNAPSHOT_PASSES
        && (snapshotPasses == 0 || !missing.isEmpty());
  }

  /** Returns how long the key that is missing longest has been missing. */
  long missingForNanos(PassEnd end, long nowNanos) {
    return detector.missingForNanos(end.missing(), nowNanos);
  }

  /** Records the end of a fetch as it was decided and emitted. */
  void ended(Fetch fetch, PassEnd end, long nowNanos) {
    if (!fetch.endsPass()) {
      if (fetch.kind() == FetchKind.INCREMENT && !fetch.window().hasTo()) {
        capacity.incremented(fetch.sinceTick());
      }
      return;
    }
    twins.passEnded(end.resolutions(), key -> digest.lastSeen(key) < fetch.passSince());
    occurrences.passEnded();
    if (provesAbsence) {
      detector.passEnded(end.missing(), end.verdict(), nowNanos);
      unreadableBefore = Map.copyOf(unreadable);
      hasBrokenOff = false;
    }
    snapshotPasses += fetch.kind() == FetchKind.SNAPSHOT ? 1 : 0;
  }
}
