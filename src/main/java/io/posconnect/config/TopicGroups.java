package io.posconnect.config;

import static java.util.function.Predicate.not;

import io.posconnect.problem.Incident;
import io.posconnect.problem.Problem;
import io.posconnect.record.Topics;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;
import java.util.stream.Stream;

/** The groups of Connect's {@code topic.creation}, which decide how a topic is made. */
final class TopicGroups {

  private static final String PREFIX = "topic.creation";
  private static final String INCLUDE = ".include";

  private TopicGroups() {}

  /**
   * Finds those that no topic is in, such as one whose pattern has a former prefix: nothing else
   * shows it before the default has removed rows of a state topic. Where each stream's topic is in
   * a group, an idle one is for resources that are not read.
   */
  static List<Incident> idle(SourceConfig config) {
    Map<String, Predicate<String>> groups = new TreeMap<>();
    config.given().keySet().stream()
        .filter(setting -> setting.startsWith(PREFIX + ".") && setting.endsWith(INCLUDE))
        // A worker ignores it: the default has each topic that is left.
        .filter(setting -> !setting.equals(PREFIX + ".default" + INCLUDE))
        .forEach(setting -> groups.put(setting, topics(config.given(), setting)));
    if (groups.isEmpty() || config.given().containsKey("transforms")) {
      return List.of();
    }
    Topics topics = config.topics();
    List<String> ofRows = config.streams().stream().map(topics::of).distinct().toList();
    if (ofRows.stream().allMatch(topic -> groups.values().stream().anyMatch(g -> g.test(topic)))) {
      return List.of();
    }
    List<String> all = new ArrayList<>(ofRows);
    all.addAll(List.of(topics.checkpoints(), topics.status(), topics.deadLetters()));
    groups.values().removeIf(group -> all.stream().anyMatch(group));
    return groups.keySet().stream().map(Problem.TOPIC_GROUP_IDLE::incident).toList();
  }

  /** A worker passes over a group that topic.creation.groups does not list. */
  private static Predicate<String> topics(Map<String, String> given, String include) {
    String group = include.substring(PREFIX.length(), include.length() - INCLUDE.length());
    String listed = given.getOrDefault(PREFIX + ".groups", "");
    return Stream.of(listed.strip().split("\\s*,\\s*")).map("."::concat).anyMatch(group::equals)
        ? topics(given.getOrDefault(include, ""))
            .and(not(topics(given.getOrDefault(PREFIX + group + ".exclude", ""))))
        : topic -> false;
  }

  /** As a worker joins patterns at their commas, also within brackets. */
  private static Predicate<String> topics(String patterns) {
    try {
      return Pattern.compile(patterns.strip().replaceAll("\\s*,\\s*", "|")).asMatchPredicate();
    } catch (PatternSyntaxException e) {
      return topic -> false; // A worker refuses it.
    }
  }
}
