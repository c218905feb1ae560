package io.posconnect.metrics;

import io.posconnect.problem.Problem;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.apache.kafka.common.MetricNameTemplate;
import org.apache.kafka.common.utils.Time;

/**
 * Counts what happens to one stream. Any thread may call any method; those that are called for each
 * row take no lock, and nothing that is called for a row or a request allocates.
 */
public final class StreamMetrics {

  /** Every metric of a stream, in the order in which a person reads them. */
  static final List<Metric<StreamMetrics>> METRICS =
      Stream.concat(RequestMetrics.METRICS.stream(), own().stream()).toList();

  private static List<Metric<StreamMetrics>> own() {
    return List.of(
        metric("fetches-total", "Complete fetches.", m -> m.fetches.sum()),
        metric(
            "rows-received-total",
            "Rows that the service sent in complete fetches.",
            m -> m.rowsReceived.sum()),
        metric(
            "rows-received-rate",
            "Rows of complete fetches per second.",
            m -> m.rowsReceivedRate.perSecond()),
        metric("events-created-total", "Events of new rows (`c`).", m -> m.created.sum()),
        metric("events-updated-total", "Events of changed rows (`u`).", m -> m.updated.sum()),
        metric(
            "events-deleted-total",
            "Events of vanished rows (`d`), tombstones not counted.",
            m -> m.deleted.sum()),
        metric(
            "events-read-total",
            "Events of rows that a snapshot or a first backfill found (`r`).",
            m -> m.read.sum()),
        metric(
            "events-rate", "Events of all four kinds per second.", m -> m.eventsRate.perSecond()),
        metric(
            "suppressed-total",
            "Rows of complete fetches that brought no news.",
            m -> m.suppressed.sum()),
        metric(
            "type-mismatches-total",
            "Values of complete fetches that did not fit their declared type and went to `extra`.",
            m -> m.typeMismatches.sum()),
        metric(
            "dead-letters-total",
            "Rows of complete fetches that could not become events.",
            m -> m.deadLetters.sum()),
        metric(
            "replaced-bytes-total",
            "Bytes that were not UTF-8, and halves of surrogate pairs in names, now U+FFFD.",
            m -> m.replaced.sum()),
        metric(
            "last-fetch-duration-ms",
            "From the first request to the last row of the last complete fetch; -1 before it.",
            m -> m.lastFetch.durationMs),
        metric(
            "last-fetch-rows",
            "Rows that the last complete fetch received; -1 before it.",
            m -> m.lastFetch.rows),
        metric(
            "millis-since-last-fetch",
            "Since the last complete fetch ended; before it, since the task started.",
            StreamMetrics::sinceLastFetchMs),
        metric(
            "interval-ms",
            "How often the stream is read: its interval, or as often as its limit allows.",
            m -> m.intervalMs),
        metric(
            "overdue-ms",
            "By how much more than the interval the last complete fetch is past.",
            m -> Math.max(0, m.sinceLastFetchMs() - m.intervalMs)),
        metric(
            "snapshot-running",
            "1: the first full read is under way; 0: it is complete, or has not begun.",
            m -> m.snapshotRows == UNKNOWN ? 0 : 1),
        metric(
            "snapshot-rows",
            "Rows that it has read since the task started; -1 when none is under way.",
            m -> m.snapshotRows),
        metric(
            "backfill-remaining-ms",
            "From the beginning of the window that a backfill reads until now; 0 when none is under way.",
            m -> m.backfillRemainingMs),
        metric(
            "watermark-epoch-ms",
            "Server time up to which the stream is complete; -1 while unknown.",
            m -> m.watermarkEpochMs),
        metric(
            "watermark-lag-ms",
            "How far the watermark is behind the server's clock; -1 while unknown.",
            StreamMetrics::watermarkLagMs),
        metric(
            "clock-skew-ms",
            "How far the server's clock is ahead of the worker's; negative: behind; 0 until measured.",
            m -> m.skewMs),
        metric("digest-keys", "Keys whose contents are remembered.", m -> m.digestKeys),
        metric("digest-keys-max", "Their ceiling, `digest.max.keys`.", m -> m.digestKeysMax),
        metric(
            "deletes-pending",
            "Keys that vanished and wait to be deleted: too many within an hour to believe, or of a"
                + " location that does not say who it is.",
            m -> m.deletesPending),
        metric(
            "suspended",
            "1: the stream is suspended until a probe succeeds; 0: it is read.",
            m -> m.isSuspended() ? 1 : 0),
        metric(
            "suspension-code",
            "The digits of the code that says why, such as 201 of POS-201; 0 when it is not.",
            m -> m.suspension.code()),
        metric(
            "suspension-reason",
            "Why it is suspended, in one line; empty when it is not.",
            m -> m.suspension.reason),
        metric(
            "suspended-since-epoch-ms",
            "Since when it has been suspended without a break; -1 when it is not.",
            m -> m.suspension.sinceEpochMs));
  }

  private static final long UNKNOWN = -1;
  private static final int LONGEST_REASON = 300;
  private static final Pattern BLANKS = Pattern.compile("[\\p{Cntrl}\\s]+");
  private static final Suspension NOT_SUSPENDED = new Suspension("", UNKNOWN);

  private final Time time;
  private final RequestMetrics requests;
  private final LongAdder fetches = new LongAdder();
  private final LongAdder rowsReceived = new LongAdder();
  private final LongAdder created = new LongAdder();
  private final LongAdder updated = new LongAdder();
  private final LongAdder deleted = new LongAdder();
  private final LongAdder read = new LongAdder();
  private final LongAdder suppressed = new LongAdder();
  private final LongAdder typeMismatches = new LongAdder();
  private final LongAdder deadLetters = new LongAdder();
  private final LongAdder replaced = new LongAdder();
  private final RateOf rowsReceivedRate;
  private final RateOf eventsRate;
  private volatile LastFetch lastFetch;
  private volatile long watermarkEpochMs = UNKNOWN;
  private volatile long skewMs;
  private volatile long intervalMs;
  private volatile long snapshotRows = UNKNOWN;
  private volatile long backfillRemainingMs;
  private volatile int digestKeys;
  private volatile int digestKeysMax;
  private volatile int deletesPending;
  private volatile Suspension suspension = NOT_SUSPENDED;

  public StreamMetrics(Time time) {
    this.time = Objects.requireNonNull(time, "time is null");
    this.lastFetch = new LastFetch(UNKNOWN, UNKNOWN, time.hiResClockMs());
    this.requests = new RequestMetrics(time);
    this.rowsReceivedRate = new RateOf(rowsReceived::sum, time);
    this.eventsRate =
        new RateOf(() -> created.sum() + updated.sum() + deleted.sum() + read.sum(), time);
  }

  static Metric<StreamMetrics> metric(
      String name, String meaning, Function<StreamMetrics, Object> value) {
    return new Metric<>(
        new MetricNameTemplate(
            name, "stream-metrics", meaning, "connector", "task", "location", "resource"),
        value);
  }

  /** What the service does to the stream. */
  public RequestMetrics requests() {
    return requests;
  }

  /** The stream is read so often, and remembers so many keys at most. */
  public void configured(Duration interval, int mostKeys) {
    intervalMs = interval.toMillis();
    digestKeysMax = mostKeys;
  }

  /**
   * The first full read goes on.
   *
   * @param rows read since the task started
   * @param remaining of a backfill; zero of another
   */
  public void snapshotGoesOn(long rows, Duration remaining) {
    snapshotRows = rows;
    backfillRemainingMs = remaining.toMillis();
  }

  /** The first full read is complete. */
  public void snapshotCompleted() {
    snapshotRows = UNKNOWN;
    backfillRemainingMs = 0;
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

  /**
   * A fetch is complete; its events were counted as they left.
   *
   * @param rows that the service sent
   * @param rowsSuppressed that brought no news
   * @param mismatches values that did not fit their declared type
   * @param rowsDead that could not become events
   * @param duration from the first request to the last row
   */
  public void completed(
      long rows, long rowsSuppressed, long mismatches, long rowsDead, Duration duration) {
    fetches.increment();
    rowsReceived.add(rows);
    suppressed.add(rowsSuppressed);
    typeMismatches.add(mismatches);
    deadLetters.add(rowsDead);
    lastFetch = new LastFetch(rows, duration.toMillis(), time.hiResClockMs());
    rowsReceivedRate.look();
    eventsRate.look();
  }

  /** So many bytes of a body were not UTF-8. */
  public void replaced(long bytes) {
    replaced.add(bytes);
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

  /** The stream is suspended, or a probe of it failed once more: the newest reason counts. */
  public synchronized void suspended(String reason) {
    String line = BLANKS.matcher(reason).replaceAll(" ").strip();
    suspension =
        new Suspension(
            line.length() <= LONGEST_REASON ? line : line.substring(0, LONGEST_REASON - 1) + "…",
            isSuspended() ? suspension.sinceEpochMs : time.milliseconds());
  }

  /** The stream is read again. */
  public synchronized void recovered() {
    suspension = NOT_SUSPENDED;
  }

  boolean isSuspended() {
    return suspension.sinceEpochMs != UNKNOWN;
  }

  private long sinceLastFetchMs() {
    return time.hiResClockMs() - lastFetch.endedMs;
  }

  private long watermarkLagMs() {
    long watermark = watermarkEpochMs;
    // Both on the server's clock, of which there is an estimate only: a lag is never negative.
    return watermark == UNKNOWN ? UNKNOWN : Math.max(0, time.milliseconds() + skewMs - watermark);
  }

  /** One reference, so that nobody sees the rows of one fetch and the duration of another. */
  private record LastFetch(long rows, long durationMs, long endedMs) {}

  /** Why, and since the first of the failures that follow one another. */
  private record Suspension(String reason, long sinceEpochMs) {
    int code() {
      String code = Problem.codeOf(reason);
      return code.isEmpty() ? 0 : Integer.parseInt(code.substring(code.indexOf('-') + 1));
    }
  }
}
