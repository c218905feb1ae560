package io.posconnect.client;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * Estimates the service's time at a moment of the local monotonic clock, low, from the {@code Date}
 * headers of its responses. Safe for several threads.
 *
 * <p>A {@code Date} is cut to whole seconds and read late, so each sample puts the service's clock
 * too low; the smallest of the last hour is used, so that one wrong {@code Date} far ahead cannot
 * push a watermark past rows not yet seen. The local wall clock plays no part: when it jumps,
 * nothing happens. The last sample stays until others replace it.
 */
public final class ServerClock {

  private static final long MEMORY = TimeUnit.HOURS.toNanos(1);
  private static final long RESOLUTION = TimeUnit.SECONDS.toNanos(1);

  // A date beyond these is not credible; both fit into a long of nanoseconds.
  private static final Instant EARLIEST = Instant.parse("1970-01-01T00:00:00Z");
  private static final Instant LATEST = Instant.parse("2200-01-01T00:00:00Z");

  /** {@code offset}: the service's nanoseconds since 1970 less those of the local clock. */
  private record Sample(long arrival, long offset) {}

  private final long origin;

  // Offsets grow from first to last: a sample above a later, lower one can never be the smallest.
  private final Deque<Sample> samples = new ArrayDeque<>();

  /**
   * @param originNanos any moment of the monotonic clock whose times will be given
   */
  public ServerClock(long originNanos) {
    this.origin = originNanos;
  }

  /** Adds the {@code Date} of a response that arrived then. */
  public synchronized void sample(Instant date, long arrivalNanos) {
    long arrival = arrivalNanos - origin;
    long offset = nanos(date) - arrival;
    while (!samples.isEmpty() && samples.getLast().offset() >= offset) {
      samples.removeLast();
    }
    // Less than a second after a lower one: that one stands for both, and memory stays bounded.
    if (samples.isEmpty() || arrival - samples.getLast().arrival() >= RESOLUTION) {
      samples.addLast(new Sample(arrival, offset));
    }
    long newest = samples.getLast().arrival();
    while (newest - samples.getFirst().arrival() > MEMORY) {
      samples.removeFirst();
    }
  }

  /** The service's time at that moment, past or present; empty before the first sample. */
  public synchronized Optional<Instant> at(long nanos) {
    if (samples.isEmpty()) {
      return Optional.empty();
    }
    long service = samples.getFirst().offset() + (nanos - origin);
    return Optional.of(Instant.EPOCH.plusNanos(service));
  }

  /**
   * How far the service's clock is ahead of the local wall clock; negative when it is behind. Low
   * by up to a second and the time a response travels.
   */
  public Optional<Duration> skew(Instant wall, long nanos) {
    return at(nanos).map(service -> Duration.between(wall, service));
  }

  private static long nanos(Instant date) {
    Instant sane = date.isBefore(EARLIEST) ? EARLIEST : date.isAfter(LATEST) ? LATEST : date;
    return TimeUnit.SECONDS.toNanos(sane.getEpochSecond()) + sane.getNano();
  }
}
