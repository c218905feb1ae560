package io.posconnect.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.Stream;
import org.apache.kafka.common.MetricNameTemplate;
import org.junit.jupiter.api.Test;

class MetricsDocsTest {

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
