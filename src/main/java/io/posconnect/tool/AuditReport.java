package io.posconnect.tool;

import io.posconnect.problem.Text;
import io.posconnect.tool.StreamResult.Difference;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * Prints the results of an audit: a table, below it what was found, and the command that mends it.
 */
record AuditReport(List<StreamResult> results, Optional<Mend> mend) {

  private static final List<Integer> WIDTHS = List.of(29, 13, 8, 8);

  void print(Screen screen) {
    List<List<String>> rows = new ArrayList<>();
    rows.add(List.of("STREAM", "VERDICT", "EQUAL", "OTHER", "VERIFIED THROUGH"));
    results.forEach(result -> rows.add(cells(result)));
    screen.table(WIDTHS, rows);
    results.stream()
        .filter(result -> !result.findings().isEmpty())
        .forEach(result -> print(result, screen));
    mend.ifPresent(
        found -> {
          screen.line("");
          screen.line(found.explanation());
          screen.document(found.command());
        });
    screen.line("");
    screen.line(conclusion());
  }

  private static List<String> cells(StreamResult result) {
    boolean isRead = !result.counts().isEmpty();
    return List.of(
        result.stream().id(),
        result.verdict().toString(),
        isRead ? Long.toString(result.count(AuditedKeys.Outcome.EQUAL)) : "-",
        isRead ? Long.toString(result.unequal()) : "-",
        result.verifiedThrough().map(Judgement::shown).orElse("-"));
  }

  private static void print(StreamResult result, Screen screen) {
    screen.line("");
    screen.line("%s: %s".formatted(result.stream().id(), result.verdict()));
    result.findings().forEach(finding -> screen.indented(finding.text()));
    for (Difference difference : result.differences()) {
      String fields = String.join(", ", difference.fields());
      screen.indented(
          "%-9s %s%s"
              .formatted(
                  difference.outcome(), difference.key(), fields.isEmpty() ? "" : ": " + fields));
    }
    if (result.leftOut() > 0) {
      screen.indented("and " + Text.count(result.leftOut(), "more key"));
    }
  }

  private String conclusion() {
    String others =
        results.stream()
            .filter(result -> result.verdict() != Verdict.EQUAL)
            .map(result -> "%s (%s)".formatted(result.stream().id(), result.verdict()))
            .collect(Collectors.joining(", "));
    return others.isEmpty()
        ? "Every stream is equal to the service."
        : "Not every stream is equal, see above: " + others;
  }
}
