package io.posconnect.metrics;

import io.posconnect.problem.Incident;
import io.posconnect.resource.Counts;
import io.posconnect.resource.Counts.Count;
import java.time.Duration;
import java.time.Instant;
import java.util.Set;
import java.util.concurrent.atomic.LongAdder;
import java.util.regex.Pattern;
import org.apache.kafka.common.utils.Time;

/**
 * Counts the events of one stream and holds its latest state. Any thread may call any method; those
 * that are called for each row take no lock, and nothing that is called for a row or a request
 * allocates.
 */
public final class StreamMetrics {

  static final long UNKNOWN = -1;
  private static final Set<Count> EVENTS =
      Set.of(Count.CREATED, Count.READ, Count.UPDATED, Count.DELETED);
  private static final int LONGEST_REASON = 500;
  private static final Pattern BLANKS = Pattern.compile("[\\p{Cntrl}\\s]+");
  private static final Suspension NOT_SUSPENDED = new Suspension(0, "", UNKNOWN);

  private final Time time;
  private final RequestMetrics requests;
  private final Counts counts = new Counts();
  final LongAdder fetches = new LongAdder();
  final LongAdder replaced = new LongAdder();
  final RateOf rowsReceivedRate;
  final RateOf eventsRate;
  volatile LastFetch lastFetch;
  volatile long watermarkEpochMs = UNKNOWN;
  volatile long skewMs;
  volatile long intervalMs;
  volatile long reconcileIntervalMs;
  volatile long reconciledEpochMs = UNKNOWN;
  volatile long snapshotRows = UNKNOWN;
  volatile long backfillRemainingMs;
  volatile int digestKeys;
  volatile int digestKeysMax;
  volatile int deletesPending;
  volatile int deletesUncertain;
  volatile long unreadableRows;
  volatile long unlistedFields;
  volatile Suspension suspension = NOT_SUSPENDED;

  public StreamMetrics(Time time) {
    this.time = time;
    this.lastFetch = new LastFetch(UNKNOWN, UNKNOWN, time.hiResClockMs());
    this.requests = new RequestMetrics(time);
    this.rowsReceivedRate = new RateOf(() -> count(Count.RECEIVED), time);
    this.eventsRate = new RateOf(() -> EVENTS.stream().mapToLong(this::count).sum(), time);
  }

  public RequestMetrics requests() {
    return requests;
  }

  /**
   * The stream has these settings.
   *
   * @param reconciliationInterval of its reconciliations beside increments; zero for none
   * @param maxKeys the ceiling of its digest
   */
  public void configured(Duration interval, Duration reconciliationInterval, int maxKeys) {
    intervalMs = interval.toMillis();
    reconcileIntervalMs = reconciliationInterval.toMillis();
    digestKeysMax = maxKeys;
  }

  /**
   * The snapshot is running.
   *
   * @param rows read since the task started
   * @param remaining of a backfill; zero of another snapshot
   */
  public void snapshotProgressed(long rows, Duration remaining) {
    snapshotRows = rows;
    backfillRemainingMs = remaining.toMillis();
  }

  public void snapshotCompleted() {
    snapshotRows = UNKNOWN;
    backfillRemainingMs = 0;
  }

  /** A fetch has counted so much more; events count when they go into the buffer. */
  public void counted(Counts news) {
    counts.add(news);
  }

  long count(Count what) {
    return counts.get(what);
  }

  /**
   * A fetch is complete.
   *
   * @param rows that it received
   * @param duration from the first request to the last row
   */
  public void completed(long rows, Duration duration) {
    fetches.increment();
    lastFetch = new LastFetch(rows, duration.toMillis(), time.hiResClockMs());
    rowsReceivedRate.sample();
    eventsRate.sample();
  }

  /** That many bytes of a body were not UTF-8. */
  public void replaced(long bytes) {
    replaced.add(bytes);
  }

  /** The server's clock differs from the worker's by that much; negative if it is behind. */
  public void skewed(Duration ahead) {
    skewMs = ahead.toMillis();
  }

  /** The watermark moved, forwards or backwards. */
  public void watermark(Instant watermark) {
    watermarkEpochMs = watermark.toEpochMilli();
  }

  /** The latest accepted reconciliation began then, by the service's clock. */
  public void reconciled(Instant began) {
    reconciledEpochMs = began.equals(Instant.MIN) ? UNKNOWN : began.toEpochMilli();
  }

  public void digest(int keys) {
    digestKeys = keys;
  }

  /** The deletes of that many keys are held, for whatever reason; 0 when none are. */
  public void deletesPending(int keys) {
    deletesPending = keys;
  }

  /** Rows had that many fields, by name, that were removed since they are not on a list. */
  public void unlisted(int fields) {
    unlistedFields = fields;
  }

  /**
   * A complete fetch held that many rows whose key cannot be read.
   *
   * @param keysHeld keys whose deletes are held because of them; {@link #deletesPending} counts
   *     these too
   */
  public void unreadable(long rows, int keysHeld) {
    unreadableRows = rows;
    deletesUncertain = keysHeld;
  }

  /** The stream is suspended, or a probe of it failed again; the latest reason is shown. */
  public synchronized void suspended(Incident reason) {
    String line = BLANKS.matcher(reason.toString()).replaceAll(" ").strip();
    suspension =
        new Suspension(
            Integer.parseInt(reason.code().substring(reason.code().indexOf('-') + 1)),
            line.length() <= LONGEST_REASON ? line : line.substring(0, LONGEST_REASON - 1) + "…",
            isSuspended() ? suspension.sinceEpochMs : time.milliseconds());
  }

  public synchronized void resumed() {
    suspension = NOT_SUSPENDED;
  }

  boolean isSuspended() {
    return suspension.sinceEpochMs != UNKNOWN;
  }

  long sinceLastFetchMs() {
    return time.hiResClockMs() - lastFetch.endedMs;
  }

  long watermarkLagMs() {
    return age(watermarkEpochMs);
  }

  long reconciliationAgeMs() {
    return age(reconciledEpochMs);
  }

  /** The server's clock is an estimate: a time ahead of it has no negative age. */
  private long age(long epochMs) {
    return epochMs == UNKNOWN ? UNKNOWN : Math.max(0, time.milliseconds() + skewMs - epochMs);
  }

  /** One reference, so that no reader sees the rows of one fetch and the duration of another. */
  record LastFetch(long rows, long durationMs, long endedMs) {}

  /** The latest reason, and the time of the first of the failures that follow one another. */
  record Suspension(int code, String reason, long sinceEpochMs) {}
}
