package io.posconnect.client;

import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import okio.Timeout;

/**
 * Demands of a body that each KB of it comes within a time, so that a service cannot hold a stream
 * for ever by sending a byte now and then. Only the time spent waiting for the service counts: a
 * reader may take as long as it likes.
 */
final class SteadyInput extends InputStream {

  private static final int PIECE = 1024;

  private final InputStream body;
  private final Timeout waiting;
  private final long nanosForAPiece;
  private final LongSupplier nanoTime;
  private int came;
  private long waited;

  /**
   * @param waiting of whatever the body reads from, which a read of it may wait for several times
   * @param forAPiece longest time for a KB
   * @param nanoTime the clock that {@code waiting} follows
   */
  SteadyInput(InputStream body, Timeout waiting, Duration forAPiece, LongSupplier nanoTime) {
    this.body = body;
    this.waiting = waiting;
    this.nanosForAPiece = forAPiece.toNanos();
    this.nanoTime = nanoTime;
  }

  @Override
  public int read() throws IOException {
    byte[] one = new byte[1];
    return read(one, 0, 1) < 0 ? -1 : one[0] & 0xFF;
  }

  /**
   * @throws SocketTimeoutException when the service takes longer than it may
   */
  @Override
  public int read(byte[] target, int offset, int length) throws IOException {
    long left = nanosForAPiece - waited;
    if (left <= 0) {
      throw new SocketTimeoutException("less than a KB came in time");
    }
    waiting.deadline(left, TimeUnit.NANOSECONDS);
    long start = nanoTime.getAsLong();
    int n;
    try {
      n = body.read(target, offset, length);
    } catch (InterruptedIOException e) {
      throw new SocketTimeoutException("less than a KB came in time");
    }
    waited += nanoTime.getAsLong() - start;
    came += Math.max(0, n);
    if (came >= PIECE) {
      came = 0;
      waited = 0;
    }
    return n;
  }

  @Override
  public void close() throws IOException {
    body.close();
  }
}
