package io.posconnect.metrics;

import io.posconnect.problem.Incident;
import io.posconnect.resource.Counts;
import io.posconnect.resource.Counts.Count;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.regex.Pattern;
import org.apache.kafka.common.metrics.MetricConfig;
import org.apache.kafka.common.metrics.stats.Percentiles;
import org.apache.kafka.common.metrics.stats.Percentiles.BucketSizing;
import org.apache.kafka.common.utils.Time;

/**
 * Counts the requests and events of one stream and holds its latest state. Any thread may call any
 * method; those that are called for each row take no lock, and nothing that is called for a row or
 * a request allocates.
 */
public final class StreamMetrics {

  /**
   * What is known of a stream: first totals since the task started, then what it is like now, and
   * -1 for an unknown time or size.
   */
  public enum State {
    /** Requests; retries, redirects and requests for the identity of the location count too. */
    SENT,
    /** Requests that were answered with 429. */
    THROTTLED,
    /** Requests that were refused with another 4xx: a person must act. */
    REFUSED,
    /** Requests that failed otherwise: 5xx, a lost or slow connection, an unusable body. */
    FAILED,
    /** Nanoseconds that requests waited for the rate limit. */
    WAITED,
    /** Bytes of bodies. */
    BYTES,
    /** Bytes of bodies that were not UTF-8. */
    REPLACED,
    /** Complete fetches. */
    FETCHES,
    /** Up to when the stream is complete, and its records are written. */
    WATERMARK,
    /** When the latest accepted reconciliation began, by the service's clock. */
    RECONCILED,
    /** Rows that the running snapshot has read; unknown without one. */
    SNAPSHOT_ROWS,
    /** Time that is left of a backfill. */
    BACKFILL_REMAINING,
    /** The server's clock minus the worker's. */
    SKEW,
    INTERVAL,
    /** Of the reconciliations beside increments; zero for none. */
    RECONCILE_INTERVAL,
    DIGEST_KEYS,
    /** The ceiling of the digest. */
    DIGEST_KEYS_MAX,
    /** Keys whose deletes are held, for whatever reason. */
    DELETES_PENDING,
    /** Those of them that wait for a row whose key cannot be read. */
    DELETES_UNCERTAIN,
    /** Rows of the last complete read of the whole list whose key cannot be read. */
    UNREADABLE_ROWS,
    /** Fields, by name, that were removed since they are not on a list. */
    UNLISTED_FIELDS
  }

  /** The value of a time that has not been, or of a size that is not known. */
  public static final long UNKNOWN = -1;

  private static final Set<State> UNKNOWN_AT_FIRST =
      EnumSet.of(State.WATERMARK, State.RECONCILED, State.SNAPSHOT_ROWS);

  private static final int LONGEST_REASON = 500;
  private static final Pattern BLANKS = Pattern.compile("[\\p{Cntrl}\\s]+");
  private static final Suspension NOT_SUSPENDED = new Suspension(0, "", UNKNOWN);

  private static final MetricConfig MINUTES =
      new MetricConfig().samples(2).timeWindow(2, TimeUnit.MINUTES);
  // Of logarithms: each is 8 % wide, up to the longest request.timeout.ms.
  private static final int BUCKETS = 250;
  private static final double LONGEST = Math.log1p((double) TimeUnit.DAYS.toMillis(1));

  private final Time time;
  private final long startedMs;
  private final Counts counts = new Counts();
  private final Percentiles responseTime =
      new Percentiles(BUCKETS * Float.BYTES, 0, LONGEST, BucketSizing.CONSTANT);
  volatile LastFetch lastFetch;
  private final Map<State, AtomicLong> states = new EnumMap<>(State.class);
  volatile Suspension suspension = NOT_SUSPENDED;

  public StreamMetrics(Time time) {
    this.time = time;
    for (State each : State.values()) {
      states.put(each, new AtomicLong(UNKNOWN_AT_FIRST.contains(each) ? UNKNOWN : 0));
    }
    this.startedMs = time.hiResClockMs();
    this.lastFetch = new LastFetch(UNKNOWN, UNKNOWN, startedMs);
  }

  /** The headers of its response arrived after that time. */
  public void answered(Duration after) {
    synchronized (responseTime) {
      responseTime.record(MINUTES, Math.log1p((double) after.toMillis()), time.hiResClockMs());
    }
  }

  double responseTimeMs(double quantile) {
    synchronized (responseTime) {
      // The lower end of a bucket, whose responses began before its upper one.
      double bucket = responseTime.value(MINUTES, time.hiResClockMs(), quantile);
      return Double.isNaN(bucket) ? UNKNOWN : Math.expm1(bucket + LONGEST / BUCKETS);
    }
  }

  public void add(State total, long more) {
    of(total).addAndGet(more);
  }

  public void set(State state, long value) {
    of(state).set(value);
  }

  public void set(State state, Duration value) {
    set(state, value.toMillis());
  }

  /** Sets a time; {@link Instant#MIN} is one that has not been. */
  public void set(State state, Instant value) {
    set(state, value.equals(Instant.MIN) ? UNKNOWN : value.toEpochMilli());
  }

  long get(State state) {
    return of(state).get();
  }

  private AtomicLong of(State state) {
    return Objects.requireNonNull(states.get(state));
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
    add(State.FETCHES, 1);
    lastFetch = new LastFetch(rows, duration.toMillis(), time.hiResClockMs());
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

  /** The server's clock is an estimate: a time ahead of it has no negative age. */
  long ageMs(State since) {
    long epochMs = get(since);
    return epochMs == UNKNOWN
        ? UNKNOWN
        : Math.max(0, time.milliseconds() + get(State.SKEW) - epochMs);
  }

  /** One that never comes grows old too, so that an alert sees it. */
  long reconciliationAgeMs() {
    return get(State.RECONCILED) == UNKNOWN
        ? time.hiResClockMs() - startedMs
        : ageMs(State.RECONCILED);
  }

  /** One reference, so that no reader sees the rows of one fetch and the duration of another. */
  record LastFetch(long rows, long durationMs, long endedMs) {}

  /** The latest reason, and the time of the first of the failures that follow one another. */
  record Suspension(int code, String reason, long sinceEpochMs) {}
}
