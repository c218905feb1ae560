package io.posconnect.fetch;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The service's time as far as one stream knows it: from the {@code Date} of its location's
 * responses, estimated low; from the local clock, set back, while there is none.
 */
final class ServerTime {

  private static final Logger log = LoggerFactory.getLogger(ServerTime.class);

  /** How far a local clock is distrusted. */
  static final Duration DISTRUST = Duration.ofMinutes(2);

  private final StreamParts parts;
  private boolean answered;
  private boolean warned;

  ServerTime(StreamParts parts) {
    this.parts = parts;
  }

  /** A response's headers have just arrived. */
  void sample(Optional<Instant> date) {
    answered = true;
    if (date.isPresent()) {
      parts.clock().sample(date.get(), parts.time().nanoseconds());
      Instant local = Instant.ofEpochMilli(parts.time().milliseconds());
      parts.listener().skewed(parts.stream(), Duration.between(local, date.get()));
    } else if (!warned) {
      warned = true;
      log.warn(
          "{}: responses have no readable Date header; positions follow the local clock minus {}"
              + " minutes, so keep it synchronised",
          parts.stream(),
          DISTRUST.toMinutes());
    }
  }

  Instant now(long nowNanos) {
    return parts
        .clock()
        .at(nowNanos)
        .orElseGet(() -> Instant.ofEpochMilli(parts.time().milliseconds()).minus(DISTRUST));
  }

  /** The latest that it may be: anything until the service has answered for the first time. */
  Instant latest(long nowNanos) {
    return answered ? now(nowNanos) : Instant.MAX;
  }

  /** When the fetch began. */
  Instant start(Fetch fetch) {
    return parts
        .clock()
        .at(fetch.startedNanos())
        .orElseGet(() -> Instant.ofEpochMilli(fetch.startedMillis()).minus(DISTRUST));
  }
}
