package io.posconnect.fetch;

import io.posconnect.offset.StreamOffset;
import io.posconnect.resource.Resource;
import io.posconnect.resource.StreamSettings;
import java.time.Instant;
import java.util.Optional;

/**
 * Plans what a stream reads, and when: one plan for each cycle of a retrieval. It does no input or
 * output.
 *
 * <p>All times named nanos are of one monotonic clock; compare them by difference.
 */
abstract class FetchPlan {

  /** Later than any task lives, and still to be compared by difference. */
  static final long NEVER_NANOS = Long.MAX_VALUE / 2;

  final Resource resource;
  StreamOffset position;

  /**
   * @param position where the stream left off
   */
  FetchPlan(Resource resource, StreamOffset position) {
    this.resource = resource;
    this.position = position;
  }

  /** The plan of a stream that resumes at that position. */
  static FetchPlan of(StreamSettings settings, StreamOffset position, long nowNanos) {
    return switch (settings.resource().retrieval().cycle()) {
      case FULL_READS -> new FullPlan(settings.resource(), position, nowNanos);
      case CHANGES_SINCE -> new ModifiedSincePlan(settings, position, nowNanos);
      case WINDOWS -> new DateRangePlan(settings, position, nowNanos);
    };
  }

  /**
   * Returns the fetch that is due, or empty when none is; changes nothing. Once a request of a
   * fetch was {@link #sent}, it returns that fetch until it is completed, or one that takes turns
   * with it.
   *
   * @param serverNow the service's time now, estimated low
   */
  abstract Optional<Fetch> next(long nowNanos, Instant serverNow);

  /** Records that a request of the fetch was sent: that uses up its turn, planning it does not. */
  abstract void sent(Fetch fetch);

  /** When to ask again, at the latest, while {@link #next} has nothing. */
  abstract long dueNanos(long nowNanos, Instant serverNow);

  /**
   * Completes a fetch that was read to its end.
   *
   * @param began server time at which it began: the watermark is not later
   */
  abstract void completed(Fetch fetch, Instant began, long nowNanos);

  /** Records that the snapshot was read, though a later pass may have to confirm deletes. */
  void snapshotRead() {
    position = position.withSnapshotCompleted(position.watermark());
  }

  /**
   * Plans another full pass at that time, to confirm which keys are missing; of a date range, a
   * reconciliation as soon as one may begin.
   */
  abstract void confirmAt(long nanos);

  /** Accepts the pass that just ended with that fetch: nothing is left to confirm. */
  abstract void passAccepted(Fetch pass);

  /**
   * Shortens the window of a fetch that was too much for the service.
   *
   * @return false when it cannot get smaller
   */
  boolean shrink(Fetch fetch) {
    return false;
  }

  /** Starts the fetch again at its first page; a window has only one. */
  void restart(Fetch fetch) {}

  StreamOffset position() {
    return position;
  }
}
