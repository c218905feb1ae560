package io.posconnect;

import static org.assertj.core.api.Assertions.assertThat;

import io.posconnect.problem.Problem;
import java.util.Arrays;
import java.util.regex.Pattern;

/** Compares lines that report a problem with the catalog of problems. */
public final class Messages {

  private static final Pattern CODE = Pattern.compile("POS-\\d{3}");

  private Messages() {}

  /** Asserts that the message has a code and that the catalog has every code in it. */
  public static void assertExplained(String message) {
    assertThat(CODE.matcher(message).results().map(found -> found.group()))
        .as(message)
        .isNotEmpty()
        .allMatch(
            code ->
                Arrays.stream(Problem.values()).anyMatch(problem -> problem.code().equals(code)));
  }
}
