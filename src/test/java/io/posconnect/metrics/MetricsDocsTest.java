package io.posconnect.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class MetricsDocsTest {

  @Test
  void readmeHasTheMetricsAsTheyAre() throws IOException {
    String readme = Files.readString(Path.of("README.md"));
    String begin = "<!-- metrics -->\n";
    String section =
        readme.substring(
            readme.indexOf(begin) + begin.length(), readme.indexOf("<!-- /metrics -->"));

    assertThat(section)
        .as("README.md between its metrics markers; print them anew with %s", MetricsDocs.class)
        .isEqualTo(MetricsDocs.markdown());
  }
}
