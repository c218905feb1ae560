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

  /** The line of an incident without its remedy, which must be the catalog's. */
  public static String observed(String line) {
    Problem problem =
        Arrays.stream(Problem.values())
            .filter(each -> line.startsWith(each.code() + " "))
            .findFirst()
            .orElseThrow(() -> new AssertionError("no code: " + line));
    assertThat(line).endsWith(" " + problem.remedy());
    String observed = line.substring(0, line.length() - problem.remedy().length() - 1);
    return observed.endsWith(".") ? observed.substring(0, observed.length() - 1) : observed;
  }
}
