package io.posconnect.fetch;

import io.posconnect.metrics.TaskMetrics.BufferUse;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.apache.kafka.connect.source.SourceRecord;
import org.jspecify.annotations.Nullable;

/**
 * Holds records between the fetch threads and {@code poll()}, bounded by records and by bytes: a
 * fetch that is faster than the producer waits here, and with it the socket it reads from. One
 * batch is enough: a fetch fills the next while Connect converts the one before, and each
 * collection of garbage copies what waits here.
 *
 * <p>With one transaction a poll, few records are on their way to the broker. Without transactions,
 * Connect polls on while the producer has megabytes of serialized records to send, and keeps each
 * of them as it was polled, which takes many times that. So their bytes count until they are
 * written.
 */
public final class Buffer {

  /**
   * The task is stopping: a step under way drops what it does, since nothing of it is committed.
   */
  static final class StoppedException extends RuntimeException {
    StoppedException() {
      super("the task is stopping", null, false, false);
    }
  }

  /**
   * Records that must leave in one poll, hence in one transaction, and an estimate of their size in
   * bytes.
   */
  public record Unit(List<SourceRecord> records, long bytes) {
    public Unit {
      records = List.copyOf(records);
    }
  }

  // A batch is one transaction and rewrites the last segment of each stream in it, so a part-filled
  // one waits this long for more.
  private static final Duration LINGER = Duration.ofMillis(100);

  // A wait for room ends when this part of the bytes is free: not at each written record.
  private static final int ROOM = 8;

  private static final int NONE = Integer.MAX_VALUE;

  private final int maxRecords;
  private final long maxBytes;
  private final boolean untilWritten;
  private final long lingerNanos;
  private final ArrayDeque<Unit> units = new ArrayDeque<>();
  private int records;

  // Also of drained records, where these count until they are written.
  private long bytes;
  private long recordsTotal;
  private long bytesTotal;

  // A wait that lasts counts as minus its beginning.
  private long blockedNanos;

  // What waits for room, in order of arrival: small rows of busy streams must not overtake a large
  // one for ever.
  private final Deque<Unit> waiting = new ArrayDeque<>();
  private boolean closed;

  // For so many records a drain waits; it is not woken for fewer.
  private int wanted = NONE;
  private @Nullable Throwable failure;

  /**
   * @param untilWritten whether bytes count until they are {@link #written}, or until they are
   *     drained
   */
  public Buffer(int maxRecords, long maxBytes, boolean untilWritten) {
    this(maxRecords, maxBytes, untilWritten, LINGER);
  }

  Buffer(int maxRecords, long maxBytes, boolean untilWritten, Duration linger) {
    this.maxRecords = maxRecords;
    this.maxBytes = maxBytes;
    this.untilWritten = untilWritten;
    this.lingerNanos = linger.toNanos();
  }

  /**
   * Adds a unit, waiting for room, behind those that wait already; one that is larger than the
   * buffer is let into an empty one.
   *
   * @throws StoppedException when the buffer is closed, also while waiting
   * @throws InterruptedException when the thread is interrupted while it waits
   */
  synchronized void put(Unit unit) throws InterruptedException {
    if (!closed && (isFull(unit) || !waiting.isEmpty())) {
      awaitRoomFor(unit);
    }
    add(unit);
  }

  private boolean isFull(Unit unit) {
    return (records > 0 || bytes > 0)
        && (records + unit.records().size() > maxRecords || bytes + unit.bytes() > maxBytes);
  }

  /** Counts the wait while it lasts, since a wait without an end must show. */
  @SuppressWarnings("ReferenceEquality") // Two that wait may be equal.
  private void awaitRoomFor(Unit unit) throws InterruptedException {
    waiting.add(unit);
    blockedNanos -= System.nanoTime();
    notifyAll();
    try {
      while (!closed && (waiting.element() != unit || isFull(unit))) {
        wait();
      }
    } finally {
      waiting.removeIf(each -> each == unit);
      blockedNanos += System.nanoTime();
      notifyAll();
    }
  }

  /**
   * Adds a record without waiting: for checkpoints, which come from threads that must not block,
   * and for statuses, which are few.
   */
  synchronized void putNow(SourceRecord record) {
    if (!closed) {
      add(new Unit(List.of(record), 0));
    }
  }

  private void add(Unit unit) {
    if (closed) {
      throw new StoppedException();
    }
    units.add(unit);
    records += unit.records().size();
    bytes += unit.bytes();
    recordsTotal += unit.records().size();
    bytesTotal += unit.bytes();
    if (records >= wanted) {
      notifyAll();
    }
  }

  /**
   * Takes whole units until the next would exceed {@code max} records; waits up to {@code wait} for
   * the first one, and a little longer to fill the batch, unless a fetch waits for room. Empty when
   * nothing came or the buffer was closed.
   *
   * @throws RuntimeException what {@link #fail} was given, before anything that came after it
   */
  public synchronized List<SourceRecord> drain(int max, Duration wait) throws InterruptedException {
    long left = await(1, wait.toNanos(), () -> failure == null);
    await(max, Math.min(lingerNanos, left), () -> failure == null && waiting.isEmpty());
    if (failure != null) {
      throw failure instanceof RuntimeException exception
          ? exception
          : new IllegalStateException("a thread of the task has failed", failure);
    }
    List<SourceRecord> batch = new ArrayList<>(Math.min(records, max));
    while (!units.isEmpty() && batch.size() + units.peek().records().size() <= max) {
      Unit unit = units.remove();
      batch.addAll(unit.records());
      records -= unit.records().size();
      bytes -= untilWritten ? 0 : unit.bytes();
    }
    notifyAll();
    return batch;
  }

  /** Waits for so many records, as long as {@code goesOn}; returns how much of the time is left. */
  private long await(int wants, long nanos, BooleanSupplier goesOn) throws InterruptedException {
    long end = System.nanoTime() + nanos;
    long left = nanos;
    wanted = wants;
    while (records < wanted && goesOn.getAsBoolean() && !closed && left > 0) {
      TimeUnit.NANOSECONDS.timedWait(this, left);
      left = end - System.nanoTime();
    }
    wanted = NONE;
    return left;
  }

  /** Records that Connect is done with so many bytes, written or not; by any thread. */
  synchronized void written(long size) {
    if (untilWritten && !closed) {
      bytes -= size;
      if (!waiting.isEmpty() && bytes <= maxBytes - maxBytes / ROOM && !isFull(waiting.element())) {
        notifyAll();
      }
    }
  }

  /**
   * Fails the task: {@link #drain} throws the cause from now on, or an exception that has it as its
   * cause. Makes nothing: memory may have run out in the calling thread.
   */
  public synchronized void fail(Throwable cause) {
    if (failure == null) {
      failure = cause;
    }
    notifyAll();
  }

  /**
   * Discards what is left; every waiting and later {@link #put} throws {@link StoppedException}.
   */
  public synchronized void close() {
    closed = true;
    units.clear();
    records = 0;
    bytes = 0;
    notifyAll();
  }

  /** Returns what it holds now, and what it has taken in all. */
  public synchronized BufferUse use() {
    long nanos = blockedNanos + waiting.size() * System.nanoTime();
    return new BufferUse(
        records, bytes, recordsTotal, bytesTotal, TimeUnit.NANOSECONDS.toMillis(nanos));
  }
}
