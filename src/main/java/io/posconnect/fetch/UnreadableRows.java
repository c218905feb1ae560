package io.posconnect.fetch;

import io.posconnect.resource.Key;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
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
 * <tr><td>a key appeared, or came back, beside rows</td><td>until lists show it, it may be a row
 *     that became readable, and broke again as before</td><td>that key, while a row is there that
 *     it may have been</td></tr>
 * <tr><td>more keys that were held came back than rows left</td><td>another row has the text of one
 *     that became readable: a service may make the same of each that it cannot show</td><td>what
 *     the pass lacks, while a row is there that one of these keys may have been</td></tr>
 * </table>
 *
 * <p>A position stores since when the rows are there, and which keys they may be. If it does not,
 * all rows count as new after a start.
 */
final class UnreadableRows {

  /** So many keys that appeared are known by name; beyond them all rows count as new. */
  static final int MOST_APPEARED = 10_000;

  /** So many rows are known; beyond them all rows count as new. */
  static final int MOST_ROWS = 100_000;

  /**
   * A key that one response shows beside the rows is none of them. Otherwise it may have been read
   * before it broke, or after, so two passes in a row must show it.
   */
  private static final int LISTS = 2;

  /** Before each pass, also of earlier processes. */
  static final long NONE = Long.MIN_VALUE;

  /** A key that appeared, and may be one of the rows when a pass lacks it. */
  private static final class Appeared {
    // The first pass that lacked it until then; none if rows did not hold it.
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

  // Since when keys were missing when the last pass ended, but for those that appeared; one more
  // than can be stored where there are too many.
  private Map<Key, Long> missing = Map.of();

  // How many of each text the pass has shown.
  private final Map<Key, Integer> shown = new HashMap<>();
  private int size;

  // Whether there are more rows, or keys that appeared, than are known.
  private boolean overflows;

  // Those of the response under way.
  private final List<Key> response = new ArrayList<>();

  // The newest of those that increments show beside the pass, whose list may be older.
  private long newestBeside = NONE;

  private final Map<Key, Appeared> appeared = new HashMap<>();

  // How many held keys lists have shown since the last pass ended, and since when one was missing.
  private int returned;
  private long returnedSince = Long.MAX_VALUE;

  /**
   * Resumes where another process left off.
   *
   * @param suspects what {@link #suspects} returned
   * @param known visits each key and dead letter of the digest, and whether it was there then
   */
  void resume(Suspects suspects, Consumer<BiConsumer<Key, Boolean>> known) {
    before = suspects.rows();
    known.accept(
        (key, wasThere) -> {
          if (!key.isDeadLetter()) {
            Optional<Long> since = wasThere ? suspects.missingSince(key) : Optional.of(NONE);
            since.ifPresent(pass -> appears(key, pass));
          } else if (!wasThere) {
            // The row went meanwhile, and another one may have its text now.
            before.remove(key);
          }
        });
  }

  /**
   * Returns the rows, and the keys that they may be, as a position stores it; empty if that is not
   * known, or too much.
   *
   * @param pass the pass under way
   */
  String suspects(long pass) {
    long known = before.values().stream().mapToLong(List::size).sum();
    if (overflows || known + missing.size() + appeared.size() > Suspects.MOST) {
      return "";
    }
    Suspects suspects = new Suspects(pass);
    before.forEach((id, rows) -> rows.forEach(since -> suspects.addRow(id, since)));
    missing.forEach(suspects::addKey);
    appeared.forEach((key, its) -> suspects.addKey(key, its.missingSince));
    return suspects.toString();
  }

  /** Begins a pass; what a broken one showed is dropped. */
  void passBegins() {
    shown.clear();
    size = 0;
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

  /** Records that a key is there which was not; {@link #lists} follows where a list shows it. */
  void appears(Key key) {
    appears(key, NONE);
  }

  /**
   * Records that a key is there again which they may have held.
   *
   * @param missingSince the first pass that lacked it until then
   */
  void appears(Key key, long missingSince) {
    remember(key, new Appeared(missingSince, missingSince != NONE));
  }

  private void remember(Key key, Appeared now) {
    if (shown.isEmpty() && before.isEmpty()) {
      return;
    }
    appeared.merge(key, now, (old, its) -> old.missingSince <= its.missingSince ? old : its);
    if (appeared.size() > MOST_APPEARED) {
      appeared.clear();
      overflows = true;
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

  /** Returns the latest pass since which a key may be missing and be one of them; or none. */
  long newest(long pass) {
    return newest(after(pass));
  }

  private long newest(Map<Key, List<Long>> rows) {
    return rows.values().stream()
        .mapToLong(since -> since.get(since.size() - 1))
        .reduce(newestBeside, Math::max);
  }

  /** Returns whether a key that the pass lacks may be one of them, as it was before it appeared. */
  boolean mayBe(Key missing, long newest) {
    Appeared known = appeared.get(missing);
    return known != null && newest != NONE && known.missingSince <= newest;
  }

  /**
   * Returns since when they are there, by their text.
   *
   * @param now for those that the pass under way was the first to show
   */
  private Map<Key, List<Long>> after(long now) {
    Map<Key, List<Long>> rows = new HashMap<>();
    long left = 0;
    for (Map.Entry<Key, List<Long>> each : before.entrySet()) {
      List<Long> since = new ArrayList<>(each.getValue());
      int gone = Math.max(0, since.size() - shown.getOrDefault(each.getKey(), 0));
      // Rows of one text look the same, so which of them left is a guess: the oldest that may have
      // been the held keys which came back, and beyond these the oldest: others hold more.
      int older = (int) since.stream().filter(its -> its < returnedSince).count();
      int young = Math.min(gone, since.size() - older);
      left += young;
      since.subList(older, older + young).clear();
      since.subList(0, gone - young).clear();
      rows.put(each.getKey(), since);
    }
    if (overflows || returned > left) {
      long first = overflows ? NONE : returnedSince;
      rows.values().forEach(since -> since.replaceAll(its -> its < first ? its : now));
    }
    shown.forEach(
        (id, number) -> {
          List<Long> since = rows.computeIfAbsent(id, each -> new ArrayList<>());
          since.addAll(Collections.nCopies(number - since.size(), now));
        });
    rows.values().removeIf(List::isEmpty);
    return rows;
  }

  /**
   * Ends the pass.
   *
   * @param overlaps whether it took several responses: it may have shown a row both before and
   *     after it broke
   * @param end what it proved
   * @param lacks whether it did not show a key, and no increment returned it meanwhile
   */
  void passEnded(long pass, boolean overlaps, PassEnd end, Predicate<Key> lacks) {
    before = after(overlaps || overflows ? pass + 1 : pass);
    long newest = newest(before);
    missing = end.verdict().missingUntil(newest, Suspects.MOST + 1);
    overflows = false;
    returned = 0;
    returnedSince = Long.MAX_VALUE;
    newestBeside = NONE;
    appeared
        .entrySet()
        .removeIf(
            each -> {
              Appeared key = each.getValue();
              boolean isMissing = lacks.test(each.getKey());
              key.awaitsList |= isMissing;
              key.lists = isMissing ? 0 : key.lists + (key.isListed ? 1 : 0);
              return isMissing
                  ? !mayBe(each.getKey(), newest)
                  : key.lists >= (overlaps ? LISTS : 1);
            });
    if (newest >= pass) {
      // One of the new rows may be a hidden key, which a later pass lacks.
      end.hidden().forEach(key -> remember(key, new Appeared(pass, false)));
    }
  }
}
