package io.posconnect.tool;

import io.posconnect.json.Row;
import io.posconnect.resource.Key;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * Compares the keys of one stream as the topic and the service have them. It holds hashes of the
 * contents, and the few rows that are listed: its memory depends on the number of keys, and not on
 * the size or number of rows.
 *
 * <p>The topic is read first, then the service, round by round. A key is settled once the topic has
 * had, from then on, what the service showed in a round: so a change that the connector publishes
 * during the audit is no difference. A key that stays open for two rounds is a difference, unless
 * the service showed something else each time. For example, of three rounds:
 *
 * <pre>
 * topic   1     2    1          2          1          1
 * service 1,    2,   2 2,       3 4 5,     2 2,       nothing twice
 *         settled    different  undecided  different  phantom
 * </pre>
 */
final class AuditedKeys {

  /** The content of a key that is not there. */
  private static final long NONE = -1;

  private static final int NOWHERE = -1;

  /** While the topic is read, before the service. */
  private static final int BEFORE = 0;

  private static final int FIRST = 1;

  enum Outcome {
    EQUAL,
    MISSING,
    DIFFERENT,
    PHANTOM,
    /** It changed between any two rounds. */
    UNDECIDED,
    /** Its row at the service cannot be an event. */
    BROKEN,
    /** It came during the audit, or lies outside of the dates that were read. */
    IGNORED,
    /** The topic lacks it, and its events may have been removed. */
    REMOVED,
    /** The topic lacks it: it was there before the baseline, and has not changed since. */
    BASELINE,
    /** Two partitions have records of it. */
    SCATTERED;

    /** Those that are listed, in this order. */
    static final List<Outcome> UNEQUAL = List.of(DIFFERENT, MISSING, SCATTERED, PHANTOM, REMOVED);

    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /** What the topic and the service had under a key. */
  private static final class Contents {
    private long published = NONE;
    private long offset;
    private long shown = NONE;
    private long shownBefore = NONE;
    private int partition = NOWHERE;
    private int round;
    private boolean removable;
    private Outcome settled;

    private Contents(Outcome settled) {
      this.settled = settled;
    }

    private boolean isOpen() {
      return settled == Outcome.UNDECIDED;
    }

    private void stands(Place place) {
      if (partition != NOWHERE && partition != place.partition()) {
        settled = Outcome.SCATTERED;
      }
      partition = place.partition();
      offset = place.offset();
    }
  }

  /** Of a key that neither side has shown. */
  private static final Contents UNKNOWN = new Contents(Outcome.IGNORED);

  /** Where the latest record of a key stands. */
  record Place(int partition, long offset) {}

  private final int mostKept;

  /** What a key is that the topic lacks. */
  Outcome absent;

  private final Map<Key, Contents> keys = new HashMap<>();
  private final Map<Key, Row> kept = new LinkedHashMap<>();
  private int round;

  /**
   * @param mostKept rows of different content that are kept, to be shown
   * @param absent what a key is that the topic lacks, as far as that is known
   */
  AuditedKeys(int mostKept, Outcome absent) {
    this.mostKept = mostKept;
    this.absent = absent;
  }

  /** Returns whether that partition of the topic has a record of the key. */
  boolean isIn(int partition, Key key) {
    return keys.getOrDefault(key, UNKNOWN).partition == partition;
  }

  /** The content that the topic has under the key. */
  long published(Key key) {
    return keys.getOrDefault(key, UNKNOWN).published;
  }

  /** A record of the topic: a row with that content. */
  void published(Key key, long hash, Place place) {
    Contents contents = contents(key, BEFORE);
    contents.stands(place);
    contents.published = hash;
    if (round > BEFORE && contents.isOpen() && contents.shown == hash) {
      contents.settled = hash == NONE ? Outcome.IGNORED : Outcome.EQUAL;
    }
  }

  /** A record of the topic: the row is gone. */
  void deleted(Key key, Place place) {
    if (round == BEFORE || keys.containsKey(key)) {
      published(key, NONE, place);
    }
  }

  void roundBegins() {
    if (round == BEFORE) {
      keys.values().removeIf(each -> each.published == NONE && each.isOpen());
    }
    round++;
    kept.clear();
    for (Contents contents : keys.values()) {
      if (contents.isOpen()) {
        contents.shownBefore = contents.shown;
        contents.shown = NONE;
      }
    }
  }

  /** Returns whether the service has shown the key in this round. */
  boolean isShown(Key key) {
    return keys.getOrDefault(key, UNKNOWN).round == round;
  }

  /**
   * A row of the service. Of several rows under a key, one that the topic has is enough.
   *
   * @param removable whether the topic may have lost the row's event on purpose
   */
  void shown(Key key, long hash, Row content, boolean removable) {
    Contents contents = contents(key, FIRST);
    contents.round = round;
    if (!contents.isOpen()) {
      return;
    }
    contents.shown = hash;
    contents.removable = removable;
    if (hash == contents.published) {
      contents.settled = Outcome.EQUAL;
      kept.remove(key);
    } else if (contents.published != NONE && kept.size() < mostKept) {
      kept.put(key, content);
    }
  }

  /** Takes back that a response has shown the key: it broke off. */
  void takeBack(Key key) {
    contents(key, FIRST).round--;
  }

  void broken(Key key) {
    Contents contents = contents(key, FIRST);
    contents.round = round;
    if (contents.isOpen()) {
      contents.settled = Outcome.BROKEN;
    }
  }

  /** A key that is new after that round is not compared. */
  private Contents contents(Key key, int lastRound) {
    Outcome ofNew = round > lastRound ? Outcome.IGNORED : Outcome.UNDECIDED;
    return keys.computeIfAbsent(key, unknown -> new Contents(ofNew));
  }

  /**
   * Ends a round: a key that neither side has is settled.
   *
   * @param absence whether the round shows which keys are gone
   */
  void roundEnds(boolean absence) {
    for (Contents contents : keys.values()) {
      if (contents.isOpen() && contents.shown == NONE && (contents.published == NONE || !absence)) {
        contents.settled = Outcome.IGNORED;
      }
    }
  }

  boolean areSettled() {
    return keys.values().stream().noneMatch(Contents::isOpen);
  }

  /** Returns whether another round could decide more. */
  boolean areUndecided() {
    return keys.values().stream().anyMatch(each -> outcome(each) == Outcome.UNDECIDED);
  }

  private Outcome outcome(Contents contents) {
    if (!contents.isOpen()) {
      return contents.settled;
    }
    boolean shown = contents.shown != NONE;
    if (shown != (contents.shownBefore != NONE)) {
      return Outcome.UNDECIDED;
    }
    if (!shown) {
      return Outcome.PHANTOM;
    }
    if (contents.published == NONE) {
      return contents.removable ? Outcome.REMOVED : absent;
    }
    return contents.shown == contents.shownBefore ? Outcome.DIFFERENT : Outcome.UNDECIDED;
  }

  Map<Outcome, Long> counts() {
    Map<Outcome, Long> counts = new EnumMap<>(Outcome.class);
    keys.values().forEach(each -> counts.merge(outcome(each), 1L, Long::sum));
    return counts;
  }

  /** Some keys with that outcome, those first whose row was kept. */
  List<Key> keys(Outcome wanted, long most) {
    return keys.entrySet().stream()
        .filter(each -> outcome(each.getValue()) == wanted)
        .map(Map.Entry::getKey)
        .sorted(Comparator.comparing(key -> !kept.containsKey(key)))
        .limit(most)
        .sorted()
        .toList();
  }

  /** The row that the service showed last under a different key, if it was kept. */
  Optional<Row> row(Key key) {
    return Optional.ofNullable(kept.get(key));
  }

  /** Where the record of a key stands that the topic has. */
  Place place(Key key) {
    Contents contents = contents(key, FIRST);
    return new Place(contents.partition, contents.offset);
  }
}
