package io.posconnect.fetch;

import io.posconnect.problem.Incident;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Stores whether the service accepts a location's key, for all streams of a task that read the
 * location. Safe for several threads.
 *
 * <p>A key is refused by {@code /whoami}, which any stream asks that is due or was refused itself,
 * and found good by it or by rows. The others follow as soon as they see another {@link #version}:
 * without a request of their own when it is refused, and with their next one at once when it is
 * good. So a refused key is one incident of its location.
 */
public final class LocationKey {

  private int streams;
  private int version;
  private long refusedNanos;
  private @Nullable Suspension refusal;

  /** Counts a stream of the location; all are to be counted before the first is read. */
  public synchronized void addStream() {
    streams++;
  }

  /** Returns how many streams the task has at the location. */
  synchronized int streams() {
    return streams;
  }

  /** Returns a number that is another one whenever the key was refused or found good since. */
  synchronized int version() {
    return version;
  }

  /** Why and since when the key is refused; empty while it is not. */
  synchronized Optional<Suspension> refusal() {
    return Optional.ofNullable(refusal);
  }

  /**
   * Records that the service refused the key.
   *
   * @param incident that names the location, and no stream
   * @return whether it was accepted until now
   */
  synchronized boolean refused(Incident incident, long nowNanos) {
    boolean begins = refusal == null;
    refusal = Suspension.of(incident, nowNanos, refusal);
    refusedNanos = nowNanos;
    version += begins ? 1 : 0;
    return begins;
  }

  /** Records that the service accepted the key of a request that was sent then. */
  synchronized void accepted(long sentNanos) {
    if (refusal != null && sentNanos - refusedNanos >= 0) {
      foundGood();
    }
  }

  /** Records that a stream is read again which was suspended because of the key. */
  synchronized void foundGood() {
    refusal = null;
    version++;
  }
}
