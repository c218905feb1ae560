package io.posconnect.fetch;

import io.posconnect.change.Digest;
import io.posconnect.record.Provenance.FetchKind;
import io.posconnect.resource.Key;
import io.posconnect.resource.StreamSettings;

/**
 * Makes room in a digest that holds {@code digest.max.keys} keys, or as many dead letters. There
 * are two answers:
 *
 * <ul>
 *   <li>A date range evicts its oldest entries, which its reconciliations no longer reach: those
 *       that the latest one did not return, or without reconciliations the latest increments. After
 *       a start it is unknown which these are, since the order of the digest's log is not the age
 *       of its keys: the stream then reads them as soon as it may, and until then the digest grows
 *       beyond its ceiling, at most to twice its size; what is more waits.
 *   <li>Any other stream needs every key to see deletes. Its new rows wait until a pass has shown
 *       which keys vanished; if none did, or too few twice in a row, the stream is suspended.
 * </ul>
 */
final class DigestCapacity {

  // Eviction sorts the keys by age, so it evicts one in a hundred at a time.
  private static final int SHARE = 100;

  private final StreamSettings settings;
  private final Digest digest;
  private final boolean evicts;
  private final boolean reconciles;

  // When the increments began that last reached the present, and those under way; 0 for none.
  private long incrementTick;
  private long beganTick;

  private long reconciledTick;

  // Whether a window of the backfill was read since the start, or nothing was known before.
  private boolean hasBackfilled;

  private boolean exceedsCeiling;
  private boolean hasEvicted;

  // No key, and no dead letter, was last seen before these ticks: none ever will be, and to look
  // for one takes as long as the digest is large, for each row of a list that has too many.
  private long keysSince;
  private long deadLettersSince;

  DigestCapacity(StreamSettings settings, Digest digest) {
    this.settings = settings;
    this.digest = digest;
    // Reconciliations must find the keys of their window.
    reconciles = !settings.reconciliationInterval().isZero();
    hasBackfilled = digest.keys() == 0;
    evicts =
        settings.resource().retrieval().filtered()
            && !settings.resource().retrieval().provesAbsence();
  }

  /** The most keys that the digest may hold. */
  int most() {
    return settings.digestMaxKeys();
  }

  /** Records a fetch that was read to its end, also if rows of it wait for room. */
  void ended(Fetch fetch) {
    if (fetch.endsPass()) {
      reconciledTick = fetch.passSince();
    }
    hasBackfilled |= fetch.kind() == FetchKind.BACKFILL;
    if (fetch.kind() == FetchKind.INCREMENT) {
      beganTick = beganTick == 0 ? fetch.sinceTick() : beganTick;
      if (fetch.reachesNow()) {
        incrementTick = beganTick;
        beganTick = 0;
      }
    }
  }

  /** Returns whether only a reconciliation shows which keys may be evicted. */
  boolean needsReconciliation() {
    return exceedsCeiling && reconciles && reconciledTick == 0;
  }

  boolean hasEvicted() {
    return hasEvicted;
  }

  /** Returns whether a new key may find room. */
  boolean mayHaveRoom() {
    return evicts || digest.keys() < settings.digestMaxKeys();
  }

  /**
   * Makes room for one new entry of the fetch; returns false when there is none. Dead letters do
   * not take the room of keys: they have a ceiling of their own, which is as high.
   */
  boolean makeRoom(Fetch fetch, Key key) {
    boolean deadLetters = key.isDeadLetter();
    int entries = deadLetters ? digest.deadLetters() : digest.keys();
    if (!evicts || entries < settings.digestMaxKeys()) {
      return entries < settings.digestMaxKeys();
    }
    if (protectedSince() != 0 || (fetch.kind() == FetchKind.BACKFILL && hasBackfilled)) {
      return evict(fetch, entries, deadLetters);
    }
    exceedsCeiling = true;
    return entries < 2L * settings.digestMaxKeys();
  }

  /** When the latest read began whose keys stay; 0 for none since the start. */
  private long protectedSince() {
    return reconciles ? reconciledTick : incrementTick;
  }

  /** Evicts the oldest entries that neither this read nor the latest complete one returned. */
  private boolean evict(Fetch fetch, int entries, boolean deadLetters) {
    int surplus = entries + 1 - settings.digestMaxKeys();
    long protectedSince = protectedSince();
    long began = fetch.kind() == FetchKind.BACKFILL ? fetch.heldSince() : fetch.passSince();
    long before = protectedSince == 0 ? began : Math.min(protectedSince, began);
    if (before <= (deadLetters ? deadLettersSince : keysSince)) {
      return false;
    }
    int most = surplus + settings.digestMaxKeys() / SHARE;
    int evicted = digest.forget(most, before, each -> each.isDeadLetter() == deadLetters);
    if (evicted < most && deadLetters) {
      deadLettersSince = before;
    } else if (evicted < most) {
      keysSince = before;
    }
    hasEvicted |= evicted > 0 && !deadLetters;
    return evicted >= surplus;
  }
}
