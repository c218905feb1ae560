package io.posconnect.client;

import java.io.IOException;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import okio.AsyncTimeout;

/**
 * Cancels an exchange one of whose steps takes too long.
 *
 * <p>The library's own timeouts are not used: one that strikes closes a TLS connection in order,
 * which writes to it. A service that makes TLS write and does not read would block the one thread
 * on which the timeouts of all connectors depend. To cancel closes the socket below TLS, and never
 * waits.
 *
 * @param cancel ends the exchange, so that the thread that takes a step gets an exception
 */
record TimeLimit(Runnable cancel) {

  /** A step of an exchange. */
  interface Step<T> {
    T take() throws IOException;
  }

  /**
   * Takes the step and returns its result.
   *
   * @throws SocketTimeoutException when it takes longer
   */
  <T> T within(Duration limit, Step<T> step) throws IOException {
    AsyncTimeout timeout =
        new AsyncTimeout() {
          @Override
          protected void timedOut() {
            cancel.run();
          }
        };
    timeout.timeout(limit.toNanos(), TimeUnit.NANOSECONDS);
    timeout.enter();
    try {
      T result = step.take();
      if (!timeout.exit()) {
        return result;
      }
    } catch (IOException e) {
      if (!timeout.exit()) {
        throw e;
      }
    } finally {
      timeout.exit();
    }
    throw new SocketTimeoutException("not within " + limit);
  }
}
