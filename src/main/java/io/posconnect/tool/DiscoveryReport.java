package io.posconnect.tool;

import io.posconnect.problem.Incident;
import io.posconnect.problem.Problem;
import io.posconnect.problem.Text;
import io.posconnect.resource.Catalog;
import io.posconnect.tool.StreamReader.Ending;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Prints what was discovered about a resource. */
record DiscoveryReport(Discovered finding, Screen screen) {

  private static final List<Integer> WIDTHS = List.of(24, 18, 8);
  private static final int MOST_ADDED = 20;
  private static final int MOST_CANDIDATES = 6;

  /** Prints it, with what else was found about its requests. */
  void print(List<Incident> others) {
    printSample();
    Stream.concat(finding.incidents().stream(), others.stream())
        .forEach(incident -> screen.indented(incident.toString()));
    if (profile().proof.rows == 0) {
      screen.indented("There is no row, so its fields are unknown.");
    } else {
      printFields();
      printKey();
      printChanges();
      printPrivacy();
    }
    screen.line("");
  }

  /**
   * Prints what all findings come to.
   *
   * @param openSecrets settings whose secret stands in the file itself
   */
  static void conclude(List<Discovered> findings, List<String> openSecrets, Screen screen) {
    String unclean =
        findings.stream()
            .filter(finding -> !finding.isClean())
            .map(finding -> finding.profile().resource.name())
            .collect(Collectors.joining(", "));
    screen.line(
        unclean.isEmpty()
            ? "Every resource was read, and the proposal types all sampled rows."
            : "There are conflicts or errors, see above: " + unclean);
    if (!openSecrets.isEmpty()) {
      screen.line(
          ("The file itself contains the secret of %s. The proposal has a reference instead: store"
                  + " the secret where it points.")
              .formatted(String.join(", ", openSecrets)));
    }
  }

  private ResourceProfile profile() {
    return finding.profile();
  }

  private void printSample() {
    List<Ending> samples = finding.samples();
    screen.line(
        "%s: %s of %s in %s%s"
            .formatted(
                profile().resource.name(),
                Text.count(profile().proof.rows, "row"),
                samples.stream()
                    .map(sample -> sample.stream().location())
                    .collect(Collectors.joining(", ")),
                Text.count(samples.stream().mapToInt(Ending::requests).sum(), "request"),
                samples.stream().allMatch(Ending::complete) ? ", which is all" : ""));
  }

  private void printFields() {
    List<List<String>> rows = new ArrayList<>();
    rows.add(List.of("FIELD", "TYPE", "FILLED", "EXAMPLES; NOTES"));
    finding.decisions().forEach(decision -> rows.add(cells(decision)));
    screen.table(WIDTHS, rows);
  }

  private List<String> cells(FieldDecision decision) {
    FieldProfile field = decision.field;
    List<String> remarks = new ArrayList<>();
    if (!field.examples.isEmpty()) {
      remarks.add(String.join(" ", field.examples));
    }
    finding
        .column(field)
        .filter(column -> !column.equalsIgnoreCase(field.name))
        .ifPresent(column -> remarks.add("is called " + column));
    remarks.addAll(decision.notes);
    return List.of(
        field.name,
        decision.type.map(TypeChoice::label).orElse("(extra)"),
        percent(field.values(), profile().proof.rows),
        String.join("; ", remarks));
  }

  /** Rounds down: with one row of a million missing it is not 100 %. */
  private static String percent(long part, long all) {
    long percent = 100 * part / Math.max(1, all);
    return part > 0 && percent == 0 ? "<1 %" : percent + " %";
  }

  private String unknownKey(long rows) {
    List<String> candidates = profile().keyCandidates();
    if (!candidates.isEmpty()) {
      return "Key: %s is proposed; it differs in all %s%s"
          .formatted(candidates.get(0), Text.count(rows, "row"), candidates(1));
    }
    String setting = "Set resources.%s.key.fields to ".formatted(profile().resource.name());
    return profile().unreadable == rows
        ? "Key: no row is an object. " + setting + "value if rows are plain values."
        : "Key: no field that could be a key differs in all rows. " + setting + "several fields.";
  }

  private void printKey() {
    String key = String.join(", ", profile().resource.keyFields());
    long rows = profile().proof.rows;
    if (!profile().keyKnown) {
      screen.indented(unknownKey(rows));
      return;
    }
    Map<String, Long> broken = profile().proof.broken;
    long keyed = rows - broken.values().stream().mapToLong(n -> n).sum();
    if (profile().proof.repeated > 0) {
      screen.indented(
          "Key: CONFLICT: %s is the same in %s that differ%s"
              .formatted(key, Text.count(profile().proof.repeated, "row"), candidates(0)));
    } else if (!key.isEmpty() && keyed > 0) {
      screen.indented(
          "Key: %s differs in all %s%s"
              .formatted(
                  key,
                  Text.count(keyed, "row"),
                  profile().resource.occurrences() ? ", occurrences counted" : ""));
    }
    broken.forEach(
        (why, n) -> screen.indented("Key: missing in %s: %s".formatted(Text.count(n, "row"), why)));
  }

  /** The fields that could be the key, from one of them on. */
  private String candidates(int first) {
    String names =
        profile().keyCandidates().stream()
            .skip(first)
            .limit(MOST_CANDIDATES)
            .collect(Collectors.joining(", "));
    return names.isEmpty() ? "" : "; different in all rows: " + names;
  }

  private void printChanges() {
    List<String> added =
        finding.with(FieldDecision::isAdded).stream().map(decision -> decision.field.name).toList();
    screen.indented(
        "Change: adds %s, all optional: compatible (FULL_TRANSITIVE)"
            .formatted(Text.count(added.size(), "field")));
    if (!added.isEmpty() && added.size() <= MOST_ADDED) {
      screen.indented("Added: " + String.join(", ", added));
    }
    if (!finding.unseen().isEmpty()) {
      screen.indented("Declared, but in no row: " + String.join(", ", finding.unseen()));
    }
    if (profile().tooManyFields) {
      screen.indented(
          "Rows have more than %s fields: the others stay in extra"
              .formatted(ResourceProfile.MOST_FIELDS));
    }
    if (profile().unreadable > 0) {
      screen.indented(
          "Dead letters: %s would become one each, because they are no objects or too large"
              .formatted(Text.count(profile().unreadable, "row")));
    }
  }

  private void printPrivacy() {
    String name = profile().resource.name();
    PersonalFields personal = profile().personal;
    if (!personal.unmet.isEmpty()) {
      String detail = "no sampled row has the field " + String.join(", ", personal.unmet);
      screen.indented(Problem.PRIVATE_FIELD_ABSENT.incident(name, detail).toString());
    }
    // What /whoami returns is a store, not a person.
    if (!personal.found.isEmpty() && !name.equals(Catalog.IDENTITY)) {
      screen.indented(
          "Perhaps personal: %s. To exclude all of these fields, set:"
              .formatted(String.join(", ", personal.found)));
      screen.document(
          "    \"resources.%s.exclude.fields\": \"%s\""
              .formatted(name, String.join(",", personal.toExclude())));
    }
  }
}
