package io.posconnect.fetch;

import io.posconnect.fetch.Buffer.StoppedException;
import io.posconnect.problem.Problem;
import io.posconnect.resource.Stream;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Predicate;
import org.apache.kafka.common.utils.Time;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.MDC;

/**
 * Runs the stream that is due: a few threads serve all streams of a task, each a step at a time.
 *
 * <p>Where there are several locations, one thread is kept from each, so that a location that
 * stalls every answer delays no other; and one from all that are in trouble together: whoever
 * failed last waits for the others' threads.
 *
 * <p>Many may begin to stall at once. For a step that waits for its service longer than {@link
 * #PATIENCE_NANOS}, a spare thread stands in until that step is over. None does where the steps
 * wait for Connect to take what they have read: more of them would only wait as well.
 */
public final class Scheduler implements AutoCloseable {

  private static final Logger log = LoggerFactory.getLogger(Scheduler.class);

  // Long enough for a cancelled exchange to end, short enough for the worker's 5 s for all its
  // tasks.
  private static final long JOIN_MILLIS = 1_500;

  private static final long PATIENCE_NANOS = TimeUnit.MILLISECONDS.toNanos(500);
  private static final int MOST_SPARES = 16;

  private record Turn(StreamFetcher fetcher, long dueNanos) {

    Stream stream() {
      return fetcher.stream();
    }
  }

  /** A turn that was taken and is not over yet. */
  private static final class Step {
    private final Turn turn;
    private final long sinceNanos;
    private final boolean troubled;

    // Whether a spare thread stands in for the one that makes it.
    private boolean spared;

    Step(Turn turn, long sinceNanos, boolean troubled) {
      this.turn = turn;
      this.sinceNanos = sinceNanos;
      this.troubled = troubled;
    }
  }

  private final Time time;
  private final Buffer buffer;
  private final String name;
  private final int threadCount;
  private final int perLocation;
  private final int forTroubled;
  private final boolean severalLocations;
  private final Set<Thread> threads = new HashSet<>();
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private final PriorityQueue<Turn> turns;
  private final Set<String> troubled = new HashSet<>();
  private final Set<Step> steps = new HashSet<>();
  private @Nullable Map<String, String> loggingContext;
  private int started;
  private boolean closed;

  /** Does nothing before {@link #start}. */
  public Scheduler(
      List<StreamFetcher> fetchers, int threadCount, String name, Buffer buffer, Time time) {
    this.time = time;
    this.buffer = buffer;
    this.name = name;
    this.threadCount = threadCount;
    long locations = fetchers.stream().map(f -> f.stream().location()).distinct().count();
    this.severalLocations = locations > 1;
    this.forTroubled = Math.max(1, threadCount - 1);
    this.perLocation = severalLocations ? forTroubled : threadCount;
    long now = time.nanoseconds();
    // By difference, as monotonic times must be.
    turns = new PriorityQueue<>(Comparator.comparingLong((Turn turn) -> turn.dueNanos() - now));
    fetchers.forEach(fetcher -> turns.add(new Turn(fetcher, now)));
  }

  /** Starts the threads, in the logging context of the one that calls. */
  public void start() {
    lock.lock();
    try {
      loggingContext = MDC.getCopyOfContextMap();
      for (int i = 0; i < threadCount; i++) {
        startThread(this::run, "-fetch-" + started++);
      }
      if (severalLocations) {
        startThread(this::watch, "-fetch-watch");
      }
    } finally {
      lock.unlock();
    }
  }

  private void startThread(Runnable work, String suffix) {
    Thread thread = new Thread(() -> inContext(work), name + suffix);
    thread.setDaemon(true);
    threads.add(thread);
    thread.start();
  }

  /** Log lines of every thread say of which connector and task they are, as Connect's own do. */
  private void inContext(Runnable work) {
    if (loggingContext != null) {
      MDC.setContextMap(loggingContext);
    }
    work.run();
  }

  private void run() {
    try {
      boolean needed = true;
      while (needed) {
        Step step = take();
        StreamFetcher fetcher = step.turn.fetcher();
        long due;
        try {
          due = fetcher.step();
        } finally {
          needed = release(step);
        }
        add(new Turn(fetcher, due));
      }
    } catch (InterruptedException | StoppedException e) {
      log.debug("a fetch thread ends: {}", e.getMessage());
    } catch (RuntimeException e) {
      buffer.fail(e);
    } catch (Error e) {
      buffer.fail(new IllegalStateException("a fetch thread died", e));
      throw e;
    }
  }

  /** Has spare threads stand in for those that wait for a service. */
  private void watch() {
    lock.lock();
    try {
      while (!closed) {
        long now = time.nanoseconds();
        for (Step step : steps) {
          boolean slow = !step.spared && now - step.sinceNanos > PATIENCE_NANOS;
          if (slow && count(each -> each.spared) < MOST_SPARES && !buffer.isFull()) {
            startThread(this::run, "-fetch-" + started++);
            step.spared = true;
          }
        }
        changed.awaitNanos(PATIENCE_NANOS / 2);
      }
    } catch (InterruptedException e) {
      log.debug("the watch over the fetch threads ends");
    } catch (Error e) {
      buffer.fail(new IllegalStateException("no thread can be started", e));
      throw e;
    } finally {
      lock.unlock();
    }
  }

  private Step take() throws InterruptedException {
    lock.lockInterruptibly();
    try {
      while (true) {
        if (closed) {
          throw new StoppedException();
        }
        List<Turn> passedOver = new ArrayList<>();
        Turn turn = turns.poll();
        while (turn != null && isBusy(turn)) {
          passedOver.add(turn);
          turn = turns.poll();
        }
        turns.addAll(passedOver);
        if (turn == null) {
          changed.await();
          continue;
        }
        long wait = turn.dueNanos() - time.nanoseconds();
        if (wait <= 0) {
          Step step = new Step(turn, time.nanoseconds(), troubled.contains(faultDomain(turn)));
          steps.add(step);
          return step;
        }
        turns.add(turn);
        changed.awaitNanos(Math.min(wait, TimeUnit.SECONDS.toNanos(1)));
      }
    } finally {
      lock.unlock();
    }
  }

  private boolean isBusy(Turn turn) {
    String location = turn.stream().location();
    return count(step -> step.turn.stream().location().equals(location)) >= perLocation
        || (troubled.contains(faultDomain(turn))
            && count(step -> step.troubled && !step.spared) >= forTroubled);
  }

  private long count(Predicate<Step> which) {
    return steps.stream().filter(which).count();
  }

  /** What is likely to fail as this does: its whole location, where there are others. */
  private String faultDomain(Turn turn) {
    return severalLocations ? turn.stream().location() : turn.stream().id();
  }

  /** A step is over; returns whether its thread is still needed. */
  private boolean release(Step step) {
    lock.lock();
    try {
      steps.remove(step);
      if (step.turn.fetcher().failing()) {
        troubled.add(faultDomain(step.turn));
      } else {
        troubled.remove(faultDomain(step.turn));
      }
      if (step.spared) {
        threads.remove(Thread.currentThread());
      }
      return !step.spared;
    } finally {
      lock.unlock();
    }
  }

  private void add(Turn turn) {
    lock.lock();
    try {
      turns.add(turn);
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** Ends the threads; whoever opened exchanges must have cancelled them before. */
  @Override
  public void close() {
    List<Thread> alive;
    lock.lock();
    try {
      closed = true;
      changed.signalAll();
      alive = List.copyOf(threads);
    } finally {
      lock.unlock();
    }
    alive.forEach(Thread::interrupt);
    long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(JOIN_MILLIS);
    for (Thread thread : alive) {
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
