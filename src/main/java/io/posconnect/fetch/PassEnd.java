package io.posconnect.fetch;

import io.posconnect.fetch.DeleteDetector.Verdict;
import io.posconnect.fetch.Twins.Resolution;
import io.posconnect.resource.Key;
import java.util.List;

/**
 * What the end of a fetch proves; decided by {@link Pass}, emitted by {@link ChangeEmitter}.
 *
 * @param resolutions what becomes of rows that share their key
 * @param hidden the keys beside the missing ones that it did not show, since increments had
 *     returned them meanwhile
 * @param verdict which of the missing keys are gone, and what the others wait for
 * @param again whether another pass must follow at once, since rows may have slipped between pages,
 *     or are believed only when two passes show them
 */
record PassEnd(List<Resolution> resolutions, List<Key> hidden, Verdict verdict, boolean again) {

  /** The end of a fetch with which no pass ends. */
  static final PassEnd NONE = new PassEnd(List.of(), List.of(), Verdict.NOTHING, false);

  /** Returns whether every key that the digest holds from now on was shown. */
  boolean isWhole() {
    return hidden.isEmpty() && verdict.waiting().isEmpty();
  }
}
