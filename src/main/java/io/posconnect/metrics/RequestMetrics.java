package io.posconnect.metrics;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import org.apache.kafka.common.metrics.MetricConfig;
import org.apache.kafka.common.metrics.stats.Percentiles;
import org.apache.kafka.common.metrics.stats.Percentiles.BucketSizing;
import org.apache.kafka.common.utils.Time;

/**
 * Counts the requests of one stream by outcome, the time until their headers arrived, and the time
 * that they waited for the rate limit. Any thread may call any method.
 */
public final class RequestMetrics {

  /** Why a request brought no rows. */
  public enum Outcome {
    /** 429. */
    THROTTLED,
    /** Another 4xx: a person must act. */
    REFUSED,
    /** 5xx, a lost or slow connection, an unusable body. */
    FAILED
  }

  private static final MetricConfig MINUTES =
      new MetricConfig().samples(2).timeWindow(2, TimeUnit.MINUTES);
  // Linear buckets: 6 ms wide at first, up to the default request.timeout.ms.
  private static final int BUCKETS_BYTES = 1000;
  private static final double LONGEST_MS = TimeUnit.MINUTES.toMillis(3);

  private final Time time;
  final LongAdder sent = new LongAdder();
  final LongAdder throttled = new LongAdder();
  final LongAdder refused = new LongAdder();
  final LongAdder failed = new LongAdder();
  final LongAdder waitedNanos = new LongAdder();
  final LongAdder bytes = new LongAdder();
  final RateOf rate;
  private final Percentiles responseTime =
      new Percentiles(BUCKETS_BYTES, LONGEST_MS, BucketSizing.LINEAR);

  RequestMetrics(Time time) {
    this.time = time;
    this.rate = new RateOf(sent::sum, time);
  }

  public void sent() {
    sent.increment();
    rate.sample();
  }

  /** The headers of its response arrived after that time. */
  public void answered(Duration after) {
    synchronized (responseTime) {
      responseTime.record(MINUTES, (double) after.toMillis(), time.hiResClockMs());
    }
  }

  /** That many more bytes of its body arrived. */
  public void received(long bodyBytes) {
    bytes.add(bodyBytes);
  }

  /** The request brought no rows, or not all. */
  public void ended(Outcome outcome) {
    switch (outcome) {
      case THROTTLED -> throttled.increment();
      case REFUSED -> refused.increment();
      case FAILED -> failed.increment();
    }
  }

  /** The rate limit delays the next request by that many nanoseconds. */
  public void delayed(long nanos) {
    waitedNanos.add(nanos);
  }

  double responseTimeMs(double quantile) {
    synchronized (responseTime) {
      double millis = responseTime.value(MINUTES, time.hiResClockMs(), quantile);
      return Double.isNaN(millis) ? -1 : millis;
    }
  }
}
