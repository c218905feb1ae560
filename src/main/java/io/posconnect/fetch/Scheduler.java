package io.posconnect.fetch;

import io.posconnect.client.ClientClosedException;
import io.posconnect.fetch.Buffer.StoppedException;
import io.posconnect.problem.Problem;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadPoolExecutor.DiscardPolicy;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.common.utils.Time;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.MDC;

/**
 * Runs each stream when it is due: a thread takes it for one step, and queues it again afterwards.
 * So a stream has one step at a time, and a slow one delays no other, as long as no more than
 * {@link #MOST_THREADS} steps are under way. Beyond that the stream that has waited longest is the
 * next, and {@link #overdue} counts those that wait.
 *
 * <p>Nothing is begun while Connect does not poll: a connector that is paused, or whose producer is
 * stuck in a transaction, makes no requests, and nothing piles up. Log lines of every thread carry
 * the logging context of the one that made the scheduler.
 */
public final class Scheduler implements AutoCloseable {

  /** So many steps of one task may be under way at once. */
  public static final int MOST_THREADS = 64;

  private static final Logger log = LoggerFactory.getLogger(Scheduler.class);

  // A poll takes a second at most, and Connect a while to send what it was given.
  private static final long UNPOLLED_NANOS = TimeUnit.SECONDS.toNanos(10);

  // No stream waits longer without a look at its key and at the polls.
  private static final long LOOK_NANOS = TimeUnit.SECONDS.toNanos(1);

  // Long enough for a cancelled exchange to end, short enough for the worker's 5 s for all its
  // tasks.
  private static final long STOP_MILLIS = 1_500;

  private final Buffer buffer;
  private final Time time;
  private final String name;
  private final List<StreamFetcher> fetchers;
  private final ScheduledThreadPoolExecutor threads;
  private volatile long polledNanos;

  /** Does nothing before {@link #start}; every stream is due then. */
  public Scheduler(List<StreamFetcher> fetchers, String name, Buffer buffer, Time time) {
    this.name = name;
    this.buffer = buffer;
    this.time = time;
    polledNanos = time.nanoseconds();
    this.fetchers = List.copyOf(fetchers);
    AtomicInteger started = new AtomicInteger();
    Map<String, String> loggingContext = MDC.getCopyOfContextMap();
    threads =
        new ScheduledThreadPoolExecutor(
            Math.min(MOST_THREADS, fetchers.size()),
            work -> {
              Thread thread =
                  new Thread(
                      () -> {
                        if (loggingContext != null) {
                          MDC.setContextMap(loggingContext);
                        }
                        work.run();
                      },
                      name + "-fetch-" + started.getAndIncrement());
              thread.setDaemon(true);
              return thread;
            },
            // A step that ends after the stop is its stream's last.
            new DiscardPolicy());
  }

  /** Starts the threads. */
  public void start() {
    fetchers.forEach(fetcher -> queue(fetcher, 0));
  }

  private void queue(StreamFetcher fetcher, long nanos) {
    ScheduledFuture<?> unused = threads.schedule(() -> look(fetcher), nanos, TimeUnit.NANOSECONDS);
  }

  /** Performs the stream's next step if it is due, and queues it again unless the task fails. */
  private void look(StreamFetcher fetcher) {
    try {
      boolean polled = time.nanoseconds() - polledNanos <= UNPOLLED_NANOS;
      if (polled && fetcher.isDue(time.nanoseconds())) {
        fetcher.step();
      }
      long wait = fetcher.dueNanos() - time.nanoseconds();
      queue(fetcher, polled ? Math.min(wait, LOOK_NANOS) : LOOK_NANOS);
    } catch (InterruptedException | StoppedException | ClientClosedException e) {
      log.debug("the task is stopping: {}", e.getMessage());
    } catch (RuntimeException e) {
      buffer.fail(e);
    } catch (Error e) {
      buffer.fail(e);
      throw e;
    }
  }

  /** Records that Connect asks for records. */
  public void polled() {
    polledNanos = time.nanoseconds();
  }

  /** The streams that are suspended, and why. */
  public List<Suspension> suspensions() {
    return fetchers.stream().flatMap(fetcher -> fetcher.suspension().stream()).toList();
  }

  /** Returns how many streams there are. */
  public int streams() {
    return fetchers.size();
  }

  /** Returns how many streams are due and wait for a thread. */
  public int overdue() {
    int busy = threads.getActiveCount();
    long now = time.nanoseconds();
    return busy < MOST_THREADS
        ? 0
        : Math.max(0, (int) fetchers.stream().filter(each -> each.isDue(now)).count() - busy);
  }

  /** Ends the threads; open exchanges must have been cancelled before. */
  @Override
  public void close() {
    threads.shutdownNow();
    try {
      if (!threads.awaitTermination(STOP_MILLIS, TimeUnit.MILLISECONDS)) {
        log.warn(
            "{}",
            Problem.STOPPED_LATE.incident(
                name, "a fetch has not ended yet, and will when its exchange does"));
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
