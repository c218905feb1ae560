package io.posconnect.tool;

import io.posconnect.config.SourceConfig;
import io.posconnect.problem.Incident;
import io.posconnect.problem.Problem;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Finds names that neither the connector nor Kafka Connect has a setting for. A worker accepts
 * them, and a misspelt setting then keeps its default.
 */
final class SettingNames {

  /** What Connect itself reads of the configuration of a source connector. */
  private static final Set<String> OF_CONNECT =
      Set.of(
          "name",
          "connector.class",
          "connector.plugin.version",
          "tasks.max",
          "tasks.max.enforce",
          "key.converter",
          "value.converter",
          "header.converter",
          "transforms",
          "predicates",
          "config.action.reload",
          "errors.retry.timeout",
          "errors.retry.delay.max.ms",
          "errors.tolerance",
          "errors.log.enable",
          "errors.log.include.messages",
          "exactly.once.support",
          "transaction.boundary",
          "transaction.boundary.interval.ms",
          "offsets.storage.topic");

  private static final List<String> PREFIXES_OF_CONNECT =
      List.of(
          "key.converter.",
          "value.converter.",
          "header.converter.",
          "transforms.",
          "predicates.",
          "topic.creation.",
          "producer.override.",
          "consumer.override.",
          "admin.override.");

  /** The connector reports unknown names of these itself. */
  private static final List<String> OF_CONNECTOR = List.of("resources.", "locations.");

  private SettingNames() {}

  /** Finds each unknown name, with the nearest one that is known. */
  static Map<String, Incident> unknown(Collection<String> names) {
    Set<String> known = new TreeSet<>(OF_CONNECT);
    known.addAll(SourceConfig.definition(Map.of()).configKeys().keySet());
    Map<String, Incident> unknown = new TreeMap<>();
    for (String name : names) {
      if (!known.contains(name)
          && PREFIXES_OF_CONNECT.stream().noneMatch(name::startsWith)
          && OF_CONNECTOR.stream().noneMatch(name::startsWith)) {
        String detail =
            isOfResource(name)
                ? "is a setting of one resource: write resources.<name>." + name
                : "is no setting; perhaps %s is meant".formatted(SourceConfig.nearest(name, known));
        unknown.put(name, Problem.UNKNOWN_SETTING.incident(name, detail));
      }
    }
    return unknown;
  }

  private static boolean isOfResource(String name) {
    String scoped = "resources.any." + name;
    return SourceConfig.definition(Map.of(scoped, "")).configKeys().containsKey(scoped);
  }
}
