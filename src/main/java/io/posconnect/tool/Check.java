package io.posconnect.tool;

import io.posconnect.PosSourceConnector;
import io.posconnect.config.SourceConfig;
import io.posconnect.problem.Incident;
import io.posconnect.problem.Problem;
import io.posconnect.problem.Text;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Validates a configuration as a worker does, before it is posted. */
@Command(name = "check")
final class Check implements Callable<Integer> {

  private static final String PROBE = "validate.connection";

  @Mixin private ConfigOptions options = new ConfigOptions();

  @Option(names = "--offline")
  private boolean offline;

  @Override
  public Integer call() {
    ConnectorConfig config = offline ? options.read().with(Map.of(PROBE, "false")) : options.read();
    Map<String, List<String>> faults = new TreeMap<>();
    Map<String, String> known = new TreeMap<>(config.resolved());
    SourceConfig.overlooked(known)
        .forEach(fault -> faults.put(fault.subject(), List.of(fault.toString())));
    known.keySet().removeAll(faults.keySet());
    config
        .name()
        .filter(around -> !around.strip().equals(known.get("name")))
        .map(around -> "must be the name around the settings: " + around)
        .ifPresent(detail -> faults.put("name", List.of(Problem.CONTRADICTION.at("name", detail))));
    List<Incident> untried = new ArrayList<>();
    new PosSourceConnector()
        .validate(known, untried::add).configValues().stream()
            .filter(value -> !value.errorMessages().isEmpty())
            .forEach(value -> faults.put(value.name(), value.errorMessages()));
    print(faults, untried);
    if (faults.isEmpty()) {
      print(faults, SourceConfig.unchecked(known).idleTopicGroups());
      long failed =
          untried.stream().filter(met -> met.problem() != Problem.PRIVATE_FIELD_ABSENT).count();
      options.screen().line(conclusion("false".equals(known.get(PROBE)), failed));
    }
    return (faults.isEmpty() ? ExitCode.OK : ExitCode.FOUND).number;
  }

  private void print(Map<String, List<String>> faults, List<Incident> warnings) {
    Screen screen = options.screen();
    faults.forEach(
        (setting, messages) -> {
          screen.line(setting);
          messages.forEach(screen::indented);
          screen.line("");
        });
    if (!faults.isEmpty()) {
      screen.line(
          "Do not post this configuration: %s."
              .formatted(
                  Text.count(faults.values().stream().mapToLong(List::size).sum(), "fault")));
      screen.line("Correct and check again: some checks run only when all others pass.");
    }
    warnings.forEach(incident -> screen.line(incident.toString()));
  }

  private static String conclusion(boolean offline, long failed) {
    if (offline) {
      return "The configuration is consistent. No request was sent to the service.";
    }
    return failed == 0
        ? "The configuration is consistent, and the service answers as it expects."
        : "The configuration is consistent and would be accepted, but %s failed (see above)."
            .formatted(Text.count(failed, "request"));
  }
}
