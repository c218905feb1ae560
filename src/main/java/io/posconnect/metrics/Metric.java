package io.posconnect.metrics;

import java.util.Map;
import java.util.function.Function;
import org.apache.kafka.common.MetricNameTemplate;
import org.apache.kafka.common.metrics.Gauge;
import org.apache.kafka.common.metrics.Metrics;

/**
 * Names and documents one metric, and reads it: the line that makes a metric what it is.
 *
 * @param <S> what is measured
 * @param template its name in kebab case with its unit, group, meaning and tags
 * @param value reads it: a number, or text
 */
record Metric<S>(MetricNameTemplate template, Function<S, Object> value) {

  /** Has the registry read the metric of that subject whenever somebody looks. */
  void register(Metrics registry, S subject, Map<String, String> tags) {
    Gauge<Object> gauge = (config, now) -> value.apply(subject);
    registry.addMetric(registry.metricInstance(template, tags), gauge);
  }
}
