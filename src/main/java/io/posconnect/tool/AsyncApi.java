package io.posconnect.tool;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.posconnect.Version;
import io.posconnect.config.SourceConfig;
import io.posconnect.tool.TopicContract.Kind;
import java.util.List;
import org.apache.avro.Schema;

/**
 * Describes the topics of a configuration as an AsyncAPI 3 document: from the connector's side,
 * which sends.
 */
final class AsyncApi {

  private static final String AVRO = "application/vnd.apache.avro+json;version=1.9.0";

  /** Later ones take no Avro schema for a key. */
  private static final String BINDING = "0.4.0";

  private AsyncApi() {}

  /** The document in JSON, which every reader of YAML reads as well. */
  static String document(SourceConfig config, List<TopicContract> topics) {
    ObjectNode document = object().put("asyncapi", "3.0.0");
    document.set("info", info(config));
    document.put("defaultContentType", "avro/binary");
    ObjectNode channels = document.putObject("channels");
    ObjectNode operations = document.putObject("operations");
    ObjectNode messages = object();
    for (TopicContract topic : topics) {
      channels.set(topic.name(), channel(topic, messages));
      operations
          .putObject("send." + topic.name())
          .put("action", "send")
          .put("summary", topic.kind().description())
          .set("channel", reference("#/channels/" + topic.name()));
    }
    document.putObject("components").set("messages", messages);
    return document.toPrettyString() + "\n";
  }

  private static ObjectNode info(SourceConfig config) {
    return object()
        .put("title", config.connectorName())
        .put("version", Version.TEXT)
        .put(
            "description",
            "Every change at the till as one event: what the connector "
                + config.connectorName()
                + " writes. Keys and values are Avro behind a schema's id, as converters of"
                + " registries write it. Read with isolation.level=read_committed.");
  }

  private static ObjectNode channel(TopicContract topic, ObjectNode messages) {
    ObjectNode channel =
        object().put("address", topic.name()).put("description", topic.kind().description());
    ObjectNode of = channel.putObject("messages");
    String record = topic.name() + ".record";
    messages.set(record, message(topic));
    of.set("record", reference("#/components/messages/" + record));
    if (topic.records().stream().anyMatch(example -> example.value().isNull())) {
      String tombstone = topic.name() + ".tombstone";
      messages.set(tombstone, tombstone(topic));
      of.set("tombstone", reference("#/components/messages/" + tombstone));
    }
    channel
        .putObject("bindings")
        .putObject("kafka")
        .put("topic", topic.name())
        .put("bindingVersion", BINDING);
    return channel;
  }

  private static ObjectNode message(TopicContract topic) {
    ObjectNode message =
        object()
            .put("name", topic.value().getFullName())
            .put("title", topic.value().getName())
            .put("summary", topic.kind().description())
            .put("contentType", "avro/binary");
    addHeaders(message, topic);
    message
        .putObject("payload")
        .put("schemaFormat", AVRO)
        .set("schema", json(topic.value().toString()));
    addBinding(message, topic.key());
    ArrayNode examples = message.putArray("examples");
    for (ExampleRecord record : topic.records()) {
      if (!record.value().isNull()) {
        examples.add(example(record));
      }
    }
    return message;
  }

  private static ObjectNode tombstone(TopicContract topic) {
    ObjectNode message =
        object()
            .put("name", "Tombstone")
            .put("title", "Tombstone")
            .put("summary", "The row of this key is gone; compaction forgets it.");
    message.putObject("payload").put("type", "null");
    addBinding(message, topic.key());
    return message;
  }

  private static ObjectNode example(ExampleRecord record) {
    ObjectNode example = object().put("name", record.name());
    example.put("summary", "key: " + record.key());
    if (!record.headers().isEmpty()) {
      example.set("headers", record.headers());
    }
    example.set("payload", record.value());
    return example;
  }

  /** Headers are not Avro: the worker's header converter writes them, as text unless told else. */
  private static void addHeaders(ObjectNode message, TopicContract topic) {
    if (topic.kind() != Kind.EVENTS || topic.records().isEmpty()) {
      return;
    }
    ObjectNode known = topic.records().get(0).headers();
    if (known.isEmpty()) {
      return;
    }
    ObjectNode headers = message.putObject("headers").put("type", "object");
    ObjectNode properties = headers.putObject("properties");
    known
        .properties()
        .forEach(
            header ->
                properties
                    .putObject(header.getKey())
                    .put("type", header.getValue().isNumber() ? "integer" : "string"));
  }

  private static void addBinding(ObjectNode message, Schema key) {
    ObjectNode kafka = message.putObject("bindings").putObject("kafka");
    kafka.set("key", json(key.toString()));
    kafka.put("schemaIdLocation", "payload");
    kafka.put("schemaIdPayloadEncoding", "confluent");
    kafka.put("schemaLookupStrategy", "TopicIdStrategy");
    kafka.put("bindingVersion", BINDING);
  }

  private static ObjectNode reference(String to) {
    return object().put("$ref", to);
  }

  private static ObjectNode object() {
    return ConnectorConfig.JSON.createObjectNode();
  }

  private static JsonNode json(String text) {
    try {
      return ConnectorConfig.JSON.readTree(text);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("a schema is JSON", e);
    }
  }
}
