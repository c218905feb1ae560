package io.posconnect.metrics;

import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import org.apache.kafka.common.utils.Time;

/**
 * Is told what happens to one stream, and shows it. Any thread may call any method; those that are
 * called for a row or a request take no lock and allocate nothing.
 */
public final class StreamMetrics implements StreamMetricsMXBean {

  private static final long UNKNOWN = -1;

  private final Time time;
  private final LongAdder requests = new LongAdder();
  private final LongAdder retries = new LongAdder();
  private final LongAdder fetches = new LongAdder();
  private final LongAdder received = new LongAdder();
  private final LongAdder created = new LongAdder();
  private final LongAdder updated = new LongAdder();
  private final LongAdder deleted = new LongAdder();
  private final LongAdder read = new LongAdder();
  private final LongAdder suppressed = new LongAdder();
  private final LongAdder typeMismatches = new LongAdder();
  private final LongAdder deadLetters = new LongAdder();
  private volatile Suspension suspension = Suspension.NONE;
  private volatile LastFetch lastFetch;
  private volatile long watermarkEpochMs = UNKNOWN;
  private volatile long skewMs;
  private volatile int digestKeys;
  private volatile int deletesPending;
  private volatile boolean fullRetention = true;

  /** Metrics of a stream of which nothing is known yet. */
  public StreamMetrics(Time time) {
    this.time = Objects.requireNonNull(time, "time is null");
    this.lastFetch = new LastFetch(UNKNOWN, UNKNOWN, time.nanoseconds());
  }

  /** A request is about to be sent. */
  public void requested() {
    requests.increment();
  }

  /** A request failed and will be made again. */
  public void retried() {
    retries.increment();
  }

  /** An event of a new row went into the buffer. */
  public void created() {
    created.increment();
  }

  /** An event of a changed row went into the buffer. */
  public void updated() {
    updated.increment();
  }

  /** An event of a vanished row went into the buffer; its tombstone is no event. */
  public void deleted() {
    deleted.increment();
  }

  /** An event of a row found by a snapshot or a first backfill went into the buffer. */
  public void read() {
    read.increment();
  }

  /** A fetch is complete, and its checkpoint is on its way. */
  public void completed(
      long rowsReceived,
      long suppressedRows,
      long mismatches,
      long deadLetterRows,
      Duration duration) {
    fetches.increment();
    received.add(rowsReceived);
    suppressed.add(suppressedRows);
    typeMismatches.add(mismatches);
    deadLetters.add(deadLetterRows);
    lastFetch = new LastFetch(rowsReceived, duration.toMillis(), time.nanoseconds());
  }

  /** The service's clock is so far ahead of the local one (negative: behind). */
  public void skewed(Duration ahead) {
    skewMs = ahead.toMillis();
  }

  /** The position up to which the stream is complete has moved, be it forth or back. */
  public void watermark(Instant watermark) {
    watermarkEpochMs = watermark.toEpochMilli();
  }

  /** The digest holds so many keys. */
  public void digest(int keys) {
    digestKeys = keys;
  }

  /** So many keys have vanished and wait for a second look; 0 when none do. */
  public void deletesPending(int keys) {
    deletesPending = keys;
  }

  /** The stream remembers every key, or only those of its last window. */
  public void retention(boolean full) {
    fullRetention = full;
  }

  /** The stream is suspended, or a probe of it failed once more. */
  public synchronized void suspended(String reason) {
    suspension = suspension.again(reason, time.milliseconds());
  }

  /** The stream is read again. */
  public synchronized void recovered() {
    suspension = Suspension.NONE;
  }

  @Override
  public long getRequestsTotal() {
    return requests.sum();
  }

  @Override
  public long getRetriesTotal() {
    return retries.sum();
  }

  @Override
  public long getFetchesTotal() {
    return fetches.sum();
  }

  @Override
  public long getRowsReceivedTotal() {
    return received.sum();
  }

  @Override
  public long getEventsCreatedTotal() {
    return created.sum();
  }

  @Override
  public long getEventsUpdatedTotal() {
    return updated.sum();
  }

  @Override
  public long getEventsDeletedTotal() {
    return deleted.sum();
  }

  @Override
  public long getEventsReadTotal() {
    return read.sum();
  }

  @Override
  public long getSuppressedTotal() {
    return suppressed.sum();
  }

  @Override
  public long getTypeMismatchesTotal() {
    return typeMismatches.sum();
  }

  @Override
  public long getDeadLettersTotal() {
    return deadLetters.sum();
  }

  @Override
  public long getLastFetchDurationMs() {
    return lastFetch.durationMs();
  }

  @Override
  public long getLastFetchRows() {
    return lastFetch.rows();
  }

  @Override
  public long getMillisSinceLastFetch() {
    return TimeUnit.NANOSECONDS.toMillis(time.nanoseconds() - lastFetch.endNanos());
  }

  @Override
  public long getWatermarkEpochMs() {
    return watermarkEpochMs;
  }

  @Override
  public long getWatermarkLagMs() {
    long watermark = watermarkEpochMs;
    if (watermark == UNKNOWN) {
      return UNKNOWN;
    }
    // Both on the server's clock; an estimate of it may be a little low, and a lag is never
    // negative.
    return Math.max(0, time.milliseconds() + skewMs - watermark);
  }

  @Override
  public long getClockSkewMs() {
    return skewMs;
  }

  @Override
  public int getDigestKeys() {
    return digestKeys;
  }

  @Override
  public int getDeletesPending() {
    return deletesPending;
  }

  @Override
  public int getFullRetention() {
    return fullRetention ? 1 : 0;
  }

  @Override
  public int getSuspended() {
    return suspension.active() ? 1 : 0;
  }

  @Override
  public String getSuspensionReason() {
    return suspension.reason();
  }

  @Override
  public long getSuspendedSinceEpochMs() {
    return suspension.sinceEpochMs();
  }

  /**
   * One reference, so that a reader never sees the rows of one fetch and the duration of another.
   */
  private record LastFetch(long rows, long durationMs, long endNanos) {}
}
