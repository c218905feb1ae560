package io.posconnect;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.apache.kafka.common.utils.Time;

/** The system's time, whose wall clock may be set, and of which more may seem to have passed. */
final class ShiftedTime implements Time, InstantSource {

  private final AtomicLong aheadMillis = new AtomicLong();
  private final AtomicLong passedNanos = new AtomicLong();

  static ShiftedTime to(Instant now) {
    ShiftedTime time = new ShiftedTime();
    time.set(Duration.ofMillis(now.toEpochMilli() - SYSTEM.milliseconds()));
    return time;
  }

  /** Sets the wall clock, and no other, so far ahead of the system's; negative: behind. */
  void set(Duration ahead) {
    aheadMillis.set(ahead.toMillis());
  }

  /** Lets so much time pass at once, by both clocks. */
  void advance(Duration time) {
    aheadMillis.addAndGet(time.toMillis());
    pass(time);
  }

  /** Lets so much of monotonic time pass at once. */
  void pass(Duration time) {
    passedNanos.addAndGet(time.toNanos());
  }

  @Override
  public Instant instant() {
    return Instant.ofEpochMilli(milliseconds());
  }

  @Override
  public long milliseconds() {
    return SYSTEM.milliseconds() + aheadMillis.get();
  }

  @Override
  public long nanoseconds() {
    return SYSTEM.nanoseconds() + passedNanos.get();
  }

  @Override
  public void sleep(long millis) {
    SYSTEM.sleep(millis);
  }

  @Override
  public void waitObject(Object object, Supplier<Boolean> condition, long deadline)
      throws InterruptedException {
    SYSTEM.waitObject(object, condition, deadline);
  }
}
