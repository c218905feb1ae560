package io.posconnect.config;

import io.posconnect.problem.Incident;
import io.posconnect.problem.Problem;
import io.posconnect.problem.Text;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.apache.kafka.common.config.Config;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.common.config.ConfigValue;

/** Checks a configuration: each value, each name, the rules between settings, then the service. */
final class Validation {

  private final Map<String, String> given;
  private final Map<String, ConfigValue> values = new LinkedHashMap<>();

  Validation(Map<String, String> given) {
    this.given = given;
    Settings.definition(given.keySet())
        .validateAll(given)
        .forEach(
            (name, value) -> {
              // Kafka's messages become problems of the catalog.
              value.errorMessages().replaceAll(message -> fault(name, message).toString());
              values.put(name, value);
            });
  }

  /**
   * Every setting with its value and faults. The rules between settings need well-typed values, and
   * the service is called only for a configuration without a fault.
   */
  Config run(
      Function<SourceConfig, List<Incident>> local, Function<SourceConfig, List<Incident>> live) {
    if (!isClean()) {
      report(Settings.misplaced(given.keySet()));
    } else {
      SourceConfig config = SourceConfig.unchecked(given);
      report(ConfigRules.faults(config));
      if (isClean()) {
        report(local.apply(config));
      }
      if (isClean() && config.value(ServiceSettings.VALIDATE_CONNECTION)) {
        report(live.apply(config));
      }
    }
    return new Config(new ArrayList<>(values.values()));
  }

  private void report(List<Incident> faults) {
    faults.forEach(this::report);
  }

  void report(Incident fault) {
    values.computeIfAbsent(fault.subject(), ConfigValue::new).addErrorMessage(fault.toString());
  }

  private boolean isClean() {
    return messages().isEmpty();
  }

  private List<String> messages() {
    return values.values().stream().flatMap(value -> value.errorMessages().stream()).toList();
  }

  /**
   * Returns the same settings if each value is well-formed.
   *
   * @throws ConfigException that has every fault
   */
  static Map<String, String> wellTyped(Map<String, String> given) {
    refuse(new Validation(given).messages());
    return given;
  }

  /**
   * Refuses a configuration that has a fault.
   *
   * @throws ConfigException that has all of them
   */
  static void refuse(List<?> faults) {
    if (!faults.isEmpty()) {
      throw new ConfigException(
          faults.stream().map(Object::toString).collect(Collectors.joining("\n")));
    }
  }

  private Incident fault(String name, String message) {
    String value = given.get(name);
    if (value == null) {
      return Problem.MISSING_SETTING.incident(name);
    }
    String detail = message.replace(" for configuration " + name + ":", ":");
    boolean unresolved = Text.hasReference(value) && !detail.contains("reference");
    return Problem.INVALID_VALUE.incident(
        name,
        Character.toLowerCase(detail.charAt(0))
            + detail.substring(1)
            + (unresolved ? "; it holds a reference to which this worker finds nothing" : ""));
  }
}
