package io.posconnect.task;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.posconnect.client.SharedRateLimits;
import io.posconnect.config.Props;
import io.posconnect.config.SourceConfig;
import java.lang.management.ManagementFactory;
import java.util.Map;
import javax.management.JMException;
import javax.management.ObjectName;
import org.apache.kafka.common.metrics.PluginMetrics;
import org.apache.kafka.common.utils.Time;
import org.apache.kafka.connect.source.SourceTaskContext;
import org.apache.kafka.connect.storage.OffsetStorageReader;
import org.junit.jupiter.api.Test;

class TaskFactoryTest {

  @Test
  void hidesMetricsWhenMemoryRunsOutAtStart() throws JMException {
    SourceConfig connector = Props.one().config();
    SourceConfig config = new SourceConfig(connector.taskConfig(0, connector.streams()));
    TaskFactory task = new TaskFactory(config, context(), Time.SYSTEM, new SharedRateLimits());

    assertThatThrownBy(task::start).isInstanceOf(OutOfMemoryError.class);
    ObjectName ours = new ObjectName("kafka.connect.pos:*");
    assertThat(ManagementFactory.getPlatformMBeanServer().queryNames(ours, null)).isEmpty();
  }

  /** Of a worker before 4.1 whose heap has no room for the offsets. */
  private static SourceTaskContext context() {
    return new SourceTaskContext() {
      @Override
      public Map<String, String> configs() {
        return Map.of();
      }

      @Override
      public OffsetStorageReader offsetStorageReader() {
        throw new OutOfMemoryError("Java heap space");
      }

      @Override
      public PluginMetrics pluginMetrics() {
        throw new NoSuchMethodError("pluginMetrics");
      }
    };
  }
}
