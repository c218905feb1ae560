package io.posconnect.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.Stream;
import org.apache.kafka.common.MetricNameTemplate;
import org.junit.jupiter.api.Test;

class MetricsDocsTest {

  @Test
  void hasALineForEveryMetricAndTheNamesInJmx() {
    List<String> lines = MetricsDocs.markdown().lines().toList();

    assertThat(lines)
        .startsWith("# Metrics")
        .contains(
            "`kafka.connect.pos:type=stream-metrics,connector=*,task=*,location=*,resource=*`",
            "`kafka.connect.pos:type=task-metrics,connector=*,task=*`",
            "| `requests-total` | Requests sent, repeated ones included. |",
            "| `buffer-records` | Records that wait for the worker to take them. |")
        .filteredOn(line -> line.startsWith("| `"))
        .hasSize(StreamMetrics.METRICS.size() + TaskMetrics.METRICS.size());
  }

  @Test
  void namesAreInKebabCaseAndMeaningsFitIntoTheTable() {
    assertThat(templates())
        .allSatisfy(
            template -> {
              assertThat(template.name()).matches("[a-z]+(-[a-z0-9]+)*");
              assertThat(template.description()).isNotBlank().doesNotContain("|", "\n");
            });
  }

  private static List<MetricNameTemplate> templates() {
    return Stream.concat(
            StreamMetrics.METRICS.stream().map(Metric::template),
            TaskMetrics.METRICS.stream().map(Metric::template))
        .toList();
  }
}
