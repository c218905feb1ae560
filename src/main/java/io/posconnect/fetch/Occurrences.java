package io.posconnect.fetch;

import io.posconnect.resource.Key;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Numbers the rows of one key within one pass over a list, since nothing else distinguishes them.
 *
 * <p>A content that the digest knows keeps its number, in whatever order the rows come. Any other
 * takes a number that the pass before did not show, as a changed row does, or else the lowest that
 * is new. So a list that only changes its order changes nothing. Of identical rows the lowest
 * numbers are shown, so that the same ones are missing while some of the rows are.
 *
 * <p>Which numbers a list in one response lacks is known at its end only. A row that may be one of
 * them, changed or broken, waits until then.
 *
 * <p>Rows shift between pages, so one row may be served twice: an occurrence number that is new
 * counts only when two passes in a row show it.
 */
public final class Occurrences {

  // Beyond so many rows of one key the place decides: comparing each with all takes too long.
  private static final int MOST_COMPARED = 64;

  private Map<Key, Integer> counts = new HashMap<>();
  private List<Key> page = new ArrayList<>();

  // New occurrence numbers of this pass, and of the one before.
  private Set<Key> unconfirmed = new HashSet<>();
  private Set<Key> unconfirmedBefore = Set.of();
  private Set<Key> doubtedOnPage = new HashSet<>();

  /** Begins a response; {@code first} when a pass begins with it. */
  public void responseBegins(boolean first) {
    if (first) {
      counts.clear();
      unconfirmed.clear();
    }
    page.clear();
    doubtedOnPage.clear();
  }

  /** Takes back a response that broke off: its rows will come again. */
  public void rollBack() {
    page.forEach(key -> counts.computeIfPresent(key, (k, n) -> n == 1 ? null : n - 1));
    unconfirmed.removeAll(doubtedOnPage);
  }

  /** What is known of a number when a row of its key comes. */
  public enum State {
    /** This pass has shown it before. */
    TAKEN,
    /** The digest knows the row's content under it. */
    KNOWN,
    /** The digest does not know it, or has lost others that an earlier snapshot had with it. */
    NEW,
    /**
     * No row is left for it: the pass before has not shown it, or all other rows of the response
     * came; or an earlier snapshot had it with any content.
     */
    VACANT,
    /** Another row's, which may still come. */
    OTHER
  }

  /**
   * Counts one more row of that key, and returns the key with its number. Null where the row must
   * be shown again at the end: it may be a changed one, and others of its key may still come.
   *
   * @param numbered the key with a number
   */
  public @Nullable Key next(
      Key key, IntFunction<Key> numbered, Function<Key, State> states, boolean mayWait) {
    int place = counts.getOrDefault(key, 0) + 1;
    Function<State, Stream<Key>> in =
        state -> near(place, numbered).filter(each -> states.apply(each) == state);
    Optional<Key> known = in.apply(State.KNOWN).findFirst();
    if (mayWait
        && known.isEmpty()
        && keys(1, MOST_COMPARED + 1, numbered).anyMatch(k -> states.apply(k) == State.OTHER)) {
      return null;
    }
    page.add(key);
    counts.put(key, place);
    return Stream.of(
            known.stream(),
            in.apply(State.VACANT),
            in.apply(State.NEW),
            keys(place, place + MOST_COMPARED, numbered)
                .filter(each -> states.apply(each) == State.OTHER))
        .flatMap(keys -> keys)
        .filter(each -> !unconfirmed.contains(each))
        .findFirst()
        .orElseGet(() -> numbered.apply(place));
  }

  /** The lowest numbers, and those that an earlier pass may have given to a row of that place. */
  private static Stream<Key> near(int place, IntFunction<Key> numbered) {
    return Stream.concat(
        keys(1, MOST_COMPARED + 1, numbered),
        keys(Math.max(place, MOST_COMPARED + 1), place + MOST_COMPARED, numbered));
  }

  private static Stream<Key> keys(int from, int to, IntFunction<Key> numbered) {
    return IntStream.range(from, to).mapToObj(numbered);
  }

  /** Returns how many keys it holds for this pass. */
  int size() {
    return counts.size() + unconfirmed.size();
  }

  /** Doubts a new occurrence number. */
  void doubt(Key occurrence) {
    if (unconfirmed.add(occurrence)) {
      doubtedOnPage.add(occurrence);
    }
  }

  /** Returns whether another pass must show an occurrence number of this one first. */
  boolean isUnconfirmed(Key occurrence) {
    return unconfirmed.contains(occurrence) && !unconfirmedBefore.contains(occurrence);
  }

  /**
   * Returns whether another pass must follow at once, to confirm numbers of this one. One that
   * confirms others is followed by none, or a list that grows all the time would never be read to
   * an end.
   */
  boolean mustBeConfirmed() {
    return unconfirmedBefore.isEmpty() && !unconfirmed.isEmpty();
  }

  /** Ends the pass: between two passes no key is held but those that the next one confirms. */
  void passEnded() {
    unconfirmedBefore = Set.copyOf(unconfirmed);
    // Not cleared: that would keep the room for every key of the list.
    counts = new HashMap<>();
    page = new ArrayList<>();
    unconfirmed = new HashSet<>();
    doubtedOnPage = new HashSet<>();
  }
}
