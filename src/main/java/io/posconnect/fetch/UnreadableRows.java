package io.posconnect.fetch;

import io.posconnect.resource.Key;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Predicate;

/**
 * The rows of a list whose key cannot be read. Each may be a key that the list lacks, unless it was
 * there while that key was: so it holds the keys that are missing since the pass in which it
 * appeared, or longer.
 *
 * <table>
 * <caption>What else may be</caption>
 * <tr><th>what happened</th><th>why</th><th>held</th></tr>
 * <tr><td>a row appeared in a pass of several responses, or beside increments</td><td>the pass may
 *     have seen the key before it broke</td><td>what the next pass lacks</td></tr>
 * <tr><td>a key appeared, and the next pass lacks it</td><td>it may be a row that became readable,
 *     and broke again as before</td><td>that key, while a row is there that it may have been</td></tr>
 * <tr><td>more keys that were held came back than rows left</td><td>another row has the text of one
 *     that became readable: a service may make the same of each that it cannot show</td><td>what
 *     the pass lacks, while a row is there that one of these keys may have been</td></tr>
 * </table>
 *
 * <p>A position stores which keys they may have. After a start, a row that was there before holds
 * no other key. If the position does not store that, all rows count as new.
 */
final class UnreadableRows {

  /** So many keys that appeared are known by name; beyond them every key may have. */
  static final int MOST_APPEARED = 10_000;

  /** So many rows are known; beyond them any row may be any missing key. */
  static final int MOST_ROWS = 100_000;

  /**
   * A key that one response shows beside the rows is none of them. Otherwise it may have been read
   * before it broke, or after, so two passes in a row must show it.
   */
  private static final int LISTS = 2;

  private static final long NONE = -1;

  /** A key that appeared, and may be one of the rows when a pass lacks it. */
  private static final class Appeared {
    // The first pass that lacked it until then, from 1; 0 if it is new, or not known.
    private final long missingSince;

    // Whether rows held it, and no list has shown it since.
    private boolean awaitsList;

    // Whether the pass under way shows it, and how many passes in a row did before.
    private boolean isListed;
    private int lists;

    Appeared(long missingSince, boolean awaitsList) {
      this.missingSince = missingSince;
      this.awaitsList = awaitsList;
    }
  }

  // Since which passes the rows of a text were there when the last pass ended, in that order.
  private Map<Key, List<Long>> before = Map.of();

  // The same when the pass before that ended, if the last one may have overlooked some of them.
  private Map<Key, List<Long>> overlooked = Map.of();

  // Since when keys were missing when the last pass ended, but for those that appeared; one more
  // than can be stored where there are too many.
  private Map<Key, Long> missing = Map.of();

  // Others whose dead letters a start may find, and must not take for those of older rows.
  private final Set<Key> unsettled = new HashSet<>();

  // How many of each text the pass has shown.
  private final Map<Key, Integer> shown = new HashMap<>();
  private int size;
  private boolean overflows;

  // Those of the response under way.
  private final List<Key> response = new ArrayList<>();

  // The newest of those that increments show beside the pass, whose list may be older.
  private long newestBeside = NONE;

  private final Map<Key, Appeared> appeared = new HashMap<>();
  private boolean tooManyAppeared;

  // How many held keys lists have shown since the last pass ended, and since when one was missing.
  private int returned;
  private long returnedSince = Long.MAX_VALUE;

  /**
   * Resumes where another process left off.
   *
   * @param suspects what {@link #suspects} returned, if the position has it
   * @param known visits each key and dead letter of the digest, and whether it was there then
   */
  void resume(Optional<Suspects> suspects, Consumer<BiConsumer<Key, Boolean>> known) {
    before = new HashMap<>();
    known.accept(
        (key, wasThere) -> {
          if (key.isDeadLetter() && wasThere && suspects.isPresent()) {
            before.put(key, suspects.get().sinceOfRows(key));
          } else if (key.isDeadLetter()) {
            unsettled.add(key);
          } else {
            suspects
                .flatMap(then -> wasThere ? then.sinceOfKey(key) : Optional.of(Suspects.OLDEST))
                .ifPresent(since -> remember(key, new Appeared(since, since > Suspects.OLDEST)));
          }
        });
  }

  /**
   * Returns which keys they may have, and since when the rows are there that may have them, as a
   * position stores it; empty if that is not known. The next process knows the other rows by their
   * dead letters.
   *
   * @param pass the pass under way
   * @param mayBeKnown whether a start may find the dead letter of a row
   */
  String suspects(long pass, Predicate<Key> mayBeKnown) {
    boolean isKnown =
        appeared.size() <= Suspects.MOST && !tooManyAppeared && unsettled.size() < MOST_ROWS;
    if (!isKnown || (before.isEmpty() && overlooked.isEmpty())) {
      return "";
    }
    Suspects suspects = new Suspects(pass);
    missing.forEach(suspects::addKey);
    appeared.forEach((key, its) -> suspects.addKey(key, its.missingSince));
    long oldest =
        suspects.keys().values().stream()
            .flatMap(List::stream)
            .filter(since -> since > Suspects.OLDEST)
            .reduce(pass, Math::min);
    Map<Key, List<Long>> rows = new HashMap<>(overlooked);
    rows.putAll(before);
    rows.forEach(
        (id, all) -> {
          if (all.size() > 1 || all.get(0) >= oldest) {
            all.forEach(since -> suspects.addRow(id, since < oldest ? Suspects.OLDEST : since));
          }
        });
    unsettled.stream()
        .filter(id -> !rows.containsKey(id) && mayBeKnown.test(id))
        .forEach(id -> suspects.addRow(id, pass));
    return suspects.toString();
  }

  /** Records a row that an increment or a list shows. */
  void meets(Key id) {
    if (unsettled.size() < MOST_ROWS) {
      unsettled.add(id);
    }
  }

  /** Begins a pass; what a broken one showed is dropped. */
  void passBegins() {
    shown.clear();
    size = 0;
    overflows = false;
    appeared.values().forEach(key -> key.isListed = false);
  }

  void responseBegins() {
    response.clear();
  }

  /** A response broke off: its rows come again, and are no others. */
  void rollBack() {
    response.forEach(id -> shown.computeIfPresent(id, (key, n) -> n == 1 ? null : n - 1));
    size -= response.size();
  }

  /** Records a row that the pass shows. */
  void shows(Key id) {
    if (size == MOST_ROWS) {
      overflows = true;
      return;
    }
    shown.merge(id, 1, Integer::sum);
    response.add(id);
    size++;
  }

  /** Records a row that an increment shows beside the pass under way. */
  void showsBeside(Key id, long pass) {
    newestBeside = Math.max(newestBeside, before.getOrDefault(id, List.of(pass)).get(0));
  }

  /** Records that a key is there again which they may have held, since a pass first lacked it. */
  void returns(Key key, long missingSince) {
    remember(key, new Appeared(missingSince, true));
  }

  /** Records that a key is there which was not; {@link #lists} follows where a list shows it. */
  void appears(Key key) {
    if (!shown.isEmpty() || !before.isEmpty() || !overlooked.isEmpty()) {
      remember(key, new Appeared(0, false));
    }
  }

  private void remember(Key key, Appeared now) {
    appeared.merge(key, now, (old, its) -> old.missingSince <= its.missingSince ? old : its);
    if (appeared.size() > MOST_APPEARED) {
      appeared.clear();
      tooManyAppeared = true;
    }
  }

  /** Records a key that a list shows. An increment may show it while the list is older. */
  void lists(Key key) {
    Appeared known = appeared.isEmpty() ? null : appeared.get(key);
    if (known == null) {
      return;
    }
    known.isListed = true;
    if (known.awaitsList) {
      known.awaitsList = false;
      returned++;
      returnedSince = Math.min(returnedSince, known.missingSince);
    }
  }

  /** Returns how many the pass has shown, of those that are known. */
  int size() {
    return size;
  }

  /**
   * Returns the latest pass since which a key may be missing and be one of them; negative for none.
   */
  long newest(long pass) {
    return newest(after(pass, pass), pass);
  }

  private long newest(Map<Key, List<Long>> rows, long pass) {
    boolean any = size > 0 && (overflows || tooManyAppeared);
    return Math.max(any ? pass : newestBeside, latest(rows));
  }

  private static long latest(Map<Key, List<Long>> rows) {
    return rows.values().stream()
        .mapToLong(since -> since.get(since.size() - 1))
        .max()
        .orElse(NONE);
  }

  /** Returns whether a key that the pass lacks may be one of them, as it was before it appeared. */
  boolean mayBe(Key missing, long newest) {
    Appeared known = appeared.get(missing);
    return known != null && known.missingSince <= newest;
  }

  /**
   * Returns since when they are there, by their text.
   *
   * @param pass the pass under way
   * @param now for those that the pass under way was the first to show
   */
  private Map<Key, List<Long>> after(long pass, long now) {
    Map<Key, List<Long>> rows = new HashMap<>();
    long left = 0;
    for (Map.Entry<Key, List<Long>> each : before.entrySet()) {
      List<Long> since = new ArrayList<>(each.getValue());
      int gone = Math.max(0, since.size() - shown.getOrDefault(each.getKey(), 0));
      // Rows of one text look the same, so which of them left is a guess. If held keys came back,
      // they are the oldest that may have been these; otherwise those that only the last pass
      // showed, since pages may show a row twice. Beyond these it is the oldest: others hold more.
      long first = Math.min(pass, returnedSince);
      int older = (int) since.stream().filter(its -> its < first).count();
      int young = Math.min(gone, since.size() - older);
      left += since.stream().skip(older).limit(young).filter(its -> its >= returnedSince).count();
      since.subList(older, older + young).clear();
      since.subList(0, gone - young).clear();
      rows.put(each.getKey(), since);
    }
    if (returned > left) {
      rows.values().forEach(since -> since.replaceAll(its -> its < returnedSince ? its : now));
    }
    shown.forEach(
        (id, number) -> {
          List<Long> since = rows.computeIfAbsent(id, each -> new ArrayList<>());
          List<Long> again = overlooked.getOrDefault(id, List.of());
          for (int i = since.size(); i < number; i++) {
            since.add(i < again.size() ? again.get(i) : now);
          }
          since.sort(null);
        });
    rows.values().removeIf(List::isEmpty);
    return rows;
  }

  /**
   * Returns the rows that more than one pass has shown. The first pass that shows a row may have
   * listed its key as well, before the row broke: such a key comes back without having been
   * missing.
   */
  private Map<Key, List<Long>> olderThan(long pass) {
    Map<Key, List<Long>> rows = new HashMap<>();
    before.forEach(
        (id, all) -> {
          List<Long> older = all.stream().filter(since -> since < pass).toList();
          if (!older.isEmpty()) {
            rows.put(id, older);
          }
        });
    return rows;
  }

  /**
   * Ends the pass.
   *
   * @param overlaps whether it took several responses: it may have shown a row both before and
   *     after it broke
   * @param end what it proved
   * @param mayBeKnown whether a start may find the dead letter of a row
   * @param lacks whether it did not show a key, and no increment returned it meanwhile
   */
  void passEnded(
      long pass, boolean overlaps, PassEnd end, Predicate<Key> mayBeKnown, Predicate<Key> lacks) {
    Map<Key, List<Long>> after = after(pass, overlaps ? pass + 1 : pass);
    // A row that shifted between two pages is back in the next list, if no key has replaced it.
    boolean mayHaveLeft = appeared.values().stream().anyMatch(key -> key.isListed);
    overlooked = overlaps && !mayHaveLeft && !tooManyAppeared ? olderThan(pass) : Map.of();
    before.keySet().forEach(this::meets);
    before = after;
    if (unsettled.size() < MOST_ROWS) {
      unsettled.removeIf(
          id -> before.containsKey(id) || overlooked.containsKey(id) || !mayBeKnown.test(id));
    }
    missing = end.verdict().missingSince(Suspects.MOST + 1);
    if (tooManyAppeared) {
      before.values().forEach(since -> since.replaceAll(each -> pass + 1));
    }
    long newest = Math.max(newest(before, pass), latest(overlooked));
    tooManyAppeared = false;
    returned = 0;
    returnedSince = Long.MAX_VALUE;
    newestBeside = NONE;
    appeared
        .entrySet()
        .removeIf(
            each -> {
              Appeared key = each.getValue();
              boolean isMissing = lacks.test(each.getKey());
              key.lists = isMissing ? 0 : key.lists + (key.isListed ? 1 : 0);
              return isMissing ? key.missingSince > newest : key.lists >= (overlaps ? LISTS : 1);
            });
    if (newest >= pass) {
      // One of the new rows may be a hidden key, which a later pass lacks.
      end.hidden().forEach(key -> remember(key, new Appeared(pass, false)));
    }
  }
}
