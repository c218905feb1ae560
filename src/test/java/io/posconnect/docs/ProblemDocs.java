package io.posconnect.docs;

import io.posconnect.problem.Problem;
import java.util.Arrays;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Renders the catalog of problems as the tables of {@code docs/errors.md}. The causes are written
 * by hand, and stay as they stand in the page.
 */
final class ProblemDocs {

  private static final Pattern ROW = Pattern.compile("\\| `(POS-\\d+)` \\| (.*) \\|");

  private ProblemDocs() {}

  /** The causes of a page by their codes, with the escapes of a table. */
  static Map<String, String> causes(String page) {
    return page.lines()
        .map(ROW::matcher)
        .filter(Matcher::matches)
        .collect(Collectors.toMap(row -> row.group(1), row -> row.group(2).split(" \\| ", -1)[1]));
  }

  /**
   * The whole page in Markdown, ending with a line break.
   *
   * @param causes by their codes; one that is missing is left empty
   */
  static String markdown(Map<String, String> causes) {
    return """
        # Errors

        Log lines, exceptions, errors of the REST API and the status of a task begin with one of \
        these codes, then name what is affected, what is wrong, and the remedy. For example:

            POS-402 airport/products: GET /products 503: the service failed. The connector retries; no action is needed. \
        If it persists, contact the service's support.
        """
        + Arrays.stream(Area.values())
            .map(area -> area.section(causes))
            .collect(Collectors.joining());
  }

  /** The hundreds of the codes. */
  private enum Area {
    CONFIGURATION("1", "Configuration"),
    KEY("2", "API keys and permissions"),
    WAY("3", "Connections to the service"),
    ANSWERS("4", "Responses of the service"),
    ROWS("5", "Rows"),
    POSITION("6", "Position and digest"),
    WORKER("7", "Streams, tasks and the worker"),
    TOOL("8", "Command line tool");

    private final String digit;
    private final String title;

    Area(String digit, String title) {
      this.digit = digit;
      this.title = title;
    }

    private String section(Map<String, String> causes) {
      return Arrays.stream(Problem.values())
          .filter(problem -> problem.code().startsWith("POS-" + digit))
          .map(problem -> row(problem, causes.getOrDefault(problem.code(), "")))
          .collect(
              Collectors.joining(
                  "",
                  "\n## " + title + "\n\n| code | what | cause | remedy |\n|---|---|---|---|\n",
                  ""));
    }

    private static String row(Problem problem, String cause) {
      return "| `%s` | %s | %s | %s |\n"
          .formatted(problem.code(), problem.summary(), cause, escape(problem.remedy()));
    }

    private static String escape(String text) {
      return text.replace("|", "\\|").replace("<", "&lt;");
    }
  }
}
