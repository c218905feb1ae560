package io.posconnect.fetch;

import io.posconnect.change.Digest;
import io.posconnect.change.Digest.Known;
import io.posconnect.fetch.DeleteDetector.Reason;
import io.posconnect.fetch.DeleteDetector.Seen;
import io.posconnect.fetch.DeleteDetector.Verdict;
import io.posconnect.fetch.DeleteDetector.Wait;
import io.posconnect.fetch.Occurrences.State;
import io.posconnect.fetch.ServerTime.Moment;
import io.posconnect.fetch.Twins.Resolution;
import io.posconnect.fetch.Twins.Twin;
import io.posconnect.json.Row;
import io.posconnect.offset.StreamOffset;
import io.posconnect.record.Provenance.FetchKind;
import io.posconnect.resource.Key;
import io.posconnect.resource.Retrieval;
import io.posconnect.resource.StreamSettings;
import java.util.HashSet;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/**
 * Owns the rules of a pass: which row is a change, which keys are there, and which are gone.
 *
 * <p>A <em>pass</em> is one complete read of a resource (a snapshot, or a reconciliation; of a date
 * range, its last days). It may take many responses. Increments run beside it and belong to none.
 *
 * <p><b>The rule.</b> A row is ordinary if its key can be read, no other row has it, and no byte of
 * the row is damaged: what the digest knows differently is a change, as soon as the row comes.
 * Anything else is in doubt, and believed when it comes twice:
 *
 * <table>
 * <caption>What is in doubt</caption>
 * <tr><th>in doubt</th><th>believed when</th><th>dropped when</th><th>known by</th></tr>
 * <tr><td>a key is missing</td><td>passes agree, or so few vanish that one is enough</td><td>any
 *     response shows the key</td><td>{@link DeleteDetector}</td></tr>
 * <tr><td>a row has no readable key</td><td>never: it holds the keys that vanished when or before
 *     it appeared, since it may be one of them</td><td>a pass does not show it</td><td>{@link
 *     UnreadableRows}</td></tr>
 * <tr><td>a key has two contents</td><td>a pass ends that shows both</td><td>a pass shows one of
 *     them, or none</td><td>{@link Twins}</td></tr>
 * <tr><td>a row has a new occurrence number</td><td>the next pass shows it as well</td><td>that
 *     pass does not</td><td>{@link Occurrences}</td></tr>
 * <tr><td>a row may have been damaged on its way</td><td>the next read shows it damaged</td><td>it
 *     arrives whole</td><td>{@link Damage}</td></tr>
 * <tr><td>a dead letter vanished</td><td>at once; where rows shift between pages, when the next
 *     pass lacks it as well; not while keys vanish that are too many to believe</td><td>a pass
 *     shows it</td><td>this class</td></tr>
 * </table>
 *
 * <p>A snapshot that may have overlooked rows between its pages is repeated until two passes agree,
 * and a list whose next page is refused has ended if it is refused twice, which {@link
 * io.posconnect.resource.Reading} knows.
 *
 * <p><b>Order.</b> A reconciliation neither updates nor deletes what is <em>fresh</em>, as {@link
 * FreshKeys} knows: its body may be older than what was read before.
 *
 * <p><b>Damage.</b> A response that holds a row back counts as one that broke off: its other rows
 * are ruled on, but for those that wait for its end, and the same request follows.
 *
 * <p><b>Twins.</b> The first row of a key is emitted as it comes. A second content puts the key
 * <em>in conflict</em>; within one response it is a dead letter, in a later response of the pass it
 * may be a change, so the next pass decides. From then on the rows of the key are set aside until
 * the end of each complete pass: the content that was emitted last stays while any row shows it,
 * otherwise the first row is emitted; the others are dead letters. In an increment a content that
 * was emitted last or is a known dead letter of the key is no change; any other is an update.
 *
 * <p><b>What is there.</b> A row whose key can be read counts as seen even if it becomes a dead
 * letter. Dead letters are no keys: no ratio counts them.
 *
 * <p><b>An example.</b> Pass 1 shows {@code 1=a, 2=b, 2=c} in one response: it emits 1=a and 2=b;
 * 2=c is a dead letter, and 2 is in conflict. Pass 2 shows {@code 2=c} and a row without a readable
 * key: 2=c is set aside; at the end it is the only content, so 2=c is emitted and the conflict
 * ends. Key 1 is missing, and held, since the unreadable row appeared in the same pass. In pass 3
 * that row is gone: 1 is deleted.
 *
 * <p>The crash law tries the rules with any order of rows, changes and restarts.
 */
class Pass {

  /** What a row is. */
  enum Ruling {
    /** A new key. */
    CREATE,
    /** A key of an earlier snapshot, which the present one has not emitted. */
    REPEAT,
    /** A key with another content, or one whose content must be repeated. */
    UPDATE,
    /** What the digest knows. */
    UNCHANGED,
    /** Older than what an increment returned, or a known dead letter. */
    IGNORED,
    /** Another content than an earlier response of the pass showed: the next pass decides. */
    DOUBTED,
    /** One of several rows of its key. */
    TWIN,
    /** A new key for which the digest has no room. */
    NO_ROOM;

    /** Returns whether the present snapshot had not emitted the key. */
    boolean isFirst() {
      return this == CREATE || this == REPEAT;
    }
  }

  // Distinguishes a twin's dead letter from that of a broken row with the same content.
  private static final long TWIN = 0x2545F4914F6CDDL;

  // A list that loses rows at each read must end some time.
  private static final int MOST_SNAPSHOT_PASSES = 4;

  // The entry of a dead letter says nothing but that it is there.
  private static final long THERE = 1;

  private final Digest digest;
  private final DigestCapacity capacity;
  private final DeleteDetector detector;
  private final Retrieval retrieval;
  private final FreshKeys fresh;
  private final Damage ofLists = new Damage();
  private final Damage ofIncrements = new Damage();
  private Damage damage = ofLists;
  private final Twins twins = new Twins();
  private final Occurrences occurrences = new Occurrences();
  private final UnreadableRows unreadable = new UnreadableRows();

  // Increments repeat rows that were seen before that tick, though the digest knows them: at least
  // once, it may be ahead of the topic, or behind it, after a crash.
  private final boolean repeats;
  private long repeatsBefore;

  // Whether a key that the digest does not know may have been known.
  private boolean lacksKeys;

  // Whether all rows of the response came but those that wait for that.
  private boolean othersCame;

  // Private paths that no row of this pass, or of the backfill, has; null before its first row.
  private @Nullable Set<String> unmetPaths;

  // The digest's tick at which the pass under way began, and the one before: what was not seen
  // since then has vanished twice when a pass ends.
  private long passSince;
  private long passBefore;

  // How many rows the pass before showed. If it showed fewer than this one, it was no whole list,
  // and this pass may lack a row that neither of them showed.
  private long rowsBefore = -1;

  /** The pass of a stream that resumes with that digest. */
  Pass(StreamSettings settings, Digest digest) {
    this.digest = digest;
    detector = new DeleteDetector(settings, digest);
    capacity = new DigestCapacity(settings, digest);
    retrieval = settings.resource().retrieval();
    // Of a stream that begins, this process emits all that the digest knows.
    repeats = !settings.exactlyOnce() && digest.keys() > 0;
    fresh = new FreshKeys(settings, digest);
  }

  /**
   * Resumes where another process left off, with that position and the digest that belongs to it.
   */
  void resume(StreamOffset position) {
    lacksKeys = position.context().isIncomplete();
    if (!position.suspects().isEmpty()) {
      unreadable.resume(
          Suspects.parse(position.suspects()),
          visitor -> digest.forEach(position.vouched(), visitor));
    }
  }

  /**
   * The unreadable rows, and which keys they may be, for the next process; empty if that is not
   * known, or no read shows that a key is gone.
   */
  String suspects() {
    return retrieval.provesAbsence() ? unreadable.suspects(detector.pass()) : "";
  }

  /** Returns whether it has numbered more rows of one key each than it can remember. */
  boolean numbersTooMany() {
    return occurrences.size() > 2L * capacity.most();
  }

  /** Of the response under way. */
  Damage damage() {
    return damage;
  }

  /** Begins a response of the fetch: the pass begins with the first of them. */
  void responseBegins(Fetch fetch, Moment now) {
    fetch.attempt(now, digest.tick());
    damage = fetch.isPass() ? ofLists : ofIncrements;
    damage.responseBegins();
    boolean first = !fetch.continues();
    if (repeats && repeatsBefore == 0 && fetch.kind() == FetchKind.INCREMENT) {
      repeatsBefore = fetch.tick();
    }
    occurrences.responseBegins(first);
    unreadable.responseBegins();
    twins.responseBegins();
    othersCame = false;
    if (fetch.isPass() && fetch.passSince() != passSince) {
      passSince = fetch.passSince();
      twins.passBegins();
      unreadable.passBegins();
      unmetPaths = null;
    }
  }

  /**
   * Ends a response.
   *
   * @param whole whether all of its rows were read and ruled on; otherwise they will come again
   */
  void responseEnds(Fetch fetch, boolean whole) {
    if (!whole) {
      occurrences.rollBack();
      unreadable.rollBack();
      twins.rollBack();
    }
    fresh.responseEnds(fetch);
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

  /** Returns whether {@link #rule} looks at nothing else of a row with that content. */
  boolean isSettled(Fetch fetch, Key key, long hash) {
    Known known = digest.known(key);
    return known.is(hash) && !isRepeated(fetch, known) && !twins.areSetAside(key);
  }

  private boolean isRepeated(Fetch fetch, Known known) {
    return fetch.kind() == FetchKind.INCREMENT && known.seen() < repeatsBefore;
  }

  /** Rules on a row that can become an event; the digest knows it afterwards. */
  Ruling rule(Fetch fetch, Key key, long hash, Row row) {
    Known known = digest.known(key);
    if (occurrences.isUnconfirmed(key)) {
      fetch.identical(key);
      return capacity.mayHaveRoom() ? Ruling.DOUBTED : Ruling.NO_ROOM;
    }
    fetch.row(key, known.seen());
    boolean reconciles = fetch.kind() == FetchKind.RECONCILIATION;
    Ruling ruling;
    if (reconciles && fresh.isOutdated(fetch, key)) {
      ruling = Ruling.IGNORED;
      if (!known.is(hash) && isInEarlierResponse(fetch, known)) {
        twins.doubt(key);
      }
    } else if (fetch.isPass()) {
      ruling = ruleInPass(fetch, known, new Twin(key, hash, row));
    } else {
      ruling = ruleInIncrement(fetch, known, key, hash);
      if (ruling != Ruling.NO_ROOM) {
        // A row that waits for room must wait in the list as well, or the list looks accepted.
        fresh.returned(fetch, key);
      }
    }
    showed(fetch, key, known, ruling.isFirst());
    switch (ruling) {
      case IGNORED, TWIN -> {
        digest.see(key);
        digest.see(deadLetter(hash));
      }
      // The key stays seen in the earlier response, so that a second attempt doubts it too.
      case DOUBTED -> digest.see(deadLetter(hash));
      case CREATE, REPEAT, UPDATE, UNCHANGED, NO_ROOM -> {}
    }
    if (reconciles && (ruling.isFirst() || ruling == Ruling.UPDATE)) {
      fresh.changed(key);
    }
    return ruling;
  }

  /** The entry under which the digest remembers a rejected content. */
  static Key deadLetter(long hash) {
    return Key.deadLetter(hash ^ TWIN);
  }

  private Ruling ruleInPass(Fetch fetch, Known known, Twin row) {
    boolean emittedLast = known.is(row.hash());
    if (twins.areSetAside(row.key())) {
      return twins.setAside(row, emittedLast) ? Ruling.IGNORED : Ruling.TWIN;
    }
    if (isInThisResponse(fetch, known)) {
      return emittedLast ? Ruling.UNCHANGED : twin(row.key(), row.hash());
    }
    if (isInEarlierResponse(fetch, known)) {
      if (!emittedLast) {
        twins.doubt(row.key());
      }
      return emittedLast ? Ruling.UNCHANGED : Ruling.DOUBTED;
    }
    if (!emittedLast && isRejected(known, row.hash())) {
      // Found before a restart.
      return twins.setAside(row, false) ? Ruling.IGNORED : Ruling.TWIN;
    }
    return classify(fetch, known, row.key(), row.hash());
  }

  private Ruling ruleInIncrement(Fetch fetch, Known known, Key key, long hash) {
    boolean emittedLast = known.is(hash);
    if (!emittedLast && (twins.isRejected(key, hash) || isRejected(known, hash))) {
      twins.reject(key, hash);
      return Ruling.IGNORED;
    }
    if (!emittedLast && isInThisResponse(fetch, known)) {
      return twin(key, hash);
    }
    Ruling ruling = classify(fetch, known, key, hash);
    return ruling == Ruling.UNCHANGED && isRepeated(fetch, known) ? Ruling.UPDATE : ruling;
  }

  private Ruling twin(Key key, long hash) {
    twins.reject(key, hash);
    return Ruling.TWIN;
  }

  private boolean isRejected(Known known, long hash) {
    return known.isCurrent() && digest.known(deadLetter(hash)).isCurrent();
  }

  private static boolean isInThisResponse(Fetch fetch, Known known) {
    return known.isCurrent() && known.seen() == fetch.tick();
  }

  /** What a broken attempt at the same request saw does not count. */
  private static boolean isInEarlierResponse(Fetch fetch, Known known) {
    return known.isCurrent()
        && known.seen() >= fetch.passSince()
        && known.seen() < fetch.requestTick();
  }

  private Ruling classify(Fetch fetch, Known known, Key key, long hash) {
    if (!known.isThere() && !capacity.makeRoom(fetch, key)) {
      return Ruling.NO_ROOM;
    }
    if (!digest.remember(key, hash)) {
      return Ruling.UNCHANGED;
    }
    Ruling first = known.isThere() ? Ruling.REPEAT : Ruling.CREATE;
    return known.isCurrent() ? Ruling.UPDATE : first;
  }

  private void showed(Fetch fetch, Key key, Known before, boolean isNew) {
    detector.shows(key);
    Wait wait = detector.waiting(before);
    // While it is unclear which store answers, it may be such a row as well.
    if (wait != null && wait.reason() != Reason.MISSING) {
      unreadable.appears(key, wait.missingSince());
    } else if (isNew) {
      unreadable.appears(key);
    }
    if (fetch.isPass()) {
      unreadable.lists(key);
    }
  }

  /** Rules by the digest alone on a row that {@link #end} chose among twins. */
  Ruling classify(Fetch fetch, Key key, long hash) {
    return classify(fetch, digest.known(key), key, hash);
  }

  Ruling reject(Fetch fetch, Key deadLetter) {
    fetch.row(deadLetter, digest.known(deadLetter).seen());
    return classify(fetch, deadLetter, THERE);
  }

  /** Returns whether the content was emitted last, or is a dead letter. */
  boolean knows(Key key, long hash) {
    return digest.known(key).is(hash) || digest.known(deadLetter(hash)).isCurrent();
  }

  /**
   * The key of a row with its number among the rows of that key in this pass; null where the end of
   * the response shows which it is.
   *
   * @param hash of its content; empty for a row without one
   * @param mayWait whether the row can wait for that
   */
  @Nullable Key numbered(
      Fetch fetch, Key key, OptionalLong hash, IntFunction<Key> numbers, boolean mayWait) {
    boolean waits = mayWait && !retrieval.shifting() && !othersCame;
    Key numbered = occurrences.next(key, numbers, each -> state(fetch, each, hash), waits);
    if (numbered != null
        && !digest.known(numbered).isThere()
        && !numbered.equals(numbers.apply(1))) {
      occurrences.doubt(numbered);
    }
    return numbered;
  }

  /** Records that only those rows of the response are left that waited. */
  void othersCame() {
    othersCame = true;
  }

  /** What is known of a number when a row of its key comes. */
  State state(Fetch fetch, Key key, OptionalLong hash) {
    Known known = digest.known(key);
    long seen = known.seen();
    boolean isTaken =
        seen == fetch.tick() || (seen >= fetch.sinceTick() && seen < fetch.requestTick());
    if (isTaken) {
      return State.TAKEN;
    }
    if (hash.isPresent() && known.is(hash.getAsLong())) {
      return State.KNOWN;
    }
    // Numbers that were lost lie among those that an earlier snapshot had: the lowest are taken
    // then, or rows would take the others and leave the lost ones in the topic.
    if (!known.isThere() || (lacksKeys && !known.isCurrent())) {
      return State.NEW;
    }
    Wait wait = detector.waiting(known);
    boolean isMissing =
        retrieval.shifting() ? wait != null && wait.reason() == Reason.MISSING : othersCame;
    boolean isVacant = !known.isCurrent() || isMissing;
    return isVacant ? State.VACANT : State.OTHER;
  }

  /** Records a key that is there, though its row cannot become an event. */
  void see(Fetch fetch, Key key) {
    Known known = digest.known(key);
    fetch.row(key, known.seen());
    showed(fetch, key, known, false);
    digest.see(key);
    fresh.returned(fetch, key);
  }

  /** Records a row whose key cannot be read; {@code id} identifies it. */
  void seeUnreadable(Fetch fetch, Key id) {
    if (fetch.isPass()) {
      unreadable.shows(id);
    } else if (fetch.reconciliation().isPresent()) {
      unreadable.showsBeside(id, detector.pass());
    }
  }

  /** Returns the keys that the fetch proves to be missing, dead letters included. */
  List<Key> missing(Fetch fetch) {
    if (!fetch.endsPass() || !retrieval.provesAbsence()) {
      return List.of();
    }
    List<Key> missing = digest.missing(fetch.passSince());
    missing.removeIf(key -> fresh.isFresh(fetch, key));
    return missing;
  }

  /**
   * Decides what the end of the fetch proves.
   *
   * @param missing the {@link #missing} keys
   * @param trusted whether the location is known to be the store that was read before
   */
  PassEnd end(Fetch fetch, List<Key> missing, boolean trusted, long nowNanos) {
    if (!fetch.endsPass()) {
      return PassEnd.NONE;
    }
    List<Resolution> resolutions =
        twins.resolutions(digest::known).stream()
            .filter(resolution -> !fresh.isOutdated(fetch, resolution.key()))
            .toList();
    List<Key> keys = missing.stream().filter(key -> !key.isDeadLetter()).toList();
    List<Key> hidden = hidden(fetch, keys);
    long newest = unreadable.newest(detector.pass());
    Seen seen =
        new Seen(
            keys,
            hidden.size(),
            fetch.passSince(),
            newest,
            key -> unreadable.mayBe(key, newest),
            trusted);
    Verdict verdict = detector.judge(seen, nowNanos);
    if (trusted && !verdict.provesLittle()) {
      // A list that proves too little to delete keys proves no more about dead letters.
      verdict =
          verdict.with(
              missing.stream()
                  .filter(Key::isDeadLetter)
                  .filter(id -> !retrieval.shifting() || digest.known(id).seen() < passBefore)
                  .toList());
    }
    boolean again = occurrences.mustBeConfirmed() || mayHaveShifted(fetch, missing, resolutions);
    return new PassEnd(resolutions, hidden, verdict, again);
  }

  /** The keys that the pass did not show beside the missing, since increments returned them. */
  private List<Key> hidden(Fetch fetch, List<Key> missing) {
    if (fetch.reconciliation().isEmpty() || !retrieval.provesAbsence()) {
      return List.of();
    }
    List<Key> hidden = digest.missing(fetch.passSince());
    hidden.removeAll(new HashSet<>(missing));
    hidden.removeIf(Key::isDeadLetter);
    return hidden;
  }

  /**
   * Returns whether the list may have shifted between the pages of a snapshot. Then this pass lacks
   * what the one before showed, or the next would show more; or a row that changed was on two
   * pages, and increments would ignore its latest content as that of a twin.
   */
  private boolean mayHaveShifted(Fetch fetch, List<Key> missing, List<Resolution> resolutions) {
    return fetch.kind() == FetchKind.SNAPSHOT
        && retrieval.shifting()
        && detector.pass() < MOST_SNAPSHOT_PASSES
        && (fetch.rows() > rowsBefore
            || !missing.isEmpty()
            || twins.hasNewDeadLetters(resolutions));
  }

  /** Records the end of a fetch as it was decided and emitted. */
  void ended(Fetch fetch, PassEnd end, long nowNanos) {
    capacity.ended(fetch);
    if (!fetch.endsPass()) {
      return;
    }
    twins.passEnded(end.resolutions(), key -> digest.known(key).seen() < fetch.passSince());
    occurrences.passEnded();
    unreadable.passEnded(
        detector.pass(),
        retrieval.shifting(),
        end,
        key -> digest.known(key).seen() < fetch.passSince() && !fresh.isFresh(fetch, key));
    detector.passEnded(end.verdict(), nowNanos);
    // They are there: a later pass is the first to lack them.
    end.hidden().forEach(digest::see);
    passBefore = fetch.passSince();
    rowsBefore = fetch.rows();
    if (fetch.reconciliation().isPresent()) {
      end.verdict().gone().stream()
          .filter(key -> !key.isDeadLetter())
          .forEach(key -> fresh.deleted(key, nowNanos));
    }
    if (!end.verdict().wantsAnotherPass() && !end.again()) {
      fresh.confirmed();
    }
  }

  int unreadableRows() {
    return unreadable.size();
  }

  int keys() {
    return digest.keys();
  }

  DigestCapacity capacity() {
    return capacity;
  }
}
