package io.posconnect.task;

import io.posconnect.client.SharedRateLimits;
import io.posconnect.config.SourceConfig;
import io.posconnect.config.StreamErrors;
import io.posconnect.fetch.Buffer;
import io.posconnect.fetch.Delivery;
import io.posconnect.fetch.FatalException;
import io.posconnect.fetch.Scheduler;
import io.posconnect.fetch.StreamFetcher;
import io.posconnect.fetch.Suspension;
import io.posconnect.offset.LazyOffset;
import java.time.Duration;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.apache.kafka.common.utils.Time;
import org.apache.kafka.common.utils.Utils;
import org.apache.kafka.connect.errors.ConnectException;
import org.apache.kafka.connect.source.SourceRecord;
import org.apache.kafka.connect.source.SourceTaskContext;

/**
 * A task between its start and its stop: fetch threads fill the buffer, {@link #poll} drains it.
 */
public final class RunningTask implements AutoCloseable {

  // A status is read by people.
  private static final int MOST_REASONS = 10;

  private static final Duration MAX_WAIT = Duration.ofSeconds(1);

  private final SourceConfig config;
  private final Buffer buffer;
  private final List<StreamFetcher> fetchers;
  private final Scheduler schedule;
  private final Deque<AutoCloseable> opened;
  private final Time time;

  RunningTask(
      SourceConfig config,
      Buffer buffer,
      List<StreamFetcher> fetchers,
      Scheduler schedule,
      Deque<AutoCloseable> opened,
      Time time) {
    this.config = config;
    this.buffer = buffer;
    this.fetchers = List.copyOf(fetchers);
    this.schedule = schedule;
    this.opened = opened;
    this.time = time;
  }

  /**
   * Builds everything and starts the fetch threads; what was built is closed again when that fails.
   */
  public static RunningTask start(Map<String, String> properties, SourceTaskContext context) {
    SourceConfig config = new SourceConfig(properties);
    return new TaskFactory(config, context, Time.SYSTEM, SharedRateLimits.OF_THIS_PROCESS).start();
  }

  /**
   * The next records, waiting up to a second for the first one.
   *
   * @throws ConnectException when the task cannot go on
   */
  public List<SourceRecord> poll() throws InterruptedException {
    failWhenAllAreSuspended();
    try {
      return buffer.drain(config.batchMaxRecords(), MAX_WAIT);
    } catch (FatalException e) {
      throw new ConnectException(e.getMessage(), e);
    }
  }

  private void failWhenAllAreSuspended() {
    List<Suspension.Case> cases =
        fetchers.stream().map(StreamFetcher::suspended).flatMap(Optional::stream).toList();
    if (cases.isEmpty()) {
      return;
    }
    boolean isolate = config.streamErrors() == StreamErrors.ISOLATE;
    if (isolate && (cases.size() < fetchers.size() || !oldEnough(cases))) {
      return;
    }
    throw new ConnectException(
        (isolate
                ? "Every stream of this task has been refused for errors.fail.after.ms: "
                : "A stream was refused, and errors.streams=fail: ")
            + reasons(cases));
  }

  private static String reasons(List<Suspension.Case> cases) {
    List<String> reasons = cases.stream().map(Suspension.Case::reason).distinct().toList();
    String shown = reasons.stream().limit(MOST_REASONS).collect(Collectors.joining("; "));
    int more = reasons.size() - MOST_REASONS;
    return more > 0 ? shown + "; and " + more + " more" : shown;
  }

  private boolean oldEnough(List<Suspension.Case> cases) {
    long now = time.nanoseconds();
    long nanos = config.failAfter().toNanos();
    return cases.stream().allMatch(c -> now - c.sinceNanos() >= nanos);
  }

  /** Connect is done with a record; may be called by any thread. */
  public void acknowledged(SourceRecord record, boolean written) {
    buffer.acknowledged(record);
    if (record.sourceOffset() instanceof LazyOffset<?> offset
        && offset.tag() instanceof Delivery delivery) {
      delivery.acknowledged(written);
    }
  }

  /** Cancels every fetch; returns within two seconds, whatever the service does. */
  @Override
  public void close() {
    buffer.close();
    closeAll(opened);
    schedule.close();
  }

  /** Closes the latest first; one that fails to close keeps no other from it. */
  static void closeAll(Deque<AutoCloseable> opened) {
    opened.forEach(each -> Utils.closeQuietly(each, each.getClass().getSimpleName()));
  }
}
