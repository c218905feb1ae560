package io.posconnect.fetch;

import io.posconnect.client.ClientClosedException;
import io.posconnect.fetch.Buffer.StoppedException;
import io.posconnect.resource.Stream;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Predicate;
import org.apache.kafka.common.utils.Time;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs the stream that is due: a few threads serve all streams of a task, each a step at a time.
 *
 * <p>Where there are several locations, one thread is kept from each, so that a location that
 * stalls every answer delays no other; and one from all that are in trouble together: whoever
 * failed last waits for the others' threads.
 *
 * <p>For a step that waits for its service longer than {@link #PATIENCE_NANOS}, a spare thread
 * stands in until that step is over, and the step no longer counts against its location: a slow
 * body delays neither the other streams of its store nor, where there is one store only, anything
 * else. None stands in where the steps wait for Connect to take what they have read: more of them
 * would only wait as well.
 *
 * <p>Spare threads are few: {@link #MOST_SPARES}, and {@link #MOST_EXTRAS} for steps that begin
 * while their location is slow already, so that one location with many slow streams does not use up
 * what others need. Beyond that a slow location's other streams wait, and then slow steps hold
 * threads of their own, until some end, which the time-outs of headers and bodies see to.
 *
 * <p>Nothing is begun while nobody takes what was read: a connector that is paused, or whose
 * producer is stuck, makes no requests, and nothing piles up.
 */
public final class Scheduler implements AutoCloseable {

  private static final Logger log = LoggerFactory.getLogger(Scheduler.class);

  private static final long PATIENCE_NANOS = TimeUnit.MILLISECONDS.toNanos(500);
  private static final int MOST_SPARES = 16;
  private static final int MOST_EXTRAS = 8;

  // A poll takes a second at most, and Connect a while to send what it was given.
  private static final long UNPOLLED_NANOS = TimeUnit.SECONDS.toNanos(10);

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

    // Whether its location has as many steps under way as it may, but that those are slow.
    private final boolean extra;

    // Whether a spare thread stands in for the one that makes it.
    private boolean spared;

    Step(Turn turn, long sinceNanos, boolean troubled, boolean extra) {
      this.turn = turn;
      this.sinceNanos = sinceNanos;
      this.troubled = troubled;
      this.extra = extra;
    }

    boolean isAt(String location) {
      return turn.stream().location().equals(location);
    }
  }

  private final Time time;
  private final Buffer buffer;
  private final int threadCount;
  private final int perLocation;
  private final int forTroubled;
  private final boolean severalLocations;
  private final FetchThreads threads;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private final PriorityQueue<Turn> turns;
  private final Set<String> troubled = new HashSet<>();
  private final Set<Step> steps = new HashSet<>();
  private volatile long polledNanos;
  private boolean closed;

  /** Does nothing before {@link #start}. */
  public Scheduler(
      List<StreamFetcher> fetchers, int threadCount, String name, Buffer buffer, Time time) {
    this.time = time;
    this.buffer = buffer;
    this.threads = new FetchThreads(name + "-fetch-");
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
      polledNanos = time.nanoseconds();
      for (int i = 0; i < threadCount; i++) {
        threads.start(this::run);
      }
      threads.start(this::watch);
    } finally {
      lock.unlock();
    }
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
    } catch (InterruptedException | StoppedException | ClientClosedException e) {
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
          boolean room = step.extra || count(each -> each.spared && !each.extra) < MOST_SPARES;
          if (slow && room && !buffer.isFull()) {
            threads.start(this::run);
            step.spared = true;
            changed.signalAll();
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

  /** Connect asks for records. */
  public void polled() {
    long now = time.nanoseconds();
    boolean resumed = now - polledNanos > UNPOLLED_NANOS;
    polledNanos = now;
    if (resumed) {
      lock.lock();
      try {
        changed.signalAll();
      } finally {
        lock.unlock();
      }
    }
  }

  private Step take() throws InterruptedException {
    lock.lockInterruptibly();
    try {
      while (true) {
        if (closed) {
          throw new StoppedException();
        }
        if (time.nanoseconds() - polledNanos > UNPOLLED_NANOS) {
          changed.awaitNanos(TimeUnit.SECONDS.toNanos(1));
          continue;
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
          return begin(turn);
        }
        turns.add(turn);
        changed.awaitNanos(Math.min(wait, TimeUnit.SECONDS.toNanos(1)));
      }
    } finally {
      lock.unlock();
    }
  }

  private Step begin(Turn turn) {
    Step step =
        new Step(
            turn,
            time.nanoseconds(),
            troubled.contains(faultDomain(turn)),
            isExtra(turn.stream().location()));
    steps.add(step);
    return step;
  }

  private boolean isExtra(String location) {
    return count(step -> step.isAt(location)) >= perLocation;
  }

  private boolean isBusy(Turn turn) {
    String location = turn.stream().location();
    return count(step -> !step.spared && step.isAt(location)) >= perLocation
        || (isExtra(location) && count(step -> step.extra) >= MOST_EXTRAS)
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
    lock.lock();
    try {
      closed = true;
      changed.signalAll();
    } finally {
      lock.unlock();
    }
    threads.close();
  }
}
