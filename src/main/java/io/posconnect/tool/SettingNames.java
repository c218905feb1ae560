package io.posconnect.tool;

import io.posconnect.config.SourceConfig;
import io.posconnect.problem.Incident;
import io.posconnect.problem.Problem;
import java.util.Collection;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Finds names that neither the connector nor Kafka Connect has a setting for. A worker accepts
 * them, and a misspelt setting then keeps its default.
 */
final class SettingNames {

  /** What Connect itself reads of a source connector's configuration; a group ends with a point. */
  private static final Set<String> OF_CONNECT =
      Set.of(
          ("name connector.class connector.plugin.version tasks.max tasks.max.enforce"
                  + " key.converter key.converter. value.converter value.converter."
                  + " header.converter header.converter. transforms transforms. predicates"
                  + " predicates. config.action.reload errors.retry.timeout"
                  + " errors.retry.delay.max.ms errors.tolerance errors.log.enable"
                  + " errors.log.include.messages exactly.once.support transaction.boundary"
                  + " transaction.boundary.interval.ms offsets.storage.topic topic.creation."
                  + " producer.override. consumer.override. admin.override.")
              .split(" "));

  private SettingNames() {}

  /** Finds each unknown name, with the nearest one that is known. */
  static Map<String, Incident> unknown(Collection<String> names) {
    Set<String> known = new TreeSet<>(OF_CONNECT);
    known.addAll(SourceConfig.definition(Map.of()).configKeys().keySet());
    Map<String, Incident> unknown = new TreeMap<>();
    for (String name : names) {
      // The connector reports unknown names under resources. and locations. itself.
      if (!known.contains(name)
          && !name.matches("(resources|locations)\\..*")
          && known.stream().noneMatch(group -> group.endsWith(".") && name.startsWith(group))) {
        String detail =
            isOfResource(name)
                ? "is a setting of one resource: write resources.<name>." + name
                : "is not a setting; perhaps %s is meant"
                    .formatted(SourceConfig.nearest(name, known));
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
