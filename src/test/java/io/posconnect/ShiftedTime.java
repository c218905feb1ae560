package io.posconnect;

import java.time.Instant;
import java.time.InstantSource;
import java.util.function.Supplier;
import org.apache.kafka.common.utils.Time;

/** The system's time, but that it is another day. */
final class ShiftedTime implements Time, InstantSource {

  private final long ahead;

  private ShiftedTime(long ahead) {
    this.ahead = ahead;
  }

  /** It is that instant now. */
  static ShiftedTime to(Instant now) {
    return new ShiftedTime(now.toEpochMilli() - SYSTEM.milliseconds());
  }

  @Override
  public Instant instant() {
    return Instant.ofEpochMilli(milliseconds());
  }

  @Override
  public long milliseconds() {
    return SYSTEM.milliseconds() + ahead;
  }

  @Override
  public long nanoseconds() {
    return SYSTEM.nanoseconds();
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
