package io.posconnect.config;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.apache.kafka.common.config.Config;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.common.config.ConfigValue;

/** One check of a configuration: each setting, its name, then all together, then the service. */
final class Validation {

  private final Map<String, String> given;
  private final Map<String, ConfigValue> values;

  Validation(Map<String, String> given) {
    this.given = given;
    this.values = new LinkedHashMap<>(Settings.definition(given.keySet()).validateAll(given));
  }

  /** Every setting with its value and faults; each next step needs the one before to be clean. */
  Config run(Function<SourceConfig, List<Fault>> local, Function<SourceConfig, List<Fault>> live) {
    report(Names.faults(given.keySet()));
    if (clean()) {
      SourceConfig config = SourceConfig.unchecked(given);
      report(Consistency.faults(config));
      if (clean()) {
        report(local.apply(config));
      }
      if (clean() && config.value(ServiceSettings.VALIDATE_CONNECTION)) {
        report(live.apply(config));
      }
    }
    return new Config(new ArrayList<>(values.values()));
  }

  /**
   * Refuses a configuration with any fault.
   *
   * @throws ConfigException that has all of them
   */
  static void require(SourceConfig config) {
    List<Fault> faults = Names.faults(config.givenNames());
    if (faults.isEmpty()) {
      faults = Consistency.faults(config);
    }
    if (!faults.isEmpty()) {
      throw new ConfigException(faults.stream().map(Fault::text).collect(Collectors.joining("; ")));
    }
  }

  private void report(List<Fault> faults) {
    for (Fault fault : faults) {
      values.computeIfAbsent(fault.setting(), ConfigValue::new).addErrorMessage(fault.text());
    }
  }

  private boolean clean() {
    return values.values().stream().allMatch(value -> value.errorMessages().isEmpty());
  }
}
