package io.posconnect.fetch;

import io.posconnect.resource.Key;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;

/**
 * Keys that are in doubt for one reason, each since some pass. A doubt that a pass does not raise
 * again ends with that pass. In memory only: after a start all of them are new.
 */
final class Doubts {

  private final Map<Key, Long> raised = new HashMap<>();
  private Map<Key, Long> before = Map.of();

  /** Begins a pass; what a broken one raised is dropped. */
  void passBegins() {
    raised.clear();
  }

  /** Raises a doubt in that pass; returns false if the pass has raised it already. */
  boolean raise(Key key, long pass) {
    return raised.put(key, before.getOrDefault(key, pass)) == null;
  }

  /** Takes back what a response raised that broke off. */
  void withdraw(Collection<Key> keys) {
    raised.keySet().removeAll(keys);
  }

  /** Returns whether this pass has raised it. */
  boolean isRaised(Key key) {
    return raised.containsKey(key);
  }

  /** Returns whether this pass has raised it, and the pass before has not. */
  boolean isNew(Key key) {
    return raised.containsKey(key) && !before.containsKey(key);
  }

  /** Returns whether this pass has raised one that the pass before did not. */
  boolean hasNew() {
    return !before.keySet().containsAll(raised.keySet());
  }

  /** Returns since which pass the newest stands; negative when there is none. */
  long newest() {
    return raised.values().stream().mapToLong(Long::longValue).max().orElse(-1);
  }

  /** Counts all that this pass has raised as new in it. */
  void renew(long pass) {
    raised.replaceAll((key, since) -> pass);
  }

  /** Returns how many this pass has raised. */
  int size() {
    return raised.size();
  }

  /** Forgets the passes before this one: from now on every doubt counts as new. */
  void countAsNew() {
    before = Map.of();
  }

  /** Ends a pass. */
  void passEnded() {
    before = Map.copyOf(raised);
  }
}
