package io.posconnect.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class MetricsDocsTest {

  @Test
  void namesMetricsInKebabCaseWithMeaningsThatFitTable() {
    assertThat(Stream.concat(Metric.OF_STREAM.stream(), Metric.OF_TASK.stream()))
        .map(Metric::template)
        .allSatisfy(
            template -> {
              assertThat(template.name()).matches("[a-z]+(-[a-z0-9]+)*");
              assertThat(template.description()).isNotBlank().doesNotContain("|", "\n");
            });
  }
}
