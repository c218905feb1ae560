package io.posconnect.metrics;

import java.util.Map;
import org.apache.kafka.common.MetricName;
import org.apache.kafka.common.metrics.Gauge;
import org.apache.kafka.common.utils.Time;
import org.apache.kafka.connect.source.SourceTaskContext;

/** Shows the metrics of one task to whatever reads those of the worker. */
public interface Display {

  /** The worker's own metrics where a task may add to them (Connect 4.1 or newer), else JMX. */
  static Display of(SourceTaskContext context, Time time) {
    try {
      return new WorkerDisplay(context.pluginMetrics());
    } catch (NoSuchMethodError | NoClassDefFoundError e) {
      return new JmxDisplay(time);
    }
  }

  /** Shows all of them from now on; if it fails, what is shown must be hidden. */
  void show(Map<MetricName, Gauge<Object>> metrics);

  /** Hides what is shown, whatever has the same name by now; called once. */
  void hide();
}
