package io.posconnect.metrics;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.MetricName;
import org.apache.kafka.common.metrics.Gauge;
import org.apache.kafka.common.metrics.PluginMetrics;
import org.apache.kafka.connect.source.SourceTaskContext;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A gauge in the worker's metrics for each of ours. Gauges and no sensors: the names of sensors are
 * common to all plugins of a worker, so two connectors would count into one.
 */
final class PluginGauges {

  private static final Logger log = LoggerFactory.getLogger(PluginGauges.class);

  private final PluginMetrics worker;
  private final Deque<MetricName> added = new ArrayDeque<>();

  private PluginGauges(PluginMetrics worker) {
    this.worker = worker;
  }

  /** Adds all of them or, after a warning, none; what it returns takes them out again. */
  static Runnable add(SourceTaskContext context, TaskMetrics metrics) {
    // Runtimes other than Kafka's worker are known to have the method and nothing behind it.
    @Nullable PluginMetrics worker = context.pluginMetrics();
    if (worker == null) {
      log.info("This runtime takes no metrics from plugins: they are in JMX only");
      return () -> {};
    }
    PluginGauges gauges = new PluginGauges(worker);
    try {
      gauges.addAll(metrics);
    } catch (RuntimeException e) {
      log.warn("The worker refuses these metrics: they are in JMX only", e);
      gauges.remove();
    }
    return gauges::remove;
  }

  private void addAll(TaskMetrics metrics) {
    add(metrics, MetricTemplate.TASK, Map.of());
    metrics
        .byStream()
        .forEach(
            (stream, bean) -> {
              Map<String, String> tags = new LinkedHashMap<>();
              tags.put("location", stream.location());
              tags.put("resource", stream.resource());
              add(bean, MetricTemplate.STREAM, tags);
            });
  }

  private <B> void add(B bean, List<MetricTemplate<B>> templates, Map<String, String> tags) {
    for (MetricTemplate<B> template : templates) {
      MetricName name =
          worker.metricName(template.name(), template.description(), new LinkedHashMap<>(tags));
      worker.addMetric(name, (Gauge<Object>) (config, now) -> template.read(bean));
      added.add(name);
    }
  }

  private synchronized void remove() {
    while (!added.isEmpty()) {
      try {
        worker.removeMetric(added.remove());
      } catch (IllegalStateException e) {
        log.debug("The worker has closed, and thereby removed, the metrics of this task", e);
        added.clear();
      }
    }
  }
}
