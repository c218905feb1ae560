package io.posconnect.simulator;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.atomic.AtomicReference;

/** A clock that stands still until it is moved. */
final class TestClock implements InstantSource {

  private final AtomicReference<Instant> now =
      new AtomicReference<>(Instant.parse("2026-03-01T12:00:00Z"));

  void advance(Duration by) {
    now.updateAndGet(then -> then.plus(by));
  }

  @Override
  public Instant instant() {
    return now.get();
  }
}
