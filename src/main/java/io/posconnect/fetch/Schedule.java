package io.posconnect.fetch;

import io.posconnect.resource.Stream;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.apache.kafka.common.utils.Time;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Which stream is due: a few threads serve all streams of a task, each a step at a time.
 *
 * <p>Where there are several locations, one thread is kept from each, so that a location that
 * stalls every answer delays no other. One is also kept from all that are in trouble together, for
 * two that stall would else hold two threads: whoever failed last waits for the others' threads.
 */
public final class Schedule implements AutoCloseable {

  private static final Logger log = LoggerFactory.getLogger(Schedule.class);

  // Long enough for a cancelled exchange to end, short enough for the worker's 5 s for all its
  // tasks.
  private static final long JOIN_MILLIS = 1_500;

  private record Turn(StreamFetcher fetcher, long dueNanos) {

    Stream stream() {
      return fetcher.stream();
    }
  }

  private final Time time;
  private final Buffer buffer;
  private final int perLocation;
  private final int forTroubled;
  private final boolean severalLocations;
  private final List<Thread> threads = new ArrayList<>();
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private final PriorityQueue<Turn> turns;
  private final Map<String, Integer> busy = new HashMap<>();
  private final Set<String> troubled = new HashSet<>();
  private final Set<Turn> troubledTurns = new HashSet<>();
  private boolean closed;

  /** Does nothing before {@link #start}. */
  public Schedule(
      List<StreamFetcher> fetchers, int threadCount, String name, Buffer buffer, Time time) {
    this.time = time;
    this.buffer = buffer;
    long locations = fetchers.stream().map(f -> f.stream().location()).distinct().count();
    this.severalLocations = locations > 1;
    this.forTroubled = Math.max(1, threadCount - 1);
    this.perLocation = severalLocations ? forTroubled : threadCount;
    long now = time.nanoseconds();
    // By difference, as monotonic times must be.
    turns = new PriorityQueue<>(Comparator.comparingLong((Turn turn) -> turn.dueNanos() - now));
    fetchers.forEach(fetcher -> turns.add(new Turn(fetcher, now)));
    for (int i = 0; i < threadCount; i++) {
      Thread thread = new Thread(this::run, name + "-fetch-" + i);
      thread.setDaemon(true);
      threads.add(thread);
    }
  }

  public void start() {
    threads.forEach(Thread::start);
  }

  private void run() {
    try {
      while (true) {
        Turn turn = take();
        long due;
        try {
          due = turn.fetcher().step();
        } finally {
          release(turn);
        }
        add(new Turn(turn.fetcher(), due));
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

  private Turn take() throws InterruptedException {
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
          busy.merge(turn.stream().location(), 1, Integer::sum);
          if (troubled.contains(fate(turn))) {
            troubledTurns.add(turn);
          }
          return turn;
        }
        turns.add(turn);
        changed.awaitNanos(Math.min(wait, TimeUnit.SECONDS.toNanos(1)));
      }
    } finally {
      lock.unlock();
    }
  }

  private boolean isBusy(Turn turn) {
    return busy.getOrDefault(turn.stream().location(), 0) >= perLocation
        || (troubledTurns.size() >= forTroubled && troubled.contains(fate(turn)));
  }

  /** What is likely to fail as this does: its whole location, where there are others. */
  private String fate(Turn turn) {
    return severalLocations ? turn.stream().location() : turn.stream().id();
  }

  private void release(Turn turn) {
    lock.lock();
    try {
      busy.computeIfPresent(turn.stream().location(), (location, n) -> n == 1 ? null : n - 1);
      troubledTurns.remove(turn);
      if (turn.fetcher().failing()) {
        troubled.add(fate(turn));
      } else {
        troubled.remove(fate(turn));
      }
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
        log.warn("{} has not ended yet; it will when its exchange does", thread.getName());
      }
    }
  }
}
