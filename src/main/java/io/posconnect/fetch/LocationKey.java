package io.posconnect.fetch;

import io.posconnect.fetch.ServerTime.Moment;
import io.posconnect.problem.Incident;
import io.posconnect.problem.Problem;
import io.posconnect.problem.Text;
import io.posconnect.resource.Stream;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Stores whether the service accepts a location's key, for all streams of a task that read the
 * location. Safe for several threads.
 *
 * <p>A key is refused by {@code /whoami}, which any stream asks that is due or was refused itself,
 * and found good by it or by rows. The others follow as soon as their {@link Watch} has news:
 * without a request of their own when it is refused, and with their next one at once when it is
 * good. So a refused key is one incident of its location.
 */
public final class LocationKey {

  private int streams;
  private volatile int version;
  private long refusedNanos;
  private @Nullable Incident refusal;

  /** Adds a stream of the location; all are to be added before the first is read. */
  synchronized Watch watch(Stream stream) {
    streams++;
    return new Watch(stream, version);
  }

  /** Why the key is refused; empty while it is not. */
  synchronized Optional<Incident> refusal() {
    return Optional.ofNullable(refusal);
  }

  /** Records that the service accepted the key of a request that was sent then. */
  synchronized void accepted(long sentNanos) {
    if (refusal != null) {
      foundGood(sentNanos);
    }
  }

  /**
   * Records that a stream may be read again that was suspended because of the key: a request that
   * was sent then has an answer. Returns false, and changes nothing, if the key was refused since.
   */
  synchronized boolean foundGood(long sentNanos) {
    boolean isGood = refusal == null || sentNanos - refusedNanos >= 0;
    if (isGood) {
      refusal = null;
      version++;
    }
    return isGood;
  }

  /**
   * One stream's watch over the key. The stream that finds it refused speaks for all streams of the
   * location, until it is read again; each of them reports its own suspension.
   */
  final class Watch {

    private final Stream stream;
    private volatile int seen;
    private boolean speaks;

    private Watch(Stream stream, int seen) {
      this.stream = stream;
      this.seen = seen;
    }

    /**
     * Returns whether the key was found refused, or good, since this stream looked. By any thread.
     */
    boolean hasNews() {
      return version != seen;
    }

    /** Looks at the key; returns why the stream is suspended with its location, if it is. */
    Optional<Incident> look() {
      synchronized (LocationKey.this) {
        seen = version;
        return refusal().map(this::ofStream);
      }
    }

    /**
     * Records that the service refused the key; returns why the stream is suspended.
     *
     * @param ofLocation names the location, and no stream
     */
    Incident refused(Incident ofLocation, Moment now) {
      synchronized (LocationKey.this) {
        speaks |= refusal == null;
        version += refusal == null ? 1 : 0;
        refusal = ofLocation;
        refusedNanos = now.nanos();
        seen = version;
        return ofStream(ofLocation);
      }
    }

    /** What follows for the streams of the location, if this one speaks for them. */
    Optional<String> consequence(Duration pause) {
      synchronized (LocationKey.this) {
        String consequence =
            "%s of this task %s suspended; the next probe follows in %s."
                .formatted(
                    Text.count(streams, "stream"),
                    streams == 1 ? "is" : "are",
                    Text.duration(pause));
        return speaks ? Optional.of(consequence) : Optional.empty();
      }
    }

    /** The end of the trouble, of the location if this stream speaks for it. */
    Report recovered() {
      boolean spoke = speaks;
      speaks = false;
      return spoke ? StreamReporter::keyAccepted : StreamReporter::recovered;
    }

    /** Names the stream that is suspended, whichever one's request was refused. */
    private Incident ofStream(Incident ofLocation) {
      return Problem.KEY_REFUSED.incident(
          stream.id(), "the key of its location is refused (" + ofLocation.subject() + ")");
    }
  }
}
