package io.posconnect.client;

import java.io.IOException;
import java.io.InputStream;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.function.LongSupplier;

/**
 * Reads a body whose every part must arrive within a time, so that a service cannot hold a stream
 * for ever by sending a byte now and then. Only the time spent waiting for the service counts: a
 * reader may take as long as it likes.
 */
final class MinimumRateInput extends InputStream {

  /** A part of a body that may have any number of them. */
  static final int KILOBYTE = 1024;

  /** The only part of a body that must be there in one go. */
  static final int WHOLE = Integer.MAX_VALUE;

  private final InputStream body;
  private final TimeLimit limit;
  private final int part;
  private final long nanosForPart;
  private final LongSupplier nanoTime;
  private int arrived;
  private long waited;

  /**
   * @param limit of the exchange that the body reads from, maybe several times a read
   * @param part so many bytes must come in time
   * @param forPart the longest time for each part
   * @param nanoTime the clock of {@code limit}
   */
  MinimumRateInput(
      InputStream body, TimeLimit limit, int part, Duration forPart, LongSupplier nanoTime) {
    this.body = body;
    this.limit = limit;
    this.part = part;
    this.nanosForPart = forPart.toNanos();
    this.nanoTime = nanoTime;
  }

  @Override
  public int read() throws IOException {
    byte[] one = new byte[1];
    return read(one, 0, 1) < 0 ? -1 : one[0] & 0xFF;
  }

  /**
   * @throws SocketTimeoutException when a part takes longer than that
   */
  @Override
  public int read(byte[] target, int offset, int length) throws IOException {
    long left = nanosForPart - waited;
    if (left <= 0) {
      throw new SocketTimeoutException("too little came in time");
    }
    long start = nanoTime.getAsLong();
    int n = limit.within(Duration.ofNanos(left), () -> body.read(target, offset, length));
    waited += nanoTime.getAsLong() - start;
    arrived += Math.max(0, n);
    if (n > 0) {
      BoundedSockets.bodyArrived();
    }
    if (arrived >= part) {
      arrived = 0;
      waited = 0;
    }
    return n;
  }
}
