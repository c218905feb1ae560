package io.posconnect.fetch;

import io.posconnect.resource.Key;
import java.util.HashMap;
import java.util.Map;

/**
 * Remembers the rows whose key cannot be read, and the pass in which each appeared. They are
 * identified by their text without {@code ignore.fields}; after a start all of them count as new.
 */
final class UnreadableRows {

  private final Map<Key, Long> appeared = new HashMap<>();
  private Map<Key, Long> before = Map.of();
  private int size;

  /** Begins a pass; what a broken one saw is dropped. */
  void passBegins() {
    appeared.clear();
  }

  /** Records a row of that pass. */
  void see(Key row, long pass) {
    appeared.put(row, before.getOrDefault(row, pass));
  }

  /**
   * Records that a row may have been readable since the pass before, as when a response broke off:
   * from now on every row counts as new.
   */
  void countAsNew() {
    before = Map.of();
  }

  /** Returns the pass in which the newest row appeared; negative when there is none. */
  long newest() {
    return appeared.values().stream().mapToLong(Long::longValue).max().orElse(-1);
  }

  /**
   * Ends a pass.
   *
   * @param hidesKeys whether it lacks keys that increments returned: they can vanish in the next
   *     pass only, so its rows count as new once more
   */
  void passEnded(boolean hidesKeys) {
    size = appeared.size();
    before = hidesKeys ? Map.of() : Map.copyOf(appeared);
  }

  int size() {
    return size;
  }
}
