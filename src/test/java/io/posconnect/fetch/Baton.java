package io.posconnect.fetch;

import io.posconnect.client.ClientClosedException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Semaphore;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Has the streams of a history take turns, so that one may wait in the midst of its step while
 * others go on. Whoever holds the baton runs the loop that decides whose turn it is; a step that
 * waits keeps its thread, and passes the baton to another one. So only one thread of all runs at a
 * time, and the order is the loop's.
 */
final class Baton {

  /** Ends the loop of a thread that has passed the baton, or must not have it again. */
  private static final class Passed extends Error {
    private static final long serialVersionUID = 1;

    private final boolean isEnded;

    /**
     * @param isEnded whether somebody waits for the end of its step
     */
    Passed(boolean isEnded) {
      super(null, null, false, false);
      this.isEnded = isEnded;
    }
  }

  // Those of a history that has ended are soon gone.
  private static final ExecutorService THREADS =
      new ThreadPoolExecutor(
          0, Integer.MAX_VALUE, 1, TimeUnit.SECONDS, new SynchronousQueue<>(), Baton::thread);

  private final Runnable loop;
  private final Semaphore callerMay = new Semaphore(0);
  private final Semaphore ended = new Semaphore(0);
  private @Nullable Throwable failure;

  /**
   * @param loop returns when its time is over, whichever thread runs it by then
   */
  Baton(Runnable loop) {
    this.loop = loop;
  }

  private static Thread thread(Runnable work) {
    Thread thread = new Thread(work, "turn");
    thread.setDaemon(true);
    return thread;
  }

  /** Runs the loop; fails as it has failed. */
  void run() {
    THREADS.execute(this::perform);
    callerMay.acquireUninterruptibly();
    failIfFailed();
  }

  private void failIfFailed() {
    Throwable failed = failure;
    failure = null;
    if (failed instanceof RuntimeException e) {
      throw e;
    } else if (failed != null) {
      throw new IllegalStateException(failed);
    }
  }

  private void perform() {
    try {
      loop.run();
    } catch (Passed e) {
      if (e.isEnded) {
        ended.release();
      }
      return;
    } catch (Throwable e) {
      failure = e;
      ended.release();
    }
    callerMay.release();
  }

  /** A step that waits in its midst, or may. */
  final class Turn {
    private final Semaphore may = new Semaphore(0);
    private boolean waits;
    private boolean mustEnd;

    /** Waits in the midst of a step until the loop has it {@link #goOn go on}. */
    void await() {
      waits = true;
      THREADS.execute(Baton.this::perform);
      may.acquireUninterruptibly();
      waits = false;
      if (mustEnd) {
        throw new ClientClosedException("GET");
      }
    }

    boolean waits() {
      return waits;
    }

    /** Has the step that waits go on, and its thread the baton; does not return. */
    Error goOn() {
      may.release();
      throw new Passed(false);
    }

    /** Ends the step that waits, if it does, as the end of its client would. */
    void end() {
      if (waits) {
        mustEnd = true;
        may.release();
        ended.acquireUninterruptibly();
        mustEnd = false;
        failIfFailed();
      }
    }

    /** Records that the step has ended because its client has; it may have been {@link #end}. */
    void closed() {
      if (mustEnd) {
        throw new Passed(true);
      }
    }
  }
}
