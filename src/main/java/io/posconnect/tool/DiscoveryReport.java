package io.posconnect.tool;

import io.posconnect.resource.KeyPart;
import io.posconnect.resource.Resource;
import io.posconnect.tool.FieldDecision.Change;
import io.posconnect.tool.Sampler.Sample;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** Tells a person what was found out about a resource. */
final class DiscoveryReport {

  private final Screen screen;

  DiscoveryReport(Screen screen) {
    this.screen = screen;
  }

  /**
   * What was found out about a resource.
   *
   * @param keyKnown whether the configuration had a key before
   * @param candidates fields that tell all rows apart, the likeliest first
   * @param settings that make the proposal hold; an empty one is to be removed
   * @param rehearsal what the proposal made of the rows; empty where there were none
   */
  record Finding(
      Resource resource,
      boolean keyKnown,
      ResourceProfile profile,
      List<Sample> samples,
      List<String> candidates,
      Proposal proposal,
      Map<String, String> settings,
      Optional<Rehearsal> rehearsal) {

    /** Whether there is anything to be written down. */
    boolean hasProposal() {
      return profile.rows() > 0 && (keyKnown || !candidates.isEmpty());
    }

    private List<Sample> troubles() {
      return samples.stream().filter(sample -> sample.trouble().isPresent()).toList();
    }

    private long repeated() {
      return profile.proofs().stream().mapToLong(KeyProof::repeated).sum();
    }

    /** Whether nothing was in the way. */
    boolean isClean() {
      return troubles().isEmpty()
          && proposal.with(Change.MISMATCH).isEmpty()
          && (profile.rows() == 0 || hasProposal())
          && (!keyKnown || repeated() == 0);
    }
  }

  void print(Finding finding) {
    ResourceProfile profile = finding.profile();
    int requests = finding.samples().stream().mapToInt(Sample::requests).sum();
    boolean complete = finding.samples().stream().allMatch(Sample::complete);
    screen.line(
        "%s: %,d rows of %s in %d requests%s"
            .formatted(
                finding.resource().name(),
                profile.rows(),
                finding.samples().stream()
                    .map(sample -> sample.stream().location())
                    .collect(Collectors.joining(", ")),
                requests,
                complete ? ", all there are" : ""));
    finding
        .samples()
        .forEach(sample -> sample.trouble().ifPresent(trouble -> screen.line("  " + trouble)));
    if (profile.rows() == 0) {
      screen.line("  No row, so nothing can be said about its fields.");
      screen.line();
      return;
    }
    screen.table(
        "  ",
        List.of("FIELD", "TYPE", "FILLED", "EXAMPLES", "NOTES"),
        finding.proposal().decisions().stream().map(d -> cells(finding, d)).toList());
    printKeys(finding);
    printChanges(finding);
    finding.rehearsal().ifPresent(this::printRehearsal);
    screen.line();
  }

  private static List<String> cells(Finding finding, FieldDecision decision) {
    FieldProfile field = decision.field();
    List<String> notes = new ArrayList<>(decision.notes());
    finding
        .proposal()
        .column(field)
        .filter(column -> !column.equalsIgnoreCase(field.name()))
        .ifPresent(column -> notes.add(0, "is called " + column));
    return List.of(
        field.name(),
        decision.type().map(TypeChoice::label).orElse("(extra)"),
        percent(field.values(), finding.profile().rows()),
        String.join(" ", field.examples()),
        String.join("; ", notes));
  }

  /** No more than there is: one missing row of a million is not 100 %. */
  private static String percent(long part, long all) {
    long percent = 100 * part / Math.max(1, all);
    return part > 0 && percent == 0 ? "<1 %" : percent + " %";
  }

  private void printKeys(Finding finding) {
    ResourceProfile profile = finding.profile();
    String key = String.join(", ", finding.resource().keyFields());
    long repeated = finding.repeated();
    Map<String, Long> broken = new TreeMap<>();
    profile.proofs().forEach(p -> p.broken().forEach((why, n) -> broken.merge(why, n, Long::sum)));
    if (!finding.keyKnown()) {
      screen.line(
          finding.candidates().isEmpty()
              ? "  Key: no field tells all rows apart; set resources.%s.key.fields to several"
                  .formatted(finding.resource().name())
              : "  Key: proposed is %s, different in all %,d rows"
                  .formatted(finding.candidates().get(0), profile.rows()));
    } else if (!key.isEmpty()) {
      screen.line(
          repeated == 0
              ? "  Key: %s, different in all %,d rows%s"
                  .formatted(
                      key,
                      profile.rows() - broken.values().stream().mapToLong(n -> n).sum(),
                      finding.resource().occurrences() ? " but for counted occurrences" : "")
              : "  Key: CONFLICT: %s is the same in %,d rows that differ".formatted(key, repeated));
      broken.forEach((why, n) -> screen.line("  Key: %,d rows have none: %s".formatted(n, why)));
    }
    List<String> keyNames =
        finding.resource().keyFields().stream()
            .flatMap(part -> KeyPart.of(part).names().stream())
            .toList();
    List<String> others =
        finding.candidates().stream().filter(name -> !keyNames.contains(name)).limit(6).toList();
    if (!others.isEmpty() && profile.rows() > 1) {
      screen.line("  Also different in all rows, and always filled: " + String.join(", ", others));
    }
  }

  private void printChanges(Finding finding) {
    Proposal proposal = finding.proposal();
    List<FieldDecision> added = proposal.with(Change.ADDED);
    screen.line(
        "  Change: %,d fields added, all optional: compatible (FULL_TRANSITIVE)"
            .formatted(added.size()));
    if (!added.isEmpty() && added.size() <= 20) {
      screen.line(
          "  Added: "
              + added.stream().map(d -> d.field().name()).collect(Collectors.joining(", ")));
    }
    for (FieldDecision mismatch : proposal.with(Change.MISMATCH)) {
      screen.line(
          "  Kept as it is: %s; %s".formatted(mismatch.field().name(), mismatch.notes().get(0)));
    }
    if (!proposal.unseen().isEmpty()) {
      screen.line("  Declared, but in no row: " + String.join(", ", proposal.unseen()));
    }
    if (finding.profile().hasTooManyFields()) {
      screen.line(
          "  Rows have more than %,d fields: the others stay in extra"
              .formatted(ResourceProfile.MOST_FIELDS));
    }
    if (finding.profile().unreadable() > 0) {
      screen.line(
          "  %,d rows are no objects, or too large: they would be dead letters"
              .formatted(finding.profile().unreadable()));
    }
  }

  private void printRehearsal(Rehearsal rehearsal) {
    if (rehearsal.clean()) {
      screen.line(
          "  Tried on %,d rows: nothing is left in extra, no type mismatch"
              .formatted(rehearsal.events()));
      return;
    }
    screen.line(
        "  Tried on %,d rows: %,d type mismatches; in extra stay %s"
            .formatted(
                rehearsal.events(),
                rehearsal.typeMismatches(),
                rehearsal.inExtra().entrySet().stream()
                    .limit(20)
                    .map(field -> "%s (%,d)".formatted(field.getKey(), field.getValue()))
                    .collect(Collectors.joining(", "))));
  }
}
