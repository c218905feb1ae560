package io.posconnect.docs;

import static org.assertj.core.api.Assertions.assertThat;

import io.posconnect.config.ConfigDocs;
import io.posconnect.metrics.MetricsDocs;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** The pages that come from the code; {@code -Ddocs=write} writes them anew. */
class GeneratedDocsTest {

  private static final boolean WRITE = "write".equals(System.getProperty("docs"));

  @Test
  void everySettingIsOnItsPageAsTheCodeHasIt() throws IOException {
    assertPage("settings.md", ConfigDocs.markdown());
  }

  @Test
  void everyMetricIsOnItsPageAsTheCodeHasIt() throws IOException {
    assertPage("metrics.md", MetricsDocs.markdown());
  }

  @Test
  void everyProblemIsOnItsPageAsTheCodeHasIt() throws IOException {
    assertPage("errors.md", ProblemDocs.markdown());
  }

  private static void assertPage(String name, String expected) throws IOException {
    Path page = Path.of("docs", name);
    if (WRITE) {
      Files.writeString(page, expected);
    }
    assertThat(page)
        .as("write it anew with mvn -B test -Dtest=GeneratedDocsTest -Ddocs=write")
        .hasContent(expected);
  }
}
