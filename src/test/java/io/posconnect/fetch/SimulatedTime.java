package io.posconnect.fetch;

import io.posconnect.fetch.Oracle.Violation;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.common.utils.MockTime;

/**
 * Time that passes only on request: a monotonic clock, the service's clock, which keeps step with
 * it, and a local wall clock that may stand anywhere.
 */
final class SimulatedTime extends MockTime {

  /** 2026-01-01T00:00:00Z. */
  static final long START = 1_767_225_600_000L;

  // Whoever asks so often at one moment goes round without a request and without a wait.
  private static final int SPINS = 100_000;

  private long wallAhead;
  private long serviceAhead;
  private int asked;

  SimulatedTime(long wallAhead) {
    super(0, START, 5_000_000_000L);
    this.wallAhead = wallAhead;
  }

  long server() {
    return super.milliseconds();
  }

  /** The service's time at a moment of the monotonic clock. */
  long server(long nanos) {
    return server() + TimeUnit.NANOSECONDS.toMillis(nanos - nanoseconds());
  }

  /** What the service's clock shows at that time. */
  long dated(long server) {
    return server + serviceAhead;
  }

  /** Sets the service's clock. */
  void setService(long ahead) {
    serviceAhead = ahead;
  }

  @Override
  public long nanoseconds() {
    if (++asked > SPINS) {
      throw new Violation("spins");
    }
    return super.nanoseconds();
  }

  @Override
  public void sleep(long millis) {
    asked = 0;
    super.sleep(millis);
  }

  @Override
  public long milliseconds() {
    return super.milliseconds() + wallAhead;
  }

  void setWall(long ahead) {
    wallAhead = ahead;
  }
}
