package io.posconnect.tool;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.posconnect.Version;
import io.posconnect.config.SourceConfig;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import org.apache.kafka.connect.data.Field;
import org.apache.kafka.connect.data.Schema;

/**
 * Describes the topics of a configuration as an AsyncAPI 3 document, from the sender's side. What
 * is the same for every topic stands in a template. Its Kafka binding is 0.4.0, since later
 * versions allow no Avro schema for a key.
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
      String template = Tool.resource("asyncapi-topic.json");
      for (TopicContract topic : topics) {
        ConnectorConfig.JSON.readerForUpdating(document).readValue(filled(template, topic));
        complete(document, topic);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return document.toPrettyString() + "\n";
  }

  private static String filled(String template, TopicContract topic) {
    return template
        .replace("TOPIC", topic.name())
        .replace("CONTENT", topic.kind().description())
        .replace("FULL_NAME", topic.value().getFullName())
        .replace("NAME", topic.value().getName())
        .replace("\"KEY_SCHEMA\"", topic.key().toString())
        .replace("\"VALUE_SCHEMA\"", topic.value().toString());
  }

  private static void complete(ObjectNode document, TopicContract topic) {
    ObjectNode messages = document.withObject("/components/messages");
    addHeaders(messages.withObjectProperty(topic.name() + ".record"), topic);
    if (!topic.tombstones()) {
      messages.remove(topic.name() + ".tombstone");
      document
          .withObjectProperty("channels")
          .withObjectProperty(topic.name())
          .withObjectProperty("messages")
          .remove("tombstone");
    }
  }

  /** Headers are not Avro: the worker's header converter writes them, by default as text. */
  private static void addHeaders(ObjectNode message, TopicContract topic) {
    if (!topic.headers().isEmpty()) {
      ObjectNode headers = message.putObject("headers").put("type", "object");
      ObjectNode properties = headers.putObject("properties");
      for (Field header : topic.headers()) {
        boolean isNumber = header.schema().type() == Schema.Type.INT64;
        properties.putObject(header.name()).put("type", isNumber ? "integer" : "string");
      }
    }
  }
}
