package io.posconnect.metrics;

import org.apache.kafka.connect.source.SourceTaskContext;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The same metrics among the worker's own ({@code kafka.connect:type=plugins}), where every
 * reporter of the worker finds them. Workers have that since 4.1; on older ones JMX has to do.
 *
 * <p>This class names no type that an older worker lacks; {@link PluginGauges} does, and is loaded
 * inside the guarded call only.
 */
public final class PluginMetricsBridge implements AutoCloseable {

  private static final Logger log = LoggerFactory.getLogger(PluginMetricsBridge.class);

  private final Runnable removal;

  private PluginMetricsBridge(Runnable removal) {
    this.removal = removal;
  }

  /**
   * Shows those metrics in the worker until the bridge is closed. Where the worker cannot, that is
   * logged, and the bridge does nothing.
   */
  public static PluginMetricsBridge bridge(SourceTaskContext context, TaskMetrics metrics) {
    try {
      return new PluginMetricsBridge(PluginGauges.add(context, metrics));
    } catch (NoSuchMethodError | NoClassDefFoundError e) {
      log.info("This worker takes no metrics from plugins (Kafka 4.1 does): they are in JMX only");
      log.debug("What the worker lacks", e);
      return new PluginMetricsBridge(() -> {});
    }
  }

  @Override
  public void close() {
    removal.run();
  }
}
