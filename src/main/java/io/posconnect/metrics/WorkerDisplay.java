package io.posconnect.metrics;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.MetricName;
import org.apache.kafka.common.metrics.Gauge;
import org.apache.kafka.common.metrics.PluginMetrics;

/**
 * Adds metrics to the worker's own, so that each of its reporters has them. The worker gives their
 * names the tags of connector and task, and removes them when the task has ended.
 */
final class WorkerDisplay implements Display {

  /** The group of the metric; the worker calls every group of a plugin the same. */
  static final String GROUP_TAG = "pos";

  private final PluginMetrics worker;
  private final List<MetricName> shown = new ArrayList<>();

  WorkerDisplay(PluginMetrics worker) {
    this.worker = worker;
  }

  @Override
  public void show(Map<MetricName, Gauge<Object>> metrics) {
    metrics.forEach(
        (metric, gauge) -> {
          LinkedHashMap<String, String> tags = new LinkedHashMap<>();
          tags.put(GROUP_TAG, metric.group());
          tags.putAll(metric.tags());
          tags.keySet().removeAll(List.of("connector", "task"));
          MetricName name = worker.metricName(metric.name(), metric.description(), tags);
          worker.addMetric(name, gauge);
          shown.add(name);
        });
  }

  @Override
  public void hide() {
    shown.forEach(worker::removeMetric);
  }
}
