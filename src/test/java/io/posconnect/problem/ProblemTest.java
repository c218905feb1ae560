package io.posconnect.problem;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

final class ProblemTest {

  private static final Pattern SENTENCES = Pattern.compile("[A-Z].*[.]", Pattern.DOTALL);
  private static final Pattern CLAUSE = Pattern.compile("[a-z].*[^.]|API .*", Pattern.DOTALL);

  @Test
  void listsDistinctCodesInAscendingOrder() {
    List<String> codes = Arrays.stream(Problem.values()).map(Problem::code).toList();

    assertThat(codes)
        .isSorted()
        .doesNotHaveDuplicates()
        .allMatch(code -> code.matches("POS-\\d{3}"));
  }

  @ParameterizedTest
  @EnumSource
  void readsAsSentences(Problem problem) {
    assertThat(problem.summary()).matches(CLAUSE);
    assertThat(problem.remedy()).matches(SENTENCES);
  }

  @Test
  void showsIncidentAsOneLineOfSentences() {
    assertThat(Problem.SERVICE_FAILED.at("airport/products: GET /products 503"))
        .isEqualTo(
            "POS-402 airport/products: GET /products 503: the service failed. The connector retries;"
                + " no action is needed. If it persists, contact the service's support.");
  }

  @Test
  void addsNoSecondFullStop() {
    assertThat(Problem.MISSING_SETTING.at("api.key", "location a has no key."))
        .isEqualTo("POS-104 api.key: location a has no key. Set it.");
  }

  @ParameterizedTest
  @CsvSource({"0, 0 rows", "1, 1 row", "2, 2 rows"})
  void writesPluralAfterNumber(long number, String text) {
    assertThat(Text.count(number, "row")).isEqualTo(text);
  }

  @ParameterizedTest
  @CsvSource({
    "PT0S, 0 ms", "PT0.45S, 450 ms", "PT1S, 1 s", "PT1M30.569S, 91 s",
    "PT15M, 15 min", "PT90M, 90 min", "PT23H59M, 24 h", "P7D, 7 days"
  })
  void writesDurationInOneUnit(Duration duration, String text) {
    assertThat(Text.duration(duration)).isEqualTo(text);
  }
}
