package io.posconnect.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import io.posconnect.resource.Stream;
import java.lang.management.ManagementFactory;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import javax.management.JMException;
import javax.management.MBeanAttributeInfo;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import org.apache.kafka.common.utils.MockTime;
import org.junit.jupiter.api.Test;

class MetricTemplateTest {

  private static final Stream STREAM = new Stream("downtown", "products");

  @Test
  void namesAttributesAsJmxDoes() {
    assertThat(new MetricTemplate<>("watermark-lag-ms", "", b -> b).attribute())
        .isEqualTo("WatermarkLagMs");
  }

  @Test
  void everyAttributeIsListedAndShowsItsDescriptionAndValue() throws JMException {
    try (TaskMetrics metrics = new TaskMetrics("listed", 0, Set.of(STREAM), new MockTime())) {
      metrics.stream(STREAM).suspended("403");
      metrics.buffer(() -> 3, () -> 5);

      agree(BeanName.task("listed", 0), metrics, MetricTemplate.TASK);
      agree(BeanName.stream("listed", 0, STREAM), metrics.stream(STREAM), MetricTemplate.STREAM);
    }
  }

  private static <B> void agree(String name, B bean, List<MetricTemplate<B>> templates)
      throws JMException {
    MBeanServer server = ManagementFactory.getPlatformMBeanServer();
    ObjectName object = new ObjectName(name);
    Map<String, String> shown =
        Arrays.stream(server.getMBeanInfo(object).getAttributes())
            .collect(
                Collectors.toMap(MBeanAttributeInfo::getName, MBeanAttributeInfo::getDescription));
    Map<String, String> listed =
        templates.stream()
            .collect(Collectors.toMap(MetricTemplate::attribute, MetricTemplate::description));

    assertThat(shown).isEqualTo(listed);
    for (MetricTemplate<B> template : templates) {
      assertThat(server.getAttribute(object, template.attribute()))
          .as(template.name())
          .isEqualTo(template.read(bean));
    }
  }

  @Test
  void theDocumentationHasALineForEveryMetric() {
    List<String> lines = MetricsDocs.markdown().lines().toList();

    assertThat(lines)
        .contains(
            "| `RequestsTotal` | `requests-total` | Requests sent, repeated ones included. |",
            "| `BufferRecords` | `buffer-records` | Records that wait for the worker to take them. |")
        .filteredOn(line -> line.startsWith("| `"))
        .hasSize(MetricTemplate.STREAM.size() + MetricTemplate.TASK.size());
  }

  @Test
  void noDescriptionBreaksTheTable() {
    assertThat(MetricTemplate.STREAM)
        .noneMatch(each -> each.description().matches("(?s).*[|\n].*"));
    assertThat(MetricTemplate.TASK).noneMatch(each -> each.description().matches("(?s).*[|\n].*"));
  }
}
