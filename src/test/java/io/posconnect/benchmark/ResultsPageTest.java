package io.posconnect.benchmark;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ResultsPageTest {

  private static final String PAGE =
      """
      ### Exactly-once

      | read | connector | rows/s | ratio | CPU | ratio |
      | --- | --- | --- | --- | --- | --- |
      | warm | ours | 10 | **0.93** (0.80) | 5.0 | **1.19** |

      ### At-least-once

      | warm | ours | 10 | **1.02** |
      """;

  @Test
  void putsEachRatioOfThePageBehindTheNewOneOfItsPlace() {
    String report =
        """
        ### Exactly-once

        | read | connector | rows/s | ratio | CPU | ratio |
        | --- | --- | --- | --- | --- | --- |
        | warm | ours | 11 | **1.01** | 4.0 | **1.00** |
        | warm | other | 11 | **2.01** | 4.0 | **2.00** |
        """;

    assertThat(ResultsPage.withEarlierRatios(report, PAGE))
        .isEqualTo(
            """
            ### Exactly-once

            | read | connector | rows/s | ratio | CPU | ratio |
            | --- | --- | --- | --- | --- | --- |
            | warm | ours | 11 | **1.01** (0.93) | 4.0 | **1.00** (1.19) |
            | warm | other | 11 | **2.01** | 4.0 | **2.00** |
            """);
  }
}
