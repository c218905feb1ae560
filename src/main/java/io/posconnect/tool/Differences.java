package io.posconnect.tool;

import io.posconnect.json.Row;
import io.posconnect.resource.Key;
import io.posconnect.tool.AuditedKeys.Outcome;
import io.posconnect.tool.Checkpoints.Progress;
import io.posconnect.tool.StreamResult.Age;
import io.posconnect.tool.StreamResult.Difference;
import io.posconnect.tool.StreamResult.FieldDifference;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Lists the first differences of a stream, each with its fields and its age. */
record Differences(
    AuditedStream stream,
    TopicRecords records,
    Optional<Progress> progress,
    TopicAudit.Options options) {

  private static final List<Outcome> LISTED =
      List.of(Outcome.DIFFERENT, Outcome.MISSING, Outcome.PHANTOM);

  List<Difference> list() {
    FieldComparison comparison = new FieldComparison(stream, options.showValues());
    List<Difference> differences = new ArrayList<>();
    for (Outcome outcome : LISTED) {
      int left = options.mostListed() - differences.size();
      for (Key key : stream.keys().keys(outcome, left)) {
        List<FieldDifference> fields =
            outcome == Outcome.DIFFERENT ? fields(key, comparison) : List.of();
        differences.add(new Difference(outcome, comparison.shown(key), fields, age(outcome)));
      }
    }
    return differences;
  }

  private List<FieldDifference> fields(Key key, FieldComparison comparison) {
    Optional<Row> shown = stream.keys().row(key);
    Optional<Row> published = records.row(stream, stream.keys().place(key));
    return shown.isPresent() && published.isPresent()
        ? comparison.of(published.get(), shown.get())
        : List.of();
  }

  /** Only a read of all rows finds what is gone. */
  private Age age(Outcome outcome) {
    Optional<Instant> complete =
        outcome == Outcome.PHANTOM
            ? progress.flatMap(Progress::fullTo)
            : progress.map(Progress::completeTo);
    return new Age(
        complete.map(
            time ->
                time.isBefore(stream.readAt())
                    ? Duration.between(time, stream.readAt())
                    : Duration.ZERO),
        complete.filter(time -> Progress.isAfter(time, stream.firstReadAt())).isPresent());
  }
}
