package io.posconnect.task;

import io.posconnect.client.SharedRateLimits;
import io.posconnect.config.SourceConfig;
import io.posconnect.fetch.Buffer;
import io.posconnect.fetch.PolledRecords;
import io.posconnect.fetch.Scheduler;
import io.posconnect.fetch.Suspension;
import io.posconnect.problem.Problem;
import java.time.Duration;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.apache.kafka.common.utils.Time;
import org.apache.kafka.common.utils.Utils;
import org.apache.kafka.connect.errors.ConnectException;
import org.apache.kafka.connect.source.SourceRecord;
import org.apache.kafka.connect.source.SourceTaskContext;

/**
 * Runs a task between its start and its stop: fetch threads fill the buffer, {@link #poll} drains
 * it.
 */
public final class RunningTask implements AutoCloseable {

  // A status is read by people.
  private static final int MOST_REASONS = 10;

  private static final Duration MAX_WAIT = Duration.ofSeconds(1);

  private final SourceConfig config;
  private final boolean exactlyOnce;
  private final Buffer buffer;
  private final PolledRecords polled = new PolledRecords();
  private final Scheduler schedule;
  private final Deque<AutoCloseable> opened;
  private final Time time;

  RunningTask(
      SourceConfig config,
      Buffer buffer,
      Scheduler schedule,
      Deque<AutoCloseable> opened,
      Time time) {
    this.config = config;
    exactlyOnce = config.exactlyOnce();
    this.buffer = buffer;
    this.schedule = schedule;
    this.opened = opened;
    this.time = time;
  }

  /**
   * Builds everything and starts the fetch threads; what was built is closed again when that fails.
   */
  public static RunningTask start(Map<String, String> properties, SourceTaskContext context) {
    SourceConfig config = SourceConfig.started(properties);
    return new TaskFactory(config, context, Time.SYSTEM, SharedRateLimits.OF_THIS_PROCESS).start();
  }

  /**
   * The next records, waiting up to a second for the first one.
   *
   * @throws ConnectException when the task cannot go on
   */
  public List<SourceRecord> poll() throws InterruptedException {
    schedule.polled();
    failWhenSuspended();
    List<SourceRecord> batch = buffer.drain(config.batchMaxRecords(), MAX_WAIT);
    polled.add(batch);
    return batch;
  }

  private void failWhenSuspended() {
    List<Suspension> suspended = schedule.suspensions();
    if (suspended.isEmpty()) {
      return;
    }
    if (!config.isolatesStreams()) {
      throw failure(Problem.STREAM_SUSPENDED, "errors.streams=fail, and ", suspended);
    }
    if (suspended.size() == schedule.streams() && suspended.stream().allMatch(this::isOldEnough)) {
      throw failure(
          Problem.ALL_SUSPENDED,
          "every stream has been suspended for errors.fail.after.ms: ",
          suspended);
    }
  }

  private ConnectException failure(Problem problem, String what, List<Suspension> suspended) {
    return new ConnectException(
        problem.at("task " + config.taskNumber(), what + reasons(suspended)));
  }

  private static String reasons(List<Suspension> suspended) {
    List<String> reasons =
        suspended.stream().map(each -> each.incident().toString()).distinct().toList();
    String shown = reasons.stream().limit(MOST_REASONS).collect(Collectors.joining(" "));
    int more = reasons.size() - MOST_REASONS;
    return more > 0 ? shown + " And " + more + " more." : shown;
  }

  private boolean isOldEnough(Suspension suspension) {
    long nanos = config.failAfter().toNanos();
    return nanos > 0 && time.nanoseconds() - suspension.sinceNanos() >= nanos;
  }

  /** Connect is done with a record; may be called by any thread. */
  public void acknowledged(SourceRecord record, boolean written) {
    // Connect checks the worker only when a configuration is posted to a distributed group.
    if (written && exactlyOnce && !polled.isPolling()) {
      buffer.fail(new ConnectException(Problem.NOT_EXACTLY_ONCE.at("task " + config.taskNumber())));
    }
    failing(() -> polled.acknowledged(record, written));
  }

  /** Connect has committed, or found nothing to commit; may be called by any thread. */
  public void committed() {
    failing(polled::committed);
  }

  /** Connect only logs what is thrown here, and without it the position would stand still. */
  private void failing(Runnable acknowledgement) {
    try {
      acknowledgement.run();
    } catch (RuntimeException | Error e) {
      buffer.fail(e);
      throw e;
    }
  }

  /** Cancels every fetch; returns within two seconds, whatever the service does. */
  @Override
  public void close() {
    buffer.close();
    closeAll(opened);
  }

  /**
   * Closes them in that order: exchanges before the scheduler, whose threads wait for them. One
   * that fails to close keeps no other from it.
   */
  static void closeAll(Deque<AutoCloseable> opened) {
    opened.forEach(each -> Utils.closeQuietly(each, each.getClass().getSimpleName()));
  }
}
