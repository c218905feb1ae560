package io.posconnect.tool;

import io.posconnect.json.Row;
import io.posconnect.resource.Key;
import io.posconnect.tool.AuditedKeys.Outcome;
import io.posconnect.tool.StreamResult.Difference;
import io.posconnect.tool.StreamResult.FieldDifference;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Lists the first differences of a stream, each with its fields. */
record Differences(AuditedStream stream, TopicRecords records, TopicAudit.Options options) {

  List<Difference> list() {
    FieldComparison comparison = new FieldComparison(stream, options.showValues());
    List<Difference> differences = new ArrayList<>();
    for (Outcome outcome : Outcome.UNEQUAL) {
      int left = options.mostListed() - differences.size();
      for (Key key : stream.keys().keys(outcome, left)) {
        List<FieldDifference> fields =
            outcome == Outcome.DIFFERENT ? fields(key, comparison) : List.of();
        differences.add(new Difference(outcome, comparison.shown(key), fields));
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
}
