package io.posconnect.config;

import io.posconnect.problem.Problem;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.apache.kafka.common.config.Config;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.common.config.ConfigValue;

/** Checks a configuration: each setting, its name, then all together, then the service. */
final class Validation {

  private final Map<String, String> given;
  private final Map<String, ConfigValue> values = new LinkedHashMap<>();

  Validation(Map<String, String> given) {
    this.given = given;
    Settings.definition(given.keySet())
        .validateAll(given)
        .forEach((name, value) -> values.put(name, coded(value)));
  }

  /** Every setting with its value and faults; each next step needs the one before to be clean. */
  Config run(Function<SourceConfig, List<Fault>> local, Function<SourceConfig, List<Fault>> live) {
    report(Settings.unknown(given.keySet()));
    if (clean()) {
      SourceConfig config = SourceConfig.unchecked(given);
      report(ConfigRules.faults(config));
      if (clean()) {
        report(local.apply(config));
      }
      if (clean() && config.value(ServiceSettings.VALIDATE_CONNECTION)) {
        report(live.apply(config));
      }
    }
    return new Config(new ArrayList<>(values.values()));
  }

  private void report(List<Fault> faults) {
    for (Fault fault : faults) {
      values.computeIfAbsent(fault.setting(), ConfigValue::new).addErrorMessage(fault.message());
    }
  }

  private boolean clean() {
    return messages().isEmpty();
  }

  private List<String> messages() {
    return values.values().stream().flatMap(value -> value.errorMessages().stream()).toList();
  }

  /**
   * The same settings, if each has a value that it can take.
   *
   * @throws ConfigException that has every fault
   */
  static Map<String, String> wellTyped(Map<String, String> given) {
    refuse(new Validation(given).messages());
    return given;
  }

  /**
   * Refuses a well-typed configuration with any fault that can be found without the service.
   *
   * @throws ConfigException that has every fault
   */
  static void require(SourceConfig config) {
    List<Fault> unknown = Settings.unknown(config.given().keySet());
    List<Fault> faults = unknown.isEmpty() ? ConfigRules.faults(config) : unknown;
    refuse(faults.stream().map(Fault::message).toList());
  }

  private static void refuse(List<String> messages) {
    if (!messages.isEmpty()) {
      throw new ConfigException(String.join("\n", messages));
    }
  }

  private static ConfigValue coded(ConfigValue value) {
    List<String> messages = new ArrayList<>();
    value.errorMessages().forEach(message -> messages.add(coded(value.name(), message)));
    ConfigValue coded =
        new ConfigValue(value.name(), value.value(), value.recommendedValues(), messages);
    coded.visible(value.visible());
    return coded;
  }

  /** Kafka's message under a problem of the catalog. */
  private static String coded(String name, String message) {
    if (message.startsWith("Missing required configuration")) {
      return Problem.MISSING_SETTING.at(name);
    }
    String detail = message.replace(" for configuration " + name + ":", ":");
    return Problem.INVALID_VALUE.at(
        name, Character.toLowerCase(detail.charAt(0)) + detail.substring(1));
  }
}
