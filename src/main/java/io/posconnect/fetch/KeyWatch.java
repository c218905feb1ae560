package io.posconnect.fetch;

import io.posconnect.fetch.ServerTime.Moment;
import io.posconnect.problem.Incident;
import io.posconnect.problem.Problem;
import io.posconnect.problem.Text;
import io.posconnect.resource.Stream;
import java.time.Duration;
import java.util.Optional;

/**
 * Watches the key of one stream's location. The stream that finds the key refused speaks for all
 * streams of the location, until it is read again; each of them reports its own suspension.
 */
final class KeyWatch {

  private final Stream stream;
  private final LocationKey key;
  private volatile int version;
  private boolean speaks;

  KeyWatch(Stream stream, LocationKey key) {
    this.stream = stream;
    this.key = key;
    version = key.version();
  }

  /**
   * Returns whether the key was found refused, or good, since this stream looked. By any thread.
   */
  boolean hasNews() {
    return key.version() != version;
  }

  /** Looks at the key; returns why the stream is suspended with its location, if it is. */
  Optional<Incident> look() {
    version = key.version();
    return key.refusal().map(refusal -> ofStream(refusal.incident()));
  }

  /** Records that the service refused the key; returns why the stream is suspended. */
  Incident refused(Incident ofLocation, Moment now) {
    speaks |= key.refused(ofLocation, now.nanos());
    version = key.version();
    return ofStream(ofLocation);
  }

  /** Records that the stream is read again, which was suspended because of the key. */
  void foundGood() {
    key.foundGood();
  }

  /** What follows for the streams of the location, if this one speaks for them. */
  Optional<String> consequence(Duration pause) {
    String consequence =
        "%s of this task %s suspended; the next probe follows in %s."
            .formatted(
                Text.count(key.streams(), "stream"),
                key.streams() == 1 ? "is" : "are",
                Text.duration(pause));
    return speaks ? Optional.of(consequence) : Optional.empty();
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
