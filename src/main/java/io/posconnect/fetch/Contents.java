package io.posconnect.fetch;

import io.posconnect.change.Digest;
import io.posconnect.change.Digest.Known;
import io.posconnect.fetch.Pass.Ruling;
import io.posconnect.fetch.Twins.Twin;
import io.posconnect.resource.Key;

/**
 * Compares a row with the contents of its key that are known: the one that was emitted last, and
 * those that were rejected. The rules stand at {@link Pass}.
 */
final class Contents {

  // Distinguishes a twin's dead letter from that of a broken row with the same content.
  private static final long TWIN = 0x2545F4914F6CDDL;

  private final Digest digest;
  private final DigestCapacity capacity;
  private final Twins twins = new Twins();

  Contents(Digest digest, DigestCapacity capacity) {
    this.digest = digest;
    this.capacity = capacity;
  }

  Twins twins() {
    return twins;
  }

  /** The entry under which the digest remembers a rejected content. */
  static Key deadLetter(long hash) {
    return Key.deadLetter(hash ^ TWIN);
  }

  /** Rules on a row of a pass. */
  Ruling ruleInPass(Fetch fetch, Known known, Twin row) {
    boolean emittedLast = known.is(row.hash());
    if (twins.areSetAside(row.key())) {
      return twins.setAside(row) || emittedLast ? Ruling.IGNORED : Ruling.TWIN;
    }
    if (isInThisResponse(fetch, known)) {
      return emittedLast ? Ruling.UNCHANGED : twin(row.key(), row.hash());
    }
    if (isInEarlierResponse(fetch, known)) {
      if (!emittedLast) {
        twins.doubt(row.key());
      }
      return emittedLast ? Ruling.UNCHANGED : Ruling.DOUBTED;
    }
    if (!emittedLast && isRejected(known, row.hash())) {
      // Found before a restart.
      return twins.setAside(row) ? Ruling.IGNORED : Ruling.TWIN;
    }
    return classify(fetch, known, row.key(), row.hash());
  }

  /** Rules on a row of an increment, or of a backfill. */
  Ruling ruleInIncrement(Fetch fetch, Known known, Key key, long hash) {
    boolean emittedLast = known.is(hash);
    if (!emittedLast && (twins.isRejected(key, hash) || isRejected(known, hash))) {
      twins.reject(key, hash);
      return Ruling.IGNORED;
    }
    return !emittedLast && isInThisResponse(fetch, known)
        ? twin(key, hash)
        : classify(fetch, known, key, hash);
  }

  private Ruling twin(Key key, long hash) {
    twins.reject(key, hash);
    return Ruling.TWIN;
  }

  private boolean isRejected(Known known, long hash) {
    return known.isCurrent() && digest.contains(deadLetter(hash));
  }

  private static boolean isInThisResponse(Fetch fetch, Known known) {
    return known.isCurrent() && known.seen() == fetch.pages().tick();
  }

  /** What a broken attempt at the same request saw does not count. */
  private static boolean isInEarlierResponse(Fetch fetch, Known known) {
    return known.isCurrent()
        && known.seen() >= fetch.passSince()
        && known.seen() < fetch.requestTick();
  }

  /** Rules by the digest alone. */
  Ruling classify(Fetch fetch, Known known, Key key, long hash) {
    if (!known.isThere() && !capacity.makeRoom(fetch, key)) {
      return Ruling.NO_ROOM;
    }
    return switch (digest.classify(key, hash)) {
      case CREATE -> Ruling.CREATE;
      case UPDATE -> Ruling.UPDATE;
      case UNCHANGED -> Ruling.UNCHANGED;
    };
  }
}
