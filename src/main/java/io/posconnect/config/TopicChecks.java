package io.posconnect.config;

import io.posconnect.resource.Stream;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Whether each topic has a legal name and one purpose. */
final class TopicChecks {

  private final List<Fault> faults = new ArrayList<>();

  /** Purpose by name, with dots as underscores: a broker refuses two that differ only in those. */
  private final Map<String, String> purposes = new HashMap<>();

  private TopicChecks() {}

  static List<Fault> faults(SourceConfig config) {
    TopicChecks checks = new TopicChecks();
    Topics topics = config.topics();
    for (Stream stream : config.streams()) {
      checks.claim(
          RecordSettings.TOPIC_TEMPLATE, topics.of(stream), "resource " + stream.resource());
    }
    checks.claim(RecordSettings.CHECKPOINTS_TOPIC, topics.checkpoints(), "checkpoints");
    checks.claim(RecordSettings.DEAD_LETTERS_TOPIC, topics.deadLetters(), "broken rows");
    return checks.faults;
  }

  private void claim(Setting<?> setting, String topic, String purpose) {
    if (!Check.topicName(topic)) {
      faults.add(
          new Fault(
              setting.name(),
              "leads to topic %s, which is no legal name; it must be %s"
                  .formatted(topic, Check.TOPIC.demand())));
      return;
    }
    String other = purposes.putIfAbsent(topic.replace('.', '_'), purpose);
    if (other != null && !other.equals(purpose)) {
      faults.add(
          new Fault(
              setting.name(),
              "gives %s and %s the same topic, %s (a dot counts as _); choose another name"
                  .formatted(purpose, other, topic)));
    }
  }
}
