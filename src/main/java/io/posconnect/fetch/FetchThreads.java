package io.posconnect.fetch;

import io.posconnect.problem.Problem;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.MDC;

/**
 * Starts the threads of one task and ends them together. Log lines of every one of them say of
 * which connector and task they are, as Connect's own do. Safe for several threads.
 */
final class FetchThreads implements AutoCloseable {

  private static final Logger log = LoggerFactory.getLogger(FetchThreads.class);

  // Long enough for a cancelled exchange to end, short enough for the worker's 5 s for all its
  // tasks.
  private static final long JOIN_MILLIS = 1_500;

  private final String prefix;
  private final @Nullable Map<String, String> loggingContext = MDC.getCopyOfContextMap();
  private final Set<Thread> alive = new HashSet<>();
  private int started;

  /** In the logging context of the thread that calls. */
  FetchThreads(String prefix) {
    this.prefix = prefix;
  }

  synchronized void start(Runnable work) {
    Thread thread = new Thread(() -> run(work), prefix + started++);
    thread.setDaemon(true);
    alive.add(thread);
    thread.start();
  }

  private void run(Runnable work) {
    if (loggingContext != null) {
      MDC.setContextMap(loggingContext);
    }
    try {
      work.run();
    } finally {
      ended();
    }
  }

  private synchronized void ended() {
    alive.remove(Thread.currentThread());
  }

  private synchronized List<Thread> alive() {
    return List.copyOf(alive);
  }

  /** Interrupts them all, and waits for them a little. */
  @Override
  public void close() {
    List<Thread> threads = alive();
    threads.forEach(Thread::interrupt);
    long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(JOIN_MILLIS);
    for (Thread thread : threads) {
      try {
        long left = TimeUnit.NANOSECONDS.toMillis(end - System.nanoTime());
        if (left > 0) {
          thread.join(left);
        }
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        return;
      }
      if (thread.isAlive()) {
        log.warn(
            Problem.STOPPED_LATE.at(
                thread.getName(), "it has not ended yet, and will when its exchange does"));
      }
    }
  }
}
