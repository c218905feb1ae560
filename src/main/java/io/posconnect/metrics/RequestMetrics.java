package io.posconnect.metrics;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Function;
import org.apache.kafka.common.metrics.MetricConfig;
import org.apache.kafka.common.metrics.stats.Percentiles;
import org.apache.kafka.common.metrics.stats.Percentiles.BucketSizing;
import org.apache.kafka.common.utils.Time;

/**
 * Counts what the service does to one stream: requests by outcome, how long they took, and how long
 * its limit kept them waiting. Any thread may call any method.
 */
public final class RequestMetrics {

  /** How a request ended that brought no rows. */
  public enum Outcome {
    /** 429. */
    THROTTLED,
    /** Another 4xx: somebody must act. */
    REFUSED,
    /** 5xx, a broken or slow connection, a body that is none. */
    FAILED
  }

  /** They are shown among those of the stream. */
  static final List<Metric<StreamMetrics>> METRICS =
      List.of(
          metric("requests-total", "Requests sent, repeated ones included.", m -> m.requests.sum()),
          metric("requests-rate", "Requests per second.", m -> m.rate.perSecond()),
          metric(
              "requests-throttled-total",
              "Requests that the service answered with 429.",
              m -> m.throttled.sum()),
          metric(
              "requests-refused-total",
              "Requests that it refused with another 4xx.",
              m -> m.refused.sum()),
          metric(
              "requests-failed-total",
              "Requests that failed otherwise: 5xx, connections, bodies that are none.",
              m -> m.failed.sum()),
          metric(
              "retries-total",
              "Requests of these three kinds, which are made again.",
              m -> m.throttled.sum() + m.refused.sum() + m.failed.sum()),
          metric(
              "limit-wait-ms-total",
              "Time for which the rate limit kept requests waiting.",
              m -> TimeUnit.NANOSECONDS.toMillis(m.waitedNanos.sum())),
          metric(
              "bytes-received-total", "Bytes of bodies, after decompression.", m -> m.bytes.sum()),
          metric(
              "response-time-p50-ms",
              "Half of the responses of the last minutes began within this; -1 of none.",
              m -> m.latency(0.5)),
          metric(
              "response-time-p99-ms",
              "99 of 100 responses of the last minutes began within this; -1 of none.",
              m -> m.latency(0.99)));

  private static final MetricConfig MINUTES =
      new MetricConfig().samples(2).timeWindow(2, TimeUnit.MINUTES);
  // Buckets of 6 ms at first that grow up to the longest that anybody waits for headers.
  private static final int BUCKETS_BYTES = 1000;
  private static final double LONGEST_MS = TimeUnit.MINUTES.toMillis(3);

  private final Time time;
  private final LongAdder requests = new LongAdder();
  private final LongAdder throttled = new LongAdder();
  private final LongAdder refused = new LongAdder();
  private final LongAdder failed = new LongAdder();
  private final LongAdder waitedNanos = new LongAdder();
  private final LongAdder bytes = new LongAdder();
  private final RateOf rate;
  private final Percentiles latency =
      new Percentiles(BUCKETS_BYTES, LONGEST_MS, BucketSizing.LINEAR);

  RequestMetrics(Time time) {
    this.time = time;
    this.rate = new RateOf(requests::sum, time);
  }

  private static Metric<StreamMetrics> metric(
      String name, String meaning, Function<RequestMetrics, Object> value) {
    return StreamMetrics.metric(name, meaning, stream -> value.apply(stream.requests()));
  }

  /** A request is about to be sent. */
  public void sent() {
    requests.increment();
    rate.look();
  }

  /** The headers of its response have come after so long. */
  public void answered(Duration after) {
    synchronized (latency) {
      latency.record(MINUTES, (double) after.toMillis(), time.hiResClockMs());
    }
  }

  /** So much more of its body has come. */
  public void received(long bodyBytes) {
    bytes.add(bodyBytes);
  }

  /** It brought no rows, or not all. */
  public void ended(Outcome outcome) {
    switch (outcome) {
      case THROTTLED -> throttled.increment();
      case REFUSED -> refused.increment();
      case FAILED -> failed.increment();
    }
  }

  /** The limit keeps the next request waiting for so long. */
  public void waits(long nanos) {
    waitedNanos.add(nanos);
  }

  private double latency(double quantile) {
    synchronized (latency) {
      double millis = latency.value(MINUTES, time.hiResClockMs(), quantile);
      return Double.isNaN(millis) ? -1 : millis;
    }
  }
}
