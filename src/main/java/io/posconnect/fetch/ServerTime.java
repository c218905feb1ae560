package io.posconnect.fetch;

import io.posconnect.client.ServerClock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import org.apache.kafka.common.utils.Time;

/**
 * Estimates the service's time for one stream: from the {@code Date} of its location's responses,
 * estimated low; from the local clock minus {@link #DISTRUST} while there is none.
 */
final class ServerTime {

  /** How far a local clock is distrusted. */
  static final Duration DISTRUST = Duration.ofMinutes(2);

  private final ServerClock clock;
  private final Time time;
  private boolean answered;

  ServerTime(ServerClock clock, Time time) {
    this.clock = clock;
    this.time = time;
  }

  /**
   * One moment on all clocks.
   *
   * @param nanos of the monotonic clock; compare by difference
   * @param wall of the worker's clock
   * @param server of the service's clock, estimated low
   * @param latestServer of the service's clock at the latest: {@link Instant#MAX} until the service
   *     has answered for the first time
   */
  record Moment(long nanos, Instant wall, Instant server, Instant latestServer) {

    /** Returns whether that monotonic time lies ahead. */
    boolean isBefore(long otherNanos) {
      return otherNanos - nanos > 0;
    }
  }

  /** Returns the present moment. */
  Moment now() {
    long nanos = time.nanoseconds();
    long millis = time.milliseconds();
    Instant server = at(nanos, millis);
    return new Moment(nanos, Instant.ofEpochMilli(millis), server, answered ? server : Instant.MAX);
  }

  /**
   * Records the {@code Date} of a response whose headers have just arrived.
   *
   * @return how far that is ahead of the local clock; empty when there was no readable Date
   */
  Optional<Duration> sample(Optional<Instant> date) {
    answered = true;
    date.ifPresent(sent -> clock.sample(sent, time.nanoseconds()));
    return date.map(sent -> Duration.between(Instant.ofEpochMilli(time.milliseconds()), sent));
  }

  /** Returns the server time at which the fetch began, cut to what a person reads in an offset. */
  Instant start(Fetch fetch) {
    return startOf(fetch.startedNanos(), fetch.startedMillis());
  }

  Instant startOf(long nanos, long localMillis) {
    return at(nanos, localMillis).truncatedTo(ChronoUnit.MILLIS);
  }

  private Instant at(long nanos, long localMillis) {
    return clock.at(nanos).orElseGet(() -> Instant.ofEpochMilli(localMillis).minus(DISTRUST));
  }
}
