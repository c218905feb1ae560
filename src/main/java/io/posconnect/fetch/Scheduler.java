package io.posconnect.fetch;

import io.posconnect.client.ClientClosedException;
import io.posconnect.fetch.Buffer.StoppedException;
import io.posconnect.problem.Problem;
import java.util.List;
import java.util.Map;
import java.util.concurrent.DelayQueue;
import java.util.concurrent.Delayed;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.common.utils.Time;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.MDC;

/**
 * Runs each stream when it is due: a clock hands it to a pool of threads for one step, and queues
 * it again afterwards. So a stream has one step at a time, and a slow one delays no other, as long
 * as no more than {@link #MOST_THREADS} steps are under way. Beyond that the next due stream waits,
 * and {@link #overdue} counts it.
 *
 * <p>Nothing is begun while Connect does not poll: a connector that is paused, or whose producer is
 * stuck, makes no requests, and nothing piles up. Log lines of every thread carry the logging
 * context of the one that called {@link #start}.
 */
public final class Scheduler implements AutoCloseable {

  /** So many steps of one task may be under way at once. */
  public static final int MOST_THREADS = 64;

  private static final Logger log = LoggerFactory.getLogger(Scheduler.class);

  // A poll takes a second at most, and Connect a while to send what it was given.
  private static final long UNPOLLED_NANOS = TimeUnit.SECONDS.toNanos(10);

  // Long enough for a cancelled exchange to end, short enough for the worker's 5 s for all its
  // tasks.
  private static final long STOP_MILLIS = 1_500;

  /** A stream that waits for the time of its next step. */
  private final class Turn implements Delayed {
    private final StreamFetcher fetcher;
    private final long dueNanos;

    Turn(StreamFetcher fetcher, long dueNanos) {
      this.fetcher = fetcher;
      this.dueNanos = dueNanos;
    }

    @Override
    public long getDelay(TimeUnit unit) {
      return unit.convert(dueNanos - time.nanoseconds(), TimeUnit.NANOSECONDS);
    }

    @Override
    public int compareTo(Delayed other) {
      // By difference, as monotonic times must be.
      return Long.signum(dueNanos - ((Turn) other).dueNanos);
    }
  }

  private final Buffer buffer;
  private final Time time;
  private final String name;
  private final List<StreamFetcher> fetchers;
  private final DelayQueue<Turn> turns = new DelayQueue<>();
  private final Semaphore idle = new Semaphore(MOST_THREADS);
  private @Nullable ExecutorService threads;
  private volatile long polledNanos;
  private long broughtForwardNanos;

  /** Does nothing before {@link #start}. */
  public Scheduler(List<StreamFetcher> fetchers, String name, Buffer buffer, Time time) {
    this.fetchers = List.copyOf(fetchers);
    this.name = name;
    this.buffer = buffer;
    this.time = time;
  }

  /** Starts the clock; every stream is due at once. */
  public void start() {
    polledNanos = time.nanoseconds();
    broughtForwardNanos = polledNanos;
    fetchers.forEach(fetcher -> turns.add(new Turn(fetcher, polledNanos)));
    AtomicInteger started = new AtomicInteger();
    ExecutorService pool =
        Executors.newCachedThreadPool(
            work -> {
              Thread thread = new Thread(work, name + "-fetch-" + started.getAndIncrement());
              thread.setDaemon(true);
              return thread;
            });
    threads = pool;
    Map<String, String> loggingContext = MDC.getCopyOfContextMap();
    pool.execute(() -> guarded(loggingContext, () -> tick(pool, loggingContext)));
  }

  /** Hands the streams that are due to the pool, the one that has waited longest first. */
  private void tick(ExecutorService pool, @Nullable Map<String, String> loggingContext)
      throws InterruptedException {
    while (true) {
      awaitPolling();
      bringForward();
      // Not for longer: a clock may be set, or a location's key found good.
      Turn turn = turns.poll(1, TimeUnit.SECONDS);
      if (turn != null) {
        idle.acquire();
        pool.execute(() -> guarded(loggingContext, () -> run(turn.fetcher)));
      }
    }
  }

  /** Makes streams due that must follow what another one has found out about their key. */
  private void bringForward() {
    long now = time.nanoseconds();
    if (now - broughtForwardNanos < TimeUnit.SECONDS.toNanos(1)) {
      return;
    }
    broughtForwardNanos = now;
    for (Turn turn : turns) {
      if (turn.fetcher.mustFollowKey() && turns.remove(turn)) {
        turns.add(new Turn(turn.fetcher, now));
      }
    }
  }

  private void run(StreamFetcher fetcher) throws InterruptedException {
    try {
      turns.add(new Turn(fetcher, fetcher.step()));
    } finally {
      idle.release();
    }
  }

  private interface Work {
    void run() throws InterruptedException;
  }

  private void guarded(@Nullable Map<String, String> loggingContext, Work work) {
    if (loggingContext != null) {
      MDC.setContextMap(loggingContext);
    }
    try {
      work.run();
    } catch (InterruptedException | StoppedException | ClientClosedException e) {
      log.debug("the task is stopping: {}", e.getMessage());
    } catch (RuntimeException e) {
      buffer.fail(e);
    } catch (Error e) {
      buffer.fail(new IllegalStateException("a fetch thread died", e));
      throw e;
    }
  }

  private synchronized void awaitPolling() throws InterruptedException {
    while (time.nanoseconds() - polledNanos > UNPOLLED_NANOS) {
      wait(TimeUnit.SECONDS.toMillis(1));
    }
  }

  /** Records that Connect asks for records. */
  public void polled() {
    long now = time.nanoseconds();
    boolean resumes = now - polledNanos > UNPOLLED_NANOS;
    polledNanos = now;
    if (resumes) {
      synchronized (this) {
        notifyAll();
      }
    }
  }

  public List<StreamFetcher> fetchers() {
    return fetchers;
  }

  /** Returns how many streams are due and wait for a thread. */
  public int overdue() {
    return idle.availablePermits() > 0
        ? 0
        : (int) turns.stream().filter(turn -> turn.getDelay(TimeUnit.NANOSECONDS) <= 0).count();
  }

  /** Ends the threads; open exchanges must have been cancelled before. */
  @Override
  public void close() {
    ExecutorService pool = threads;
    if (pool == null) {
      return;
    }
    pool.shutdownNow();
    try {
      if (!pool.awaitTermination(STOP_MILLIS, TimeUnit.MILLISECONDS)) {
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
