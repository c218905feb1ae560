package io.posconnect.fetch;

import io.posconnect.change.Digest;
import io.posconnect.change.Fingerprints;
import io.posconnect.offset.StreamOffset.Retention;
import io.posconnect.problem.Problem;
import io.posconnect.record.Provenance.FetchKind;
import io.posconnect.resource.Key;
import io.posconnect.resource.StreamSettings;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Makes room in a digest that may hold no more keys: a key is remembered until then, and what is
 * given up first is what no later read will return.
 *
 * <ul>
 *   <li>A date range forgets the oldest, which its reconciliations no longer reach.
 *   <li>Another filtered resource gives up reconciliations, and with them deletes, and forgets what
 *       lies beyond its lookback. So does a date range whose reconciliations alone fill the digest.
 *   <li>A resource without a filter cannot be followed without knowing every key: new ones wait
 *       until the pass has shown which others are gone.
 * </ul>
 */
final class Room {

  // Forgetting sorts the keys by age, so it is not done for each one.
  private static final int SHARE = 100;

  // Of a snapshot that breaks and begins again, at 20 bytes each.
  private static final int MOST_UNREMEMBERED = 1_000_000;

  /** What becomes of a key that is new. */
  enum Place {
    /** It is remembered. */
    FREE,
    /** It is said when the pass has shown what is gone. */
    LATER,
    /** It is said and not remembered. */
    NONE
  }

  /** The digest holds as many keys as later reads return, and there is another one. */
  static final class CeilingException extends Exception {
    private static final long serialVersionUID = 1L;

    private final boolean blocks;

    /**
     * @param blocks whether the stream cannot be read, rather than this fetch
     */
    CeilingException(String what, boolean blocks) {
      super(what, null, false, false);
      this.blocks = blocks;
    }

    boolean blocks() {
      return blocks;
    }
  }

  private final StreamSettings settings;
  private final FetchPlan plan;
  private final Digest digest;
  private final StatusReporter status;
  private final RandomGenerator random;
  private boolean windowOnly;
  private boolean told;
  private long incrementTick;
  private volatile long reconciledTick;
  private @Nullable Fingerprints unremembered;

  Room(
      StreamSettings settings,
      FetchPlan plan,
      Digest digest,
      StatusReporter status,
      RandomGenerator random) {
    this.settings = settings;
    this.plan = plan;
    this.digest = digest;
    this.status = status;
    this.random = random;
    if (plan.position().retention() == Retention.WINDOW) {
      keepOnlyLastWindow();
    }
  }

  /** Whether only the keys of the last window are remembered, so that nothing proves absence. */
  boolean windowOnly() {
    return windowOnly;
  }

  /** An increment that reaches to the present began at that tick, and is complete. */
  void incremented(long sinceTick) {
    incrementTick = sinceTick;
  }

  /** A reconciliation began at that tick, and its checkpoint is written; on any thread. */
  void reconciled(long sinceTick) {
    reconciledTick = sinceTick;
  }

  /** The first full read is complete: no row of it comes again. */
  void snapshotCompleted() {
    unremembered = null;
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
    if (!settings.resource().retrieval().filtered()) {
      return Place.LATER;
    }
    if (!windowOnly && !settings.resource().retrieval().provesAbsence()) {
      tellOldestForgotten();
      if (forget(plan.reconciles() ? reconciledTick : incrementTick, fetch)) {
        return Place.FREE;
      }
    }
    if (!windowOnly) {
      keepOnlyLastWindow();
      if (fetch.kind() == FetchKind.RECONCILIATION) {
        throw new CeilingException("the reconciliation is given up", false);
      }
    }
    if (fetch.kind() == FetchKind.SNAPSHOT) {
      return Place.NONE;
    }
    if (forget(incrementTick, fetch)) {
      return Place.FREE;
    }
    if (fetch.kind() == FetchKind.BACKFILL) {
      return Place.NONE;
    }
    throw new CeilingException("and one lookback holds more", true);
  }

  /** Whether a content that finds no place was not said yet, as far as that can be known. */
  boolean isNews(Key key, long contentHash) {
    if (unremembered == null) {
      unremembered = new Fingerprints(MOST_UNREMEMBERED, random);
    }
    return unremembered.add(key, contentHash);
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
      tell("the oldest are forgotten, and come as c if they ever change");
    }
  }

  private void keepOnlyLastWindow() {
    windowOnly = true;
    plan.stopReconciling();
    tell("no reconciliations and no deletes from now on");
  }

  private void tell(String consequence) {
    String line =
        Problem.CEILING_REACHED.at(
            settings.stream().id(),
            "more keys than digest.max.keys="
                + settings.digestMaxKeys()
                + " can hold; "
                + consequence);
    status.ceilingReached(line);
  }
}
