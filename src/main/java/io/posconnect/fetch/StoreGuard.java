package io.posconnect.fetch;

import io.posconnect.change.ContentHash;
import io.posconnect.change.Digest;
import io.posconnect.client.ApiException;
import io.posconnect.client.Rows;
import io.posconnect.fetch.StreamEvent.IdentityChanged;
import io.posconnect.fetch.StreamEvent.IdentityEmpty;
import io.posconnect.json.Row;
import io.posconnect.problem.Incident;
import io.posconnect.problem.Problem;
import io.posconnect.record.BrokenRowException;
import io.posconnect.record.RowSchema;
import io.posconnect.resource.Key;
import io.posconnect.resource.Request;
import io.posconnect.resource.Resource;
import io.posconnect.resource.StreamSettings;
import io.posconnect.resource.Window;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Guards a stream against another store's rows: answers whether what a location sends may be
 * believed.
 *
 * <p>The checkpoints remember the location's identity. While the location does not say who it is,
 * rows are read and nothing is deleted. If it gives another name, its rows are compared with the
 * digest: if at least half of at least {@link #ENOUGH} keys match, the store was renamed; otherwise
 * the key opens another store. With fewer keys to compare, another stream of the location may
 * decide; until then nothing is deleted.
 */
final class StoreGuard {

  /** Fewer keys than that prove nothing. */
  static final int ENOUGH = 20;

  private static final int MOST_COMPARED = 500;

  // In the checkpoints, between the known identity and the unclear one whose rows are read.
  private static final String UNCLEAR = "?";
  private static final Duration RECENT = Duration.ofDays(1);

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

  /** What a comparison of rows shows. */
  enum Verdict {
    SAME_STORE,
    OTHER_STORE,
    UNDECIDED
  }

  private final StreamSettings settings;
  private final LocationIdentity identity;
  private final RowSchema contract;
  private final Digest digest;
  private final ContentHash contentHash;
  private String known;

  // Another identity whose rows were read, or compared without a result: since then the digest may
  // hold its rows, so this stream compares no more. Empty when there is none.
  private String undecided;
  private String reported = "";
  private boolean reportedEmpty;

  /**
   * @param known what {@link #known()} was in the latest checkpoint; may be empty
   */
  StoreGuard(
      StreamSettings settings,
      LocationIdentity identity,
      RowSchema contract,
      Digest digest,
      String known) {
    this.settings = settings;
    this.identity = identity;
    this.contract = contract;
    this.digest = digest;
    int mark = known.indexOf(UNCLEAR);
    this.known = mark < 0 ? known : known.substring(0, mark);
    undecided = mark < 0 ? "" : known.substring(mark + 1);
    contentHash = new ContentHash(settings.resource().ignoreFields());
  }

  /** Returns what the stream may do now. */
  Answer answer(long nowNanos) {
    Optional<String> current = identity.current(nowNanos);
    if (current.isEmpty()) {
      return identity.mustBeAsked(nowNanos) ? Answer.ASK : Answer.READ_ONLY;
    }
    String name = current.get();
    if (known.isEmpty() || name.equals(known)) {
      return Answer.TRUSTED;
    }
    boolean canCompare = digest.keys() >= ENOUGH && undecided.isEmpty();
    Optional<Boolean> same = identity.verdict(name, canCompare);
    if (same.isPresent()) {
      return same.get() ? Answer.TRUSTED : Answer.REFUSED;
    }
    return canCompare ? Answer.COMPARE : Answer.READ_ONLY;
  }

  /** Adopts the identity that {@link #answer} trusts now; returns what has to be reported. */
  List<StreamEvent> follow(long nowNanos) {
    String current = identity.current(nowNanos).orElse(null);
    if (current == null) {
      return List.of();
    }
    List<StreamEvent> events = new ArrayList<>();
    if (current.isEmpty() && !reportedEmpty) {
      reportedEmpty = true;
      events.add(new IdentityEmpty(Problem.UNKNOWN_STORE.incident(settings.stream().id())));
    }
    boolean differs = !known.isEmpty() && !current.equals(known);
    Answer answer = answer(nowNanos);
    if (answer == Answer.TRUSTED) {
      known = current;
      undecided = "";
      if (differs) {
        events.add(new IdentityChanged(IdentityChanged.Change.RENAMED));
      }
    } else if (answer == Answer.READ_ONLY && !current.equals(reported)) {
      reported = current;
      undecided = current;
      events.add(new IdentityChanged(IdentityChanged.Change.UNCLEAR));
    }
    return events;
  }

  /** Has the location be asked again before anything is deleted. */
  void askAgain() {
    identity.invalidate();
  }

  /** The identity that the checkpoints remember, and the unclear one whose rows are read. */
  String known() {
    return undecided.isEmpty() ? known : known + UNCLEAR + undecided;
  }

  /** Records what a comparison has shown of the location's present name. */
  void decide(Verdict verdict, long nowNanos) {
    String current = identity.current(nowNanos).orElse("");
    if (verdict == Verdict.UNDECIDED) {
      undecided = current;
    } else {
      identity.judged(current, verdict == Verdict.SAME_STORE);
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

  /** Brings rows to compare: the list or its first page, or what changed in the last day. */
  Request sample(Instant watermark) {
    Resource resource = settings.resource();
    boolean lists = resource.retrieval().provesAbsence() || watermark.equals(Instant.MIN);
    Window window = lists ? Window.ALL : Window.since(watermark.minus(RECENT));
    return resource.retrieval().first(resource.path(), window);
  }

  /** Compares rows with the digest; emits nothing. */
  Verdict compare(Rows rows) throws ApiException {
    int compared = 0;
    int alike = 0;
    for (Optional<Row> row = rows.next();
        row.isPresent() && compared < MOST_COMPARED;
        row = rows.next()) {
      compared++;
      alike += isKnown(row.get()) ? 1 : 0;
    }
    // A list that is not read in pages has all the keys, or lacks them.
    boolean whole =
        settings.resource().retrieval().provesAbsence()
            && !settings.resource().retrieval().shifting();
    int expected = whole ? Math.max(compared, Math.min(MOST_COMPARED, digest.keys())) : compared;
    if (expected < ENOUGH) {
      return Verdict.UNDECIDED;
    }
    return 2 * alike >= expected ? Verdict.SAME_STORE : Verdict.OTHER_STORE;
  }

  private boolean isKnown(Row row) {
    try {
      Key key = contract.keyOf(row);
      Key stored = settings.resource().occurrences() ? contract.occurrence(key, 1) : key;
      return row.fault().isEmpty() && digest.hash(stored).orElse(-1) == contentHash.of(row);
    } catch (BrokenRowException e) {
      // A row that cannot become an event is in no digest.
      return false;
    }
  }
}
