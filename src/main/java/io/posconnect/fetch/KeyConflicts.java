package io.posconnect.fetch;

import io.posconnect.resource.Key;
import java.util.HashSet;
import java.util.Set;

/**
 * Tells a row that changed while a list was read from two rows that share a key, so that nothing is
 * told back and forth for ever.
 *
 * <p>A key that comes again in one pass, on a later page or in a later window, with another content
 * has changed meanwhile: the later one is news. When the same happens in the next pass too, or that
 * content was found not unique before, two rows share the key: what was said last is kept, and the
 * other is a dead letter, wherever in a pass it comes. A pass that shows the key with one content
 * only ends that, and that content counts from the next pass on.
 */
final class KeyConflicts {

  private Set<Key> before = Set.of();
  private Set<Key> now = new HashSet<>();

  // Of the keys in conflict before: whose kept row this pass has shown, and whose other one.
  private final Set<Key> kept = new HashSet<>();
  private final Set<Key> held = new HashSet<>();

  /**
   * Whether a row of a pass is one of several that share its key, and not the one that is kept.
   *
   * @param said whether its content is what was said last
   * @param seenEarlier whether an earlier response of this pass had the key
   * @param rejected whether this content was found not unique before
   */
  boolean rejects(Key key, boolean said, boolean seenEarlier, boolean rejected) {
    if (said) {
      if (before.contains(key)) {
        kept.add(key);
        noteConflict(key);
      }
      return false;
    }
    if (seenEarlier) {
      now.add(key);
      return rejected || before.contains(key);
    }
    if (rejected && before.contains(key)) {
      held.add(key);
      noteConflict(key);
      return true;
    }
    return false;
  }

  private void noteConflict(Key key) {
    if (kept.contains(key) && held.contains(key)) {
      now.add(key);
    }
  }

  /** One response had the key with different contents. */
  void found(Key key) {
    now.add(key);
  }

  /** The pass has ended. */
  void passEnded() {
    before = now;
    now = new HashSet<>();
    kept.clear();
    held.clear();
  }
}
