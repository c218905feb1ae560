package io.posconnect.metrics;

import java.util.Map;
import org.apache.kafka.common.MetricName;
import org.apache.kafka.common.metrics.Gauge;
import org.apache.kafka.common.metrics.JmxReporter;
import org.apache.kafka.common.metrics.KafkaMetric;
import org.apache.kafka.common.metrics.KafkaMetricsContext;
import org.apache.kafka.common.metrics.MetricConfig;
import org.apache.kafka.common.utils.Time;

/** Shows metrics in JMX under a domain of ours, through Kafka's reporter. */
final class JmxDisplay implements Display {

  /** The domain of our names in JMX. */
  static final String DOMAIN = "kafka.connect.pos";

  private final Time time;
  private final JmxReporter reporter = new JmxReporter();

  JmxDisplay(Time time) {
    this.time = time;
  }

  @Override
  public void show(Map<MetricName, Gauge<Object>> metrics) {
    reporter.contextChange(new KafkaMetricsContext(DOMAIN));
    // All at once, so that each bean is registered once and not again for each metric.
    reporter.init(
        metrics.entrySet().stream()
            .map(
                each ->
                    new KafkaMetric(
                        new Object(), each.getKey(), each.getValue(), new MetricConfig(), time))
            .toList());
  }

  @Override
  public void hide() {
    reporter.close();
  }
}
