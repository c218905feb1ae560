package io.posconnect.tool;

import io.posconnect.change.ContentHash;
import io.posconnect.json.JsonText;
import io.posconnect.json.Row;
import io.posconnect.resource.Key;
import io.posconnect.tool.AuditedKeys.Outcome;
import io.posconnect.tool.StreamResult.Difference;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/** Lists the first differences of a stream: the key, and the names of the fields that differ. */
record Differences(AuditedStream stream, TopicRecords records) {

  private static final ContentHash HASH = new ContentHash(Set.of());

  List<Difference> first(int most) {
    List<Difference> differences = new ArrayList<>();
    for (Outcome outcome : Outcome.UNEQUAL) {
      for (Key key : stream.keys.keys(outcome, most - differences.size())) {
        List<String> fields = outcome == Outcome.DIFFERENT ? fields(key) : List.of();
        differences.add(new Difference(outcome, shown(key), fields));
      }
    }
    return differences;
  }

  /** Empty where the row was not kept, or its record was removed meanwhile. */
  private List<String> fields(Key key) {
    return stream
        .keys
        .row(key)
        .flatMap(row -> records.row(stream, key).map(old -> fields(old, row)))
        .orElse(List.of());
  }

  private List<String> fields(Row topic, Row service) {
    Set<String> names = new LinkedHashSet<>(topic.names().list());
    service.names().list().stream().filter(name -> topic.find(name) < 0).forEach(names::add);
    return names.stream()
        .filter(name -> !stream.ignores(name) && hash(topic, name) != hash(service, name))
        .toList();
  }

  /** Null is as good as absent. */
  private static long hash(Row row, String name) {
    int field = row.find(name);
    return field < 0 || row.kind(field) == Row.Kind.NULL ? -1 : HASH.of(Row.parse(row.text(field)));
  }

  /** A key; its parts that look personal are masked. */
  private static String shown(Key key) {
    if (key.isNumber()) {
      return key.toString();
    }
    return JsonText.of(Row.parse(key.text())).items().stream()
        .map(
            part ->
                PersonalFields.isPersonal(part)
                    ? Observation.masked(part, Observation.of(part))
                    : part.value())
        .collect(Collectors.joining(", ", "[", "]"));
  }
}
