package io.posconnect.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.Stream;
import org.apache.kafka.common.MetricNameTemplate;
import org.junit.jupiter.api.Test;

class MetricsDocsTest {

  @Test
  void hasLineForEveryMetricAndNamesInJmx() {
    List<String> lines = MetricsDocs.markdown().lines().toList();

    assertThat(lines)
        .startsWith("# Metrics")
        .contains(
            "`kafka.connect.pos:type=stream-metrics,connector=*,task=*,location=*,resource=*`",
            "`kafka.connect.pos:type=task-metrics,connector=*,task=*`",
            "| `requests-total` | Requests sent, retries included. |",
            "| `buffer-records` | Records that wait for the worker to take them. |")
        .filteredOn(line -> line.startsWith("| `"))
        .hasSize(Metric.OF_STREAM.size() + Metric.OF_TASK.size());
  }

  @Test
  void namesMetricsInKebabCaseWithMeaningsThatFitTable() {
    assertThat(templates())
        .allSatisfy(
            template -> {
              assertThat(template.name()).matches("[a-z]+(-[a-z0-9]+)*");
              assertThat(template.description()).isNotBlank().doesNotContain("|", "\n");
            });
  }

  private static List<MetricNameTemplate> templates() {
    return Stream.concat(
            Metric.OF_STREAM.stream().map(Metric::template),
            Metric.OF_TASK.stream().map(Metric::template))
        .toList();
  }
}
