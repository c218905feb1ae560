package io.posconnect.fetch;

import io.posconnect.resource.Key;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/**
 * The rows of a list whose key cannot be read. Each may be a key that the list lacks, unless it was
 * there while that key was: so it holds the keys that are missing since the pass in which it
 * appeared, or longer.
 *
 * <table>
 * <caption>What else they hold</caption>
 * <tr><th>what happened</th><th>why</th><th>held</th></tr>
 * <tr><td>a row appeared in a pass of several responses, or beside increments</td><td>the pass may
 *     have seen the key before it broke</td><td>what the next pass lacks</td></tr>
 * <tr><td>a key appeared, and the next pass lacks it</td><td>it may be a row that became readable,
 *     and broke again as before</td><td>what that pass lacks</td></tr>
 * <tr><td>more keys that were held came back than rows left</td><td>another row has the text of one
 *     that became readable</td><td>what that pass lacks</td></tr>
 * </table>
 *
 * <p>In memory only: after a start all of them are new.
 */
final class UnreadableRows {

  /** So many keys that appeared are known by name; beyond them every key may have. */
  static final int MOST_APPEARED = 10_000;

  /** So many rows are known by name; beyond them any row may be any missing key. */
  static final int MOST_ROWS = 100_000;

  private static final long NONE = -1;

  /**
   * One row.
   *
   * @param number which it is, from 1, of those with the same text: a service may make the same of
   *     each row that it cannot show
   */
  private record Unreadable(Key id, int number) {}

  // Since which pass each is there, and how many have the same text.
  private final Map<Unreadable, Long> rows = new HashMap<>();
  private final Map<Key, Integer> alike = new HashMap<>();
  private Map<Unreadable, Long> before = Map.of();

  // Those of the response under way.
  private final List<Key> response = new ArrayList<>();

  // The newest of those that increments show beside the pass, whose list may be older.
  private long newestBeside = NONE;

  // Keys that may be one of the rows when a pass lacks them, and in which pass they appeared.
  private final Map<Key, Long> appeared = new HashMap<>();

  // How many held keys lists have shown since the last pass ended.
  private int returned;

  // Any of the rows may be a key that is missing since that pass, or longer.
  private long suspectUntil = NONE;

  /** Begins a pass; what a broken one showed is dropped. */
  void passBegins() {
    rows.clear();
    alike.clear();
  }

  void responseBegins() {
    response.clear();
  }

  /** A response broke off: its rows come again, and are no others. */
  void rollBack() {
    response.forEach(id -> alike.merge(id, -1, Integer::sum));
  }

  /** Records a row that the pass shows. */
  void shows(Key id, long pass) {
    Unreadable row = new Unreadable(id, 1 + alike.getOrDefault(id, 0));
    if (rows.size() < MOST_ROWS || rows.containsKey(row)) {
      alike.put(id, row.number());
      response.add(id);
      rows.put(row, before.getOrDefault(row, pass));
    } else {
      suspectUntil = Math.max(suspectUntil, pass);
    }
  }

  /** Records a row that an increment shows beside the pass under way. */
  void showsBeside(Key id, long pass) {
    long since = before.getOrDefault(new Unreadable(id, 1), pass);
    newestBeside = Math.max(newestBeside, since);
  }

  /**
   * Records that a key is there again which they held.
   *
   * @param inList whether the pass shows it, rather than an increment beside a list that is older
   */
  void returns(Key key, boolean inList, long pass) {
    returned += inList ? 1 : 0;
    appears(key, pass);
  }

  /** Records that a key is there which was not. */
  void appears(Key key, long pass) {
    if (!rows.isEmpty() || !before.isEmpty()) {
      remember(key, pass);
    }
  }

  private void remember(Key key, long pass) {
    appeared.put(key, pass);
    if (appeared.size() > MOST_APPEARED) {
      appeared.clear();
      suspectUntil = pass + 1;
    }
  }

  /** Returns how many the pass has shown, of those that are known by name. */
  int size() {
    return rows.size();
  }

  /**
   * Returns the latest pass since which a key may be missing and be one of them; negative for none.
   *
   * @param missing the keys that the pass under way lacks
   */
  long newest(Collection<Key> missing, long pass) {
    if (rows.isEmpty() && newestBeside == NONE) {
      return NONE;
    }
    return wereReplaced() || missing.stream().anyMatch(appeared::containsKey)
        ? pass
        : rows.values().stream().reduce(Math.max(suspectUntil, newestBeside), Math::max);
  }

  private boolean wereReplaced() {
    return returned > before.keySet().stream().filter(row -> !rows.containsKey(row)).count();
  }

  /**
   * Ends the pass.
   *
   * @param overlaps whether it may have shown a row both before and after it broke
   * @param hidden keys that it did not show, and increments did
   * @param lacks whether it did not show a key
   * @param isFresh whether an increment returned the key meanwhile
   */
  void passEnded(
      long pass,
      boolean overlaps,
      Collection<Key> hidden,
      Predicate<Key> lacks,
      Predicate<Key> isFresh) {
    if (appeared.keySet().stream().anyMatch(lacks.and(isFresh.negate()))) {
      suspectUntil = Math.max(suspectUntil, pass);
    }
    if (wereReplaced()) {
      suspectUntil = overlaps ? pass + 1 : Math.max(suspectUntil, pass);
    }
    returned = 0;
    // A key that one response shows beside the rows is none of them. Otherwise it may have become
    // readable in one pass and have broken in the next.
    long proves = overlaps ? pass - 2 : pass;
    appeared
        .entrySet()
        .removeIf(
            each ->
                !isFresh.test(each.getKey())
                    && (lacks.test(each.getKey()) || each.getValue() <= proves));
    if (overlaps) {
      rows.replaceAll((row, since) -> before.containsKey(row) ? since : pass + 1);
    }
    if (rows.values().stream().anyMatch(since -> since >= pass)) {
      // One of the new rows may be a hidden key, which a later pass lacks.
      hidden.forEach(key -> remember(key, pass));
    }
    before = Map.copyOf(rows);
    newestBeside = NONE;
  }
}
