package io.posconnect.tool;

import static java.util.Objects.requireNonNullElse;

import com.fasterxml.jackson.core.io.JsonStringEncoder;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.posconnect.Version;
import io.posconnect.config.SourceConfig;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.kafka.connect.data.Field;
import org.apache.kafka.connect.data.Schema;

/**
 * Describes the topics of a configuration as an AsyncAPI 3 document, from the sender's side. What
 * is the same for every topic stands in templates. Its Kafka binding is 0.4.0, since later versions
 * allow no Avro schema for a key.
 */
final class AsyncApi {

  /** A word of a template; in quotes where JSON takes its place. */
  private static final Pattern WORD =
      Pattern.compile(
          "\"(HEADERS|KEY_SCHEMA|VALUE_SCHEMA)\"|CONNECTOR|VERSION|TOPIC|CONTENT|FULL_NAME|NAME");

  /** What a topic holds whose schema does not say it. */
  private static final String EVENTS = "The changes of a resource.";

  private AsyncApi() {}

  /** Returns the document in JSON, which is YAML as well. */
  static String document(SourceConfig config, List<TopicContract> topics) {
    ObjectNode document = ConnectorConfig.JSON.createObjectNode();
    String connector = quoted(config.connectorName());
    add(document, "head", Map.of("CONNECTOR", connector, "VERSION", Version.TEXT));
    for (TopicContract topic : topics) {
      add(document, "topic", words(topic));
      if (topic.connect().tombstones()) {
        add(document, "tombstone", words(topic));
      }
      if (!topic.connect().headers().isEmpty()) {
        add(document, "headers", words(topic));
      }
    }
    return document.toPrettyString() + "\n";
  }

  /** Adds a template to the document, with other texts in place of its words. */
  private static void add(ObjectNode document, String template, Map<String, String> words) {
    String part =
        WORD.matcher(Tool.resource("asyncapi-" + template + ".json"))
            .replaceAll(word -> Matcher.quoteReplacement(words.getOrDefault(word.group(), "")));
    try {
      ConnectorConfig.JSON.readerForUpdating(document).readValue(part);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String quoted(String text) {
    return String.valueOf(JsonStringEncoder.getInstance().quoteAsString(text));
  }

  private static Map<String, String> words(TopicContract topic) {
    return Map.of(
        "TOPIC", topic.connect().topic(),
        "CONTENT", quoted(requireNonNullElse(topic.value().getProp("connect.doc"), EVENTS)),
        "FULL_NAME", topic.value().getFullName(),
        "NAME", topic.value().getName(),
        "\"HEADERS\"", headers(topic),
        "\"KEY_SCHEMA\"", topic.key().toString(),
        "\"VALUE_SCHEMA\"", topic.value().toString());
  }

  /** Headers are not Avro: the worker's header converter writes them, by default as text. */
  private static String headers(TopicContract topic) {
    ObjectNode headers = ConnectorConfig.JSON.createObjectNode();
    for (Field header : topic.connect().headers()) {
      boolean isNumber = header.schema().type() == Schema.Type.INT64;
      headers.putObject(header.name()).put("type", isNumber ? "integer" : "string");
    }
    return headers.toString();
  }
}
