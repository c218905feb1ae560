package io.posconnect.tool;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.posconnect.tool.AuditedKeys.Outcome;
import io.posconnect.tool.StreamResult.Difference;
import io.posconnect.tool.StreamResult.Verdict;
import java.time.Instant;
import java.util.List;

/**
 * Writes the results of an audit as JSON, for programs.
 *
 * @param now when the audit ended
 */
record AuditJson(List<StreamResult> results, Instant now) {

  String text() {
    ObjectNode report = ConnectorConfig.JSON.createObjectNode();
    report.put("equal", results.stream().allMatch(each -> each.verdict() == Verdict.EQUAL));
    report.put("at", now.toString());
    ArrayNode streams = report.putArray("streams");
    results.forEach(result -> streams.add(of(result)));
    return report.toPrettyString();
  }

  private static ObjectNode of(StreamResult result) {
    ObjectNode json = ConnectorConfig.JSON.createObjectNode();
    json.put("location", result.stream().location());
    json.put("resource", result.stream().resource());
    json.put("topic", result.topic());
    json.put("topicExists", result.hasTopic());
    json.put("verdict", AuditReport.name(result.verdict()));
    result
        .incident()
        .ifPresent(incident -> json.put("incident", incident.code() + " " + incident.observed()));
    if (result.verdict() != Verdict.UNREAD) {
      addKeys(result, json);
    }
    result
        .progress()
        .ifPresent(
            progress -> {
              json.put("completeTo", progress.completeTo().toString());
              progress.fullTo().ifPresent(full -> json.put("readWholeTo", full.toString()));
            });
    result.numbers().ifPresent(numbers -> json.set("events", of(numbers)));
    ArrayNode differences = json.putArray("differences");
    result.differences().forEach(difference -> differences.add(of(difference)));
    json.put("leftOut", result.leftOut());
    return json;
  }

  private static void addKeys(StreamResult result, ObjectNode json) {
    ObjectNode keys = json.putObject("keys");
    for (Outcome outcome : Outcome.values()) {
      if (outcome != Outcome.PHANTOM || result.absence()) {
        keys.put(AuditReport.name(outcome), result.count(outcome));
      }
    }
    json.put("undecodableRecords", result.undecodable());
    json.put("rowsWithoutKey", result.unreadable());
  }

  private static ObjectNode of(EventNumbers.Verdict numbers) {
    ObjectNode json = ConnectorConfig.JSON.createObjectNode();
    json.put("upTo", numbers.upTo());
    json.put("missing", numbers.lost());
    json.put("cleaned", numbers.cleaned());
    ArrayNode ranges = json.putArray("missingRanges");
    numbers.ranges().forEach(range -> ranges.addArray().add(range.from()).add(range.to()));
    return json;
  }

  private static ObjectNode of(Difference difference) {
    ObjectNode json = ConnectorConfig.JSON.createObjectNode();
    json.put("kind", AuditReport.name(difference.outcome()));
    json.put("key", difference.key());
    difference.age().atMost().ifPresent(time -> json.put("atMostSeconds", time.toSeconds()));
    json.put("readSince", difference.age().readSince());
    ArrayNode fields = json.putArray("fields");
    difference
        .fields()
        .forEach(
            field ->
                fields
                    .addObject()
                    .put("name", field.name())
                    .put("topic", field.topic())
                    .put("service", field.service()));
    json.put("moreFields", difference.moreFields());
    return json;
  }
}
