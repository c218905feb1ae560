package io.posconnect.tool;

import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.util.RawValue;
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
    return names.stream().filter(name -> hash(topic, name) != hash(service, name)).toList();
  }

  /** The hash of a row that has no other field. */
  private long hash(Row row, String name) {
    ObjectNode alone = ConnectorConfig.JSON.createObjectNode();
    if (row.find(name) >= 0) {
      alone.putRawValue(name, new RawValue(row.text(row.find(name))));
    }
    return stream.hash.of(Row.parse(alone.toString()));
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
