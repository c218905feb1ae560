package io.posconnect;

import static org.assertj.core.api.Assertions.assertThat;

import io.posconnect.problem.Problem;
import java.util.Arrays;
import java.util.regex.Pattern;

/** What is said when something is wrong, held against the catalog of problems. */
public final class Messages {

  private static final Pattern CODE = Pattern.compile("POS-\\d{3}");

  private Messages() {}

  /** It has a code, and every code in it is one of the catalog: an operator finds the remedy. */
  public static void assertExplained(String message) {
    assertThat(CODE.matcher(message).results().map(found -> found.group()))
        .as(message)
        .isNotEmpty()
        .allMatch(
            code ->
                Arrays.stream(Problem.values()).anyMatch(problem -> problem.code().equals(code)));
  }
}
