package io.posconnect.tool;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * Writes the results of an audit as JSON, for programs. The names of fields are those of the
 * records that are written.
 *
 * @param now when the audit ended
 */
record AuditJson(List<StreamResult> results, Optional<Mend> mend, Instant now) {

  String text() {
    ObjectNode report = ConnectorConfig.JSON.createObjectNode().put("at", now.toString());
    ArrayNode streams = report.putArray("streams");
    results.forEach(result -> streams.add(of(result)));
    mend.ifPresent(found -> report.put("mend", found.command()));
    return report.toPrettyString();
  }

  private static ObjectNode of(StreamResult result) {
    ObjectNode json = ConnectorConfig.JSON.createObjectNode();
    json.put("location", result.stream().location());
    json.put("resource", result.stream().resource());
    json.put("topic", result.topic());
    json.put("verdict", result.verdict().toString());
    result.verifiedThrough().ifPresent(time -> json.put("verifiedThrough", time.toString()));
    json.set("findings", ConnectorConfig.JSON.valueToTree(result.findings()));
    json.set("keys", ConnectorConfig.JSON.valueToTree(result.counts()));
    result
        .numbers()
        .ifPresent(numbers -> json.set("events", ConnectorConfig.JSON.valueToTree(numbers)));
    json.set("differences", ConnectorConfig.JSON.valueToTree(result.differences()));
    return json.put("leftOut", result.leftOut());
  }
}
