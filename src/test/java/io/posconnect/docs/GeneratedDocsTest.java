package io.posconnect.docs;

import static org.assertj.core.api.Assertions.assertThat;

import io.posconnect.config.ConfigDocs;
import io.posconnect.metrics.MetricsDocs;
import io.posconnect.problem.Problem;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Compares the generated pages with the code; {@code -Ddocs=write} writes them. */
class GeneratedDocsTest {

  private static final boolean WRITE = "write".equals(System.getProperty("docs"));

  // Sentences, of which the first may begin with a name.
  private static final Pattern CAUSE = Pattern.compile("([A-Z]|/|[a-z]+([.][a-z]+)+[ ,=]).*[.]");

  @Test
  void showsEverySettingMetricAndProblem() throws IOException {
    assertPage("settings.md", ConfigDocs.markdown());
    assertPage("metrics.md", MetricsDocs.markdown());
    assertFile(Path.of("config", "monitoring", "otel-jmx.yml"), MetricsDocs.openTelemetry());
    Path strimzi = Path.of("config", "strimzi", "metrics-reporter.yaml");
    assertFile(strimzi, MetricsDocs.strimzi(Files.readString(strimzi)));
    assertPage("errors.md", ProblemDocs.markdown(causes()));
  }

  @ParameterizedTest
  @EnumSource
  void explainsTheCauseOf(Problem problem) throws IOException {
    assertThat(causes().get(problem.code()))
        .as("write the cause of %s into its row of docs/errors.md", problem.code())
        .matches(CAUSE);
  }

  private static Map<String, String> causes() throws IOException {
    return ProblemDocs.causes(Files.readString(Path.of("docs", "errors.md")));
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
