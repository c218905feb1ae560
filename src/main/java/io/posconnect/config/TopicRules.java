package io.posconnect.config;

import io.posconnect.config.SourceConfig.Topics;
import io.posconnect.problem.Problem;
import io.posconnect.resource.Stream;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * Refuses topics whose names are illegal, that two kinds of records would share, or that somebody
 * else lives on: the worker, the brokers, the registry. A connector cannot ask for the names of its
 * worker's own topics; what it knows of them is how they are usually called, and the one that its
 * own configuration may name.
 */
final class TopicRules {

  /** Kafka's own, the registry's, and a worker's as every manual calls them. */
  private static final Pattern TAKEN =
      Pattern.compile("__.*|_schemas|(.*[_-])?connect([_-].*)?[_-](offsets?|configs?|status(es)?)");

  /** A setting of the worker's that a connector may override. */
  private static final String OFFSETS_TOPIC = "offsets.storage.topic";

  private final List<Fault> faults = new ArrayList<>();

  // By name with dots as underscores: a broker refuses two that differ only in those.
  private final Map<String, String> purposes = new HashMap<>();

  private TopicRules() {}

  /** Every fault of the topics of a configuration that is consistent otherwise. */
  static List<Fault> faults(SourceConfig config) {
    TopicRules rules = new TopicRules();
    String offsets = config.given().getOrDefault(OFFSETS_TOPIC, "").trim();
    if (!offsets.isEmpty()) {
      rules.purposes.put(comparable(offsets), "the connector's offsets");
    }
    Topics topics = config.topics();
    for (Stream stream : config.streams()) {
      String purpose = "resource " + stream.resource();
      rules.claim(RecordSettings.TOPIC_TEMPLATE, topics.of(stream), purpose);
    }
    rules.claim(RecordSettings.CHECKPOINTS_TOPIC, topics.checkpoints(), "checkpoints");
    rules.claim(RecordSettings.STATUS_TOPIC, topics.status(), "the streams' states");
    rules.claim(RecordSettings.DEAD_LETTERS_TOPIC, topics.deadLetters(), "broken rows");
    return rules.faults;
  }

  private void claim(Setting<?> setting, String topic, String purpose) {
    if (!Validators.topicName(topic)) {
      refuse(setting, "leads to topic " + topic + ", which is not " + Validators.TOPIC_DEMAND);
      return;
    }
    if (TAKEN.matcher(topic.toLowerCase(Locale.ROOT)).matches()) {
      refuse(
          setting,
          "gives %s the topic %s, as Kafka, Connect or a registry calls one of its own"
              .formatted(purpose, topic));
      return;
    }
    String other = purposes.putIfAbsent(comparable(topic), purpose);
    if (other != null && !other.equals(purpose)) {
      refuse(
          setting,
          "gives %s and %s the same topic, %s (a dot counts as _)"
              .formatted(purpose, other, topic));
    }
  }

  private void refuse(Setting<?> setting, String detail) {
    Fault fault = Fault.of(Problem.TOPIC_NAME, setting.name(), detail);
    if (!faults.contains(fault)) {
      faults.add(fault);
    }
  }

  private static String comparable(String topic) {
    return topic.replace('.', '_');
  }
}
