package io.posconnect.task;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.posconnect.TaskContext;
import io.posconnect.client.SharedRateLimits;
import io.posconnect.config.Props;
import io.posconnect.config.SourceConfig;
import java.lang.management.ManagementFactory;
import java.util.Map;
import javax.management.JMException;
import javax.management.ObjectName;
import org.apache.kafka.common.utils.Time;
import org.junit.jupiter.api.Test;

class TaskFactoryTest {

  @Test
  void leavesNoMetricsWhenMemoryRunsOutAtStart() throws JMException {
    SourceConfig connector = Props.one().config();
    SourceConfig config = SourceConfig.checked(connector.taskConfig(0, connector.streams()));
    TaskContext noRoomForOffsets =
        new TaskContext(
            Map::of,
            () -> {
              throw new OutOfMemoryError("Java heap space");
            },
            TaskContext.NO_METRICS);
    TaskFactory task =
        new TaskFactory(config, noRoomForOffsets, Time.SYSTEM, new SharedRateLimits());

    assertThatThrownBy(task::start).isInstanceOf(OutOfMemoryError.class);
    ObjectName ours = new ObjectName("kafka.connect.pos:*");
    assertThat(ManagementFactory.getPlatformMBeanServer().queryNames(ours, null)).isEmpty();
  }
}
