package io.posconnect.metrics;

import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.apache.kafka.common.metrics.MetricConfig;
import org.apache.kafka.common.metrics.stats.Rate;
import org.apache.kafka.common.utils.Time;

/**
 * Kafka's rate of a total over its last windows. It samples the total at each request, each
 * complete fetch and each reading, so that counting a row costs nothing more.
 */
final class RateOf {
  private static final MetricConfig WINDOWS = new MetricConfig();

  private final LongSupplier total;
  private final Time time;
  private final Rate rate = new Rate(TimeUnit.SECONDS);
  private long sampled;

  RateOf(LongSupplier total, Time time) {
    this.total = total;
    this.time = time;
  }

  synchronized void sample() {
    long now = total.getAsLong();
    rate.record(WINDOWS, (double) (now - sampled), time.hiResClockMs());
    sampled = now;
  }

  synchronized double perSecond() {
    sample();
    return rate.measure(WINDOWS, time.hiResClockMs());
  }
}
