package io.posconnect.docs;

import io.posconnect.problem.Problem;
import java.util.Arrays;
import java.util.stream.Collectors;

/** Renders the catalog of problems as the tables of {@code docs/errors.md}. */
final class ProblemDocs {

  private ProblemDocs() {}

  /** The whole page in Markdown, ending with a line break. */
  static String markdown() {
    return """
        # Errors

        Log lines, exceptions, errors of the REST API and the status of a task begin with one of \
        these codes. The text behind it says what happened to what, and ends with the remedy.
        """
        + Arrays.stream(Area.values()).map(Area::section).collect(Collectors.joining());
  }

  /** The hundreds of the codes. */
  private enum Area {
    CONFIGURATION("1", "The configuration"),
    KEY("2", "The key and what it may read"),
    WAY("3", "The way to the service"),
    ANSWERS("4", "What the service answers"),
    ROWS("5", "Rows"),
    POSITION("6", "Position and digest"),
    WORKER("7", "Streams, tasks and the worker"),
    TOOL("8", "The command line tool");

    private final String digit;
    private final String title;

    Area(String digit, String title) {
      this.digit = digit;
      this.title = title;
    }

    private String section() {
      return Arrays.stream(Problem.values())
          .filter(problem -> problem.code().startsWith("POS-" + digit))
          .map(Area::row)
          .collect(
              Collectors.joining(
                  "",
                  "\n## " + title + "\n\n| code | what | cause | remedy |\n|---|---|---|---|\n",
                  ""));
    }

    private static String row(Problem problem) {
      return "| `%s` | %s | %s | %s |\n"
          .formatted(
              problem.code(), problem.summary(), escape(problem.cause()), escape(problem.remedy()));
    }

    private static String escape(String text) {
      return text.replace("|", "\\|").replace("<", "&lt;");
    }
  }
}
