package io.posconnect.fetch;

import io.posconnect.fetch.DeleteDetector.Verdict;
import io.posconnect.fetch.Twins.Resolution;
import io.posconnect.resource.Key;
import java.util.List;

/**
 * What the end of a fetch proves; decided by {@link Pass}, emitted by {@link ChangeEmitter}.
 *
 * @param resolutions what becomes of rows that share their key
 * @param missing keys that the pass did not show
 * @param hidden how many more keys it did not show, which increments had returned meanwhile
 * @param verdict which of them are gone, or why they wait
 * @param trusted whether the location is known to be the store that was read before
 * @param again whether another pass must follow at once, since rows may have slipped between pages,
 *     or are believed only when two passes show them
 */
record PassEnd(
    List<Resolution> resolutions,
    List<Key> missing,
    int hidden,
    Verdict verdict,
    boolean trusted,
    boolean again) {

  /** The end of a fetch with which no pass ends. */
  static final PassEnd NONE = new PassEnd(List.of(), List.of(), 0, Verdict.NOTHING, true, false);
}
