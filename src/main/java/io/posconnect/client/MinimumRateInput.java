package io.posconnect.client;

import java.io.IOException;
import java.io.InputStream;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.function.LongSupplier;

/**
 * Reads a body whose every KB must arrive within a time, so that a service cannot hold a stream for
 * ever by sending a byte now and then. Only the time spent waiting for the service counts: a reader
 * may take as long as it likes.
 */
final class MinimumRateInput extends InputStream {

  private static final int KILOBYTE = 1024;

  private final InputStream body;
  private final TimeLimit limit;
  private final long nanosForKilobyte;
  private final LongSupplier nanoTime;
  private int arrived;
  private long waited;

  /**
   * @param limit of the exchange that the body reads from, maybe several times a read
   * @param forKilobyte the longest time for each KB
   * @param nanoTime the clock of {@code limit}
   */
  MinimumRateInput(InputStream body, TimeLimit limit, Duration forKilobyte, LongSupplier nanoTime) {
    this.body = body;
    this.limit = limit;
    this.nanosForKilobyte = forKilobyte.toNanos();
    this.nanoTime = nanoTime;
  }

  @Override
  public int read() throws IOException {
    byte[] one = new byte[1];
    return read(one, 0, 1) < 0 ? -1 : one[0] & 0xFF;
  }

  /**
   * @throws SocketTimeoutException when a KB takes longer than that
   */
  @Override
  public int read(byte[] target, int offset, int length) throws IOException {
    long left = nanosForKilobyte - waited;
    if (left <= 0) {
      throw new SocketTimeoutException("less than a KB came in time");
    }
    long start = nanoTime.getAsLong();
    int n = limit.within(Duration.ofNanos(left), () -> body.read(target, offset, length));
    waited += nanoTime.getAsLong() - start;
    arrived += Math.max(0, n);
    if (n > 0) {
      BoundedSockets.bodyArrived();
    }
    if (arrived >= KILOBYTE) {
      arrived = 0;
      waited = 0;
    }
    return n;
  }
}
