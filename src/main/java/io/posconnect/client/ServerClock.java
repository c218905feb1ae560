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
 * push a watermark past rows not yet seen. When the local wall clock jumps, nothing happens. The
 * last sample stays until others replace it.
 *
 * <p><b>Odd dates.</b> A {@code Date} far behind would drag the estimate back for an hour, and each
 * increment would read from there. The local wall clock is asked for its opinion: a sample more
 * than {@link #ODD} behind it is set aside once {@link #CONVINCING} samples have agreed with it,
 * until as many in a row do not. So a service whose clock is really wrong, or was really set back,
 * is followed; and where the wall clock is wrong, no sample agrees with it, and the smallest is
 * used.
 */
public final class ServerClock {

  /** So far from the local wall clock a sample does not agree with it. */
  static final Duration ODD = Duration.ofMinutes(30);

  /** So many samples decide whether the wall clock is to be asked. */
  static final int CONVINCING = 3;

  private static final long RESOLUTION = TimeUnit.SECONDS.toNanos(1);

  // A date beyond these is not credible; both fit into a long of nanoseconds.
  private static final Instant EARLIEST = Instant.parse("1970-01-01T00:00:00Z");
  private static final Instant LATEST = Instant.parse("2200-01-01T00:00:00Z");

  /** {@code offset}: the service's nanoseconds since 1970 less those of the local clock. */
  private record Sample(long arrival, long offset) {}

  /** The samples of the last hour that can become its smallest. */
  private static final class LastHour {

    private static final long MEMORY = TimeUnit.HOURS.toNanos(1);

    // Offsets grow from first to last: a sample above a later, lower one is never the smallest.
    private final Deque<Sample> samples = new ArrayDeque<>();

    void add(long arrival, long offset) {
      while (!samples.isEmpty() && samples.getLast().offset() >= offset) {
        samples.removeLast();
      }
      // Less than a second after a lower one: that one stands for both, and memory stays bounded.
      if (samples.isEmpty() || arrival - samples.getLast().arrival() >= RESOLUTION) {
        samples.addLast(new Sample(arrival, offset));
      }
      forget(samples.getLast().arrival());
    }

    void forget(long now) {
      while (samples.size() > 1 && now - samples.getFirst().arrival() > MEMORY) {
        samples.removeFirst();
      }
    }

    boolean isEmpty() {
      return samples.isEmpty();
    }

    long smallest() {
      return samples.getFirst().offset();
    }

    long latest() {
      return samples.getLast().offset();
    }
  }

  private final long origin;
  private final LastHour all = new LastHour();
  private final LastHour agreeing = new LastHour();
  private int agreed;
  private int disagreed;

  /**
   * @param originNanos any moment of the monotonic clock whose times will be given
   */
  public ServerClock(long originNanos) {
    this.origin = originNanos;
  }

  /**
   * Adds the {@code Date} of a response that arrived then.
   *
   * @param wall the local wall clock at its arrival
   * @return whether it is set aside, for now
   */
  public synchronized boolean sample(Instant date, long arrivalNanos, Instant wall) {
    long arrival = arrivalNanos - origin;
    long offset = nanos(date) - arrival;
    all.add(arrival, offset);
    agreeing.forget(arrival);
    if (Duration.between(wall, date).abs().compareTo(ODD) <= 0) {
      agreeing.add(arrival, offset);
      agreed++;
      disagreed = 0;
    } else if (++disagreed >= CONVINCING) {
      agreed = 0;
    }
    return offset() > offset;
  }

  /** The service's time at that moment, past or present; empty before the first sample. */
  public synchronized Optional<Instant> at(long nanos) {
    return all.isEmpty()
        ? Optional.empty()
        : Optional.of(Instant.EPOCH.plusNanos(offset() + (nanos - origin)));
  }

  /**
   * The same by the latest sample alone, which may be later: where too early is worse than too
   * late.
   */
  public synchronized Optional<Instant> latest(long nanos) {
    return all.isEmpty()
        ? Optional.empty()
        : Optional.of(Instant.EPOCH.plusNanos(all.latest() + (nanos - origin)));
  }

  private long offset() {
    return agreed < CONVINCING ? all.smallest() : agreeing.smallest();
  }

  private static long nanos(Instant date) {
    Instant sane = date.isBefore(EARLIEST) ? EARLIEST : date.isAfter(LATEST) ? LATEST : date;
    return TimeUnit.SECONDS.toNanos(sane.getEpochSecond()) + sane.getNano();
  }
}
