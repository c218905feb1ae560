package io.posconnect.docs;

import static org.assertj.core.api.Assertions.assertThat;

import io.posconnect.config.ConfigDocs;
import io.posconnect.metrics.MetricsDocs;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** Compares the generated pages with the code; {@code -Ddocs=write} writes them. */
class GeneratedDocsTest {

  private static final boolean WRITE = "write".equals(System.getProperty("docs"));

  @Test
  void showsEverySetting() throws IOException {
    assertPage("settings.md", ConfigDocs.markdown());
  }

  @Test
  void showsEveryMetric() throws IOException {
    assertPage("metrics.md", MetricsDocs.markdown());
    assertFile(Path.of("config", "monitoring", "otel-jmx.yml"), MetricsDocs.openTelemetry());
  }

  @Test
  void showsEveryProblem() throws IOException {
    assertPage("errors.md", ProblemDocs.markdown());
  }

  private static void assertPage(String name, String expected) throws IOException {
    assertFile(Path.of("docs", name), expected);
  }

  private static void assertFile(Path page, String expected) throws IOException {
    if (WRITE) {
      Files.writeString(page, expected);
    }
    assertThat(page)
        .as("write it with mvn -B test -Dtest=GeneratedDocsTest -Ddocs=write")
        .hasContent(expected);
  }
}
