package io.posconnect.metrics;

import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.kafka.common.MetricName;
import org.apache.kafka.common.metrics.MetricConfig;
import org.apache.kafka.common.metrics.MetricValueProvider;
import org.apache.kafka.common.metrics.PluginMetrics;
import org.apache.kafka.common.metrics.Sensor;

/** A worker's metrics for one task: refuses a name that it has, and anything once it is closed. */
final class FakePluginMetrics implements PluginMetrics {

  final Map<MetricName, MetricValueProvider<?>> metrics = new HashMap<>();
  int capacity = Integer.MAX_VALUE;
  private boolean closed;

  void close() {
    closed = true;
    metrics.clear();
  }

  Object value(String name, Map<String, String> tags) {
    MetricName key = metricName(name, "", new LinkedHashMap<>(tags));
    return metrics.get(key).value(new MetricConfig(), 0);
  }

  @Override
  @SuppressWarnings("NonApiType") // the worker's choice
  public MetricName metricName(
      String name, String description, LinkedHashMap<String, String> tags) {
    Map<String, String> all = new LinkedHashMap<>(Map.of("connector", "till", "task", "0"));
    all.putAll(tags);
    return new MetricName(name, "plugins", description, all);
  }

  @Override
  public void addMetric(MetricName name, MetricValueProvider<?> provider) {
    open();
    if (metrics.size() >= capacity || metrics.putIfAbsent(name, provider) != null) {
      throw new IllegalArgumentException("metric " + name + " already exists");
    }
  }

  @Override
  public void removeMetric(MetricName name) {
    open();
    metrics.remove(name);
  }

  @Override
  public Sensor addSensor(String name) {
    throw new AssertionError("names of sensors are common to all plugins");
  }

  @Override
  public void removeSensor(String name) {
    throw new AssertionError("there are no sensors");
  }

  private void open() {
    if (closed) {
      throw new IllegalStateException("closed");
    }
  }
}
