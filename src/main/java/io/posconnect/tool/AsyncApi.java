package io.posconnect.tool;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.posconnect.Version;
import io.posconnect.config.SourceConfig;
import java.util.List;
import org.apache.avro.Schema;

/** Describes the topics of a configuration as an AsyncAPI 3 document, from the sender's side. */
final class AsyncApi {

  private static final String AVRO = "application/vnd.apache.avro+json;version=1.9.0";

  /** Later versions of the binding allow no Avro schema for a key. */
  private static final String BINDING = "0.4.0";

  private final ObjectNode document = ConnectorConfig.JSON.createObjectNode();

  private AsyncApi() {}

  /** Returns the document in JSON, which is YAML as well. */
  static String document(SourceConfig config, List<TopicContract> topics) {
    AsyncApi api = new AsyncApi();
    api.document.put("asyncapi", "3.0.0");
    api.document
        .putObject("info")
        .put("title", config.connectorName())
        .put("version", Version.TEXT)
        .put(
            "description",
            "Every change at the till as one event, written by the connector "
                + config.connectorName()
                + ". Keys and values are Avro after a schema id, as the converters of registries"
                + " write them. Read with isolation.level=read_committed.");
    api.document.put("defaultContentType", "avro/binary");
    topics.forEach(api::addChannel);
    topics.forEach(api::addOperation);
    topics.forEach(api::addMessages);
    return api.document.toPrettyString() + "\n";
  }

  private void addChannel(TopicContract topic) {
    ObjectNode channel =
        document
            .withObjectProperty("channels")
            .putObject(topic.name())
            .put("address", topic.name())
            .put("description", topic.kind().description());
    ObjectNode messages = channel.putObject("messages");
    messages.putObject("record").put("$ref", message(topic, "record"));
    if (topic.hasTombstones()) {
      messages.putObject("tombstone").put("$ref", message(topic, "tombstone"));
    }
    ObjectNode binding = channel.putObject("bindings").putObject("kafka");
    binding.put("topic", topic.name()).put("bindingVersion", BINDING);
  }

  private static String message(TopicContract topic, String kind) {
    return "#/components/messages/" + topic.name() + "." + kind;
  }

  private void addOperation(TopicContract topic) {
    document
        .withObjectProperty("operations")
        .putObject("send." + topic.name())
        .put("action", "send")
        .put("summary", topic.kind().description())
        .putObject("channel")
        .put("$ref", "#/channels/" + topic.name());
  }

  private void addMessages(TopicContract topic) {
    ObjectNode messages = document.withObjectProperty("components").withObjectProperty("messages");
    ObjectNode message =
        messages
            .putObject(topic.name() + ".record")
            .put("name", topic.value().getFullName())
            .put("title", topic.value().getName())
            .put("summary", topic.kind().description())
            .put("contentType", "avro/binary");
    addHeaders(message, topic);
    ObjectNode payload = message.putObject("payload").put("schemaFormat", AVRO);
    payload.set("schema", ConnectorConfig.tree(topic.value().toString()));
    addBinding(message, topic.key());
    ArrayNode examples = message.putArray("examples");
    topic.records().stream()
        .filter(record -> !record.isTombstone())
        .forEach(record -> addExample(examples, record));
    if (topic.hasTombstones()) {
      ObjectNode tombstone =
          messages
              .putObject(topic.name() + ".tombstone")
              .put("name", "Tombstone")
              .put("title", "Tombstone")
              .put("summary", "The row of this key is gone; compaction removes its events.");
      tombstone.putObject("payload").put("type", "null");
      addBinding(tombstone, topic.key());
    }
  }

  private static void addExample(ArrayNode examples, ExampleRecord record) {
    ObjectNode example = examples.addObject().put("name", record.name());
    example.put("summary", "key: " + record.key());
    if (!record.headers().isEmpty()) {
      example.set("headers", record.headers());
    }
    example.set("payload", record.value());
  }

  /** Headers are not Avro: the worker's header converter writes them, by default as text. */
  private static void addHeaders(ObjectNode message, TopicContract topic) {
    topic.records().stream()
        .limit(1)
        .flatMap(record -> record.headers().properties().stream())
        .forEach(
            header ->
                message
                    .withObjectProperty("headers")
                    .put("type", "object")
                    .withObjectProperty("properties")
                    .putObject(header.getKey())
                    .put("type", header.getValue().isNumber() ? "integer" : "string"));
  }

  private static void addBinding(ObjectNode message, Schema key) {
    ObjectNode kafka = message.putObject("bindings").putObject("kafka");
    kafka.set("key", ConnectorConfig.tree(key.toString()));
    kafka
        .put("schemaIdLocation", "payload")
        .put("schemaIdPayloadEncoding", "confluent")
        .put("schemaLookupStrategy", "TopicIdStrategy")
        .put("bindingVersion", BINDING);
  }
}
