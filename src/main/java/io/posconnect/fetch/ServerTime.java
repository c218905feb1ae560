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

  // More than an answer takes that shows the service's time as of its beginning.
  private static final Duration MARGIN = Duration.ofMinutes(3);

  private final ServerClock clock;
  private final Time time;

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
   * @param latestServer of the service's clock at the latest, so that a window that ends with it
   *     lacks no row of this moment; {@link Instant#MAX} while there is no {@code Date}
   */
  record Moment(long nanos, Instant wall, Instant server, Instant latestServer) {

    /** Returns whether that monotonic time lies ahead. */
    boolean isBefore(long otherNanos) {
      return otherNanos - nanos > 0;
    }
  }

  /**
   * What a {@code Date} shows.
   *
   * @param ahead how far the service's clock is ahead of the local one; negative if behind
   * @param setAside whether it is so odd that it does not count, unless the next ones are as well
   */
  record Skew(Duration ahead, boolean setAside) {}

  Moment now() {
    long nanos = time.nanoseconds();
    Instant wall = Instant.ofEpochMilli(time.milliseconds());
    Instant latest = clock.latest(nanos).map(time -> time.plus(MARGIN)).orElse(Instant.MAX);
    return new Moment(nanos, wall, at(nanos, wall), latest);
  }

  /**
   * Records the {@code Date} of a response whose headers have just arrived.
   *
   * @return what it shows; empty when there was no readable Date
   */
  Optional<Skew> sample(Optional<Instant> date) {
    return date.map(this::skew);
  }

  private Skew skew(Instant date) {
    Instant wall = Instant.ofEpochMilli(time.milliseconds());
    boolean setAside = clock.sample(date, time.nanoseconds(), wall);
    return new Skew(Duration.between(wall, date), setAside);
  }

  /** Returns the server time up to which the fetch must read, at the latest. */
  Instant present(Fetch fetch) {
    long nanos = fetch.presentNanos();
    return clock
        .latest(nanos)
        .orElseGet(() -> start(fetch).minusNanos(fetch.started().nanos() - nanos));
  }

  /** Returns the server time at which the fetch began, estimated low. */
  Instant start(Fetch fetch) {
    return at(fetch.started().nanos(), fetch.started().wall());
  }

  /** In milliseconds, since people read watermarks, and cut off, since they must be low. */
  Instant at(long nanos, Instant wall) {
    return clock.at(nanos).orElseGet(() -> wall.minus(DISTRUST)).truncatedTo(ChronoUnit.MILLIS);
  }
}
