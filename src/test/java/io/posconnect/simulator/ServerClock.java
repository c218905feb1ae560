package io.posconnect.simulator;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.function.LongSupplier;

/**
 * The service's own clock: stamps rows and {@code Date} headers, and may run ahead of or behind the
 * world. Elapsed time is measured apart, so that no skew moves a rate limit.
 */
final class ServerClock {

  private final Clock world;
  private final LongSupplier nanos;
  private volatile Duration skew = Duration.ZERO;

  ServerClock(Clock world, LongSupplier nanos) {
    this.world = world;
    this.nanos = nanos;
  }

  /** What the service believes the time is, in whole milliseconds. */
  Instant now() {
    return Instant.ofEpochMilli(world.instant().plus(skew).toEpochMilli());
  }

  /** The time without the skew. */
  Instant worldTime() {
    return world.instant();
  }

  /** A monotonic reading in nanoseconds; only differences mean something. */
  long nanos() {
    return nanos.getAsLong();
  }

  void skew(Duration ahead) {
    skew = ahead;
  }
}
