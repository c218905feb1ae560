package io.posconnect.tool;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.posconnect.Version;
import io.posconnect.config.SourceConfig;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.apache.kafka.connect.data.Schema;

/**
 * Describes the topics of a configuration as an AsyncAPI 3 document, from the sender's side. What
 * is the same for every topic stands in templates. Its Kafka binding is 0.4.0, since later versions
 * allow no Avro schema for a key.
 */
final class AsyncApi {

  private AsyncApi() {}

  /** Returns the document in JSON, which is YAML as well. */
  static String document(SourceConfig config, List<TopicContract> topics) {
    ObjectNode document = ConnectorConfig.JSON.createObjectNode().put("asyncapi", "3.0.0");
    document
        .putObject("info")
        .put("title", config.connectorName())
        .put("version", Version.TEXT)
        .put(
            "description",
            "Every change at the till as one event, written by the connector "
                + config.connectorName()
                + ". Keys and values are Avro after a schema id, as the converters of registries"
                + " write them. Read with isolation.level=read_committed.");
    document.put("defaultContentType", "avro/binary");
    try {
      for (TopicContract topic : topics) {
        for (String part : parts(topic)) {
          ConnectorConfig.JSON.readerForUpdating(document).readValue(filled(part, topic));
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return document.toPrettyString() + "\n";
  }

  private static List<String> parts(TopicContract topic) {
    List<String> parts = new ArrayList<>(List.of("topic"));
    if (topic.tombstones()) {
      parts.add("tombstone");
    }
    if (!topic.headers().isEmpty()) {
      parts.add("headers");
    }
    return parts;
  }

  private static String filled(String part, TopicContract topic) {
    return Tool.resource("asyncapi-" + part + ".json")
        .replace("TOPIC", topic.name())
        .replace("\"HEADERS\"", headers(topic))
        .replace("CONTENT", topic.kind().description())
        .replace("FULL_NAME", topic.value().getFullName())
        .replace("NAME", topic.value().getName())
        .replace("\"KEY_SCHEMA\"", topic.key().toString())
        .replace("\"VALUE_SCHEMA\"", topic.value().toString());
  }

  /** Headers are not Avro: the worker's header converter writes them, by default as text. */
  private static String headers(TopicContract topic) {
    return topic.headers().stream()
        .map(
            header ->
                "\"%s\":{\"type\":\"%s\"}"
                    .formatted(
                        header.name(),
                        header.schema().type() == Schema.Type.INT64 ? "integer" : "string"))
        .collect(Collectors.joining(",", "{", "}"));
  }
}
