package io.posconnect.simulator;

import java.io.InterruptedIOException;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Holds answers back until it is opened; once open it stays open. */
final class Gate {

  private final CountDownLatch latch = new CountDownLatch(1);

  void open() {
    latch.countDown();
  }

  boolean isOpen() {
    return latch.getCount() == 0;
  }

  /** Waits until the gate opens. */
  void await() throws InterruptedIOException {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw interrupted(e);
    }
  }

  /** Waits until the gate opens, but at most this long. */
  void await(Duration atMost) throws InterruptedIOException {
    try {
      if (latch.await(atMost.toNanos(), TimeUnit.NANOSECONDS)) {
        return;
      }
    } catch (InterruptedException e) {
      throw interrupted(e);
    }
  }

  private static InterruptedIOException interrupted(InterruptedException cause) {
    Thread.currentThread().interrupt();
    InterruptedIOException e = new InterruptedIOException("interrupted while holding an answer");
    e.initCause(cause);
    return e;
  }
}
