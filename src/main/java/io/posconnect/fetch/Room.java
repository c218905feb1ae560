package io.posconnect.fetch;

import io.posconnect.change.Digest;
import io.posconnect.problem.Problem;
import io.posconnect.resource.StreamSettings;

/**
 * Evicts keys when the digest is full. A date range forgets the oldest, which its reconciliations
 * no longer reach. New keys of anything else wait until a full pass has shown which others are
 * gone.
 */
final class Room {

  // Forgetting sorts the keys by age, so it is not done for each one.
  private static final int SHARE = 100;

  /** What becomes of a key that is new. */
  enum Place {
    /** It is remembered. */
    FREE,
    /** It is said when the pass has shown what is gone. */
    LATER
  }

  /** The digest holds as many keys as later reads return, and there is another one. */
  static final class CeilingException extends Exception {
    private static final long serialVersionUID = 1L;

    CeilingException(String what) {
      super(what, null, false, false);
    }
  }

  private final StreamSettings settings;
  private final FetchPlan plan;
  private final Digest digest;
  private final StatusReporter status;
  private boolean told;
  private long incrementTick;
  private volatile long reconciledTick;

  Room(StreamSettings settings, FetchPlan plan, Digest digest, StatusReporter status) {
    this.settings = settings;
    this.plan = plan;
    this.digest = digest;
    this.status = status;
  }

  /** An increment that reaches to the present began at that tick, and is complete. */
  void incremented(long sinceTick) {
    incrementTick = sinceTick;
  }

  /** A reconciliation began at that tick, and its checkpoint is written; on any thread. */
  void reconciled(long sinceTick) {
    reconciledTick = sinceTick;
  }

  /**
   * Finds a place for a key that the digest does not hold.
   *
   * @throws CeilingException when the read cannot go on
   */
  Place find(Fetch fetch) throws CeilingException {
    if (digest.size() < settings.digestMaxKeys()) {
      return Place.FREE;
    }
    if (!settings.resource().retrieval().provesAbsence()) {
      tellOldestForgotten();
      if (forget(plan.reconciles() ? reconciledTick : incrementTick, fetch)) {
        return Place.FREE;
      }
      throw new CeilingException("and none of them is old enough to be forgotten");
    }
    if (settings.resource().retrieval().filtered()) {
      throw new CeilingException("and the service has more");
    }
    return Place.LATER;
  }

  /**
   * Forgets some of the oldest of what was not seen since.
   *
   * @param sinceTick 0 where nothing is known yet: then only what this read returned is kept
   */
  private boolean forget(long sinceTick, Fetch fetch) {
    int surplus = digest.size() + 1 - settings.digestMaxKeys();
    int most = surplus + settings.digestMaxKeys() / SHARE;
    long began =
        Math.min(
            fetch.sinceTick(),
            plan.reconciliation().map(Reconciliation::sinceTick).orElse(Long.MAX_VALUE));
    int forgotten = digest.forget(most, sinceTick == 0 ? began : Math.min(sinceTick, began));
    return forgotten >= surplus;
  }

  private void tellOldestForgotten() {
    if (!told) {
      told = true;
      status.ceilingReached(
          Problem.CEILING_REACHED.at(
              settings.stream().id(),
              "more keys than digest.max.keys="
                  + settings.digestMaxKeys()
                  + " can hold; the oldest are forgotten, and come as c if they ever change"));
    }
  }
}
