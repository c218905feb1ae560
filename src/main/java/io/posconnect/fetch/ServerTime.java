package io.posconnect.fetch;

import io.posconnect.client.ServerClock;
import io.posconnect.metrics.StreamMetrics;
import io.posconnect.problem.Problem;
import io.posconnect.resource.Stream;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.apache.kafka.common.utils.Time;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Estimates the service's time for one stream: from the {@code Date} of its location's responses,
 * estimated low; from the local clock, set back, while there is none.
 */
final class ServerTime {

  private static final Logger log = LoggerFactory.getLogger(ServerTime.class);

  /** How far a local clock is distrusted. */
  static final Duration DISTRUST = Duration.ofMinutes(2);

  private final Stream stream;
  private final ServerClock clock;
  private final StreamMetrics metrics;
  private final Time time;
  private boolean answered;
  private boolean warned;

  ServerTime(Stream stream, ServerClock clock, StreamMetrics metrics, Time time) {
    this.stream = stream;
    this.clock = clock;
    this.metrics = metrics;
    this.time = time;
  }

  /** A response's headers have just arrived. */
  void sample(Optional<Instant> date) {
    answered = true;
    if (date.isPresent()) {
      clock.sample(date.get(), time.nanoseconds());
      metrics.skewed(Duration.between(Instant.ofEpochMilli(time.milliseconds()), date.get()));
    } else if (!warned) {
      warned = true;
      log.warn(
          Problem.NO_SERVER_TIME.at(
              stream.id(),
              "responses have no readable Date header; the watermark follows the local clock minus "
                  + DISTRUST.toMinutes()
                  + " minutes"));
    }
  }

  Instant now(long nowNanos) {
    return at(nowNanos, time.milliseconds());
  }

  /** The latest that it may be: anything until the service has answered for the first time. */
  Instant latest(long nowNanos) {
    return answered ? now(nowNanos) : Instant.MAX;
  }

  /** When the fetch began. */
  Instant start(Fetch fetch) {
    return at(fetch.startedNanos(), fetch.startedMillis());
  }

  private Instant at(long nanos, long localMillis) {
    return clock.at(nanos).orElseGet(() -> Instant.ofEpochMilli(localMillis).minus(DISTRUST));
  }
}
