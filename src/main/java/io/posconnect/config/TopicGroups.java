package io.posconnect.config;

import io.posconnect.problem.Incident;
import io.posconnect.problem.Problem;
import io.posconnect.record.Topics;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.PatternSyntaxException;

/** The groups of Connect's {@code topic.creation}, which decide how a topic is made. */
final class TopicGroups {

  private TopicGroups() {}

  /**
   * Finds those whose pattern matches no topic, such as one with a former prefix: nothing else
   * shows it before the default has removed rows of a state topic. Where each stream's topic is in
   * a group, an idle one is for resources that are not read.
   */
  static List<Incident> idle(SourceConfig config) {
    Topics topics = config.topics();
    List<String> ofRows = config.streams().stream().map(topics::of).distinct().toList();
    Map<String, String> groups = new TreeMap<>(config.given());
    groups.keySet().removeIf(setting -> !setting.matches("topic\\.creation\\..+\\.include"));
    if (config.given().containsKey("transforms")
        || ofRows.stream()
            .allMatch(topic -> groups.values().stream().anyMatch(each -> matches(topic, each)))) {
      return List.of();
    }
    List<String> all = new ArrayList<>(ofRows);
    all.addAll(List.of(topics.checkpoints(), topics.status(), topics.deadLetters()));
    groups.values().removeIf(each -> all.stream().anyMatch(topic -> matches(topic, each)));
    return groups.keySet().stream().map(Problem.TOPIC_GROUP_IDLE::incident).toList();
  }

  /** As a worker joins patterns at their commas, also within brackets. */
  private static boolean matches(String topic, String patterns) {
    try {
      return topic.matches(patterns.strip().replaceAll("\\s*,\\s*", "|"));
    } catch (PatternSyntaxException e) {
      return false; // A worker refuses it.
    }
  }
}
