package io.posconnect.tool;

import io.posconnect.PosSourceConnector;
import io.posconnect.problem.Problem;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.kafka.common.config.Config;
import org.apache.kafka.common.config.ConfigValue;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Tells what a worker would answer if the configuration were posted, before it is. */
@Command(
    name = "check",
    mixinStandardHelpOptions = true,
    description = {
      "Checks a configuration as the connector itself does when it is posted: every setting, all of"
          + " them together, the schemas, and then the service: the key of each location and the"
          + " cheapest read of each resource."
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  pos-tool check pos.json",
      "  pos-tool check pos.json --offline",
      "  pos-tool check pos.json --set base.url=https://staging.example.com"
    },
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "0:The connector would be accepted.",
      "1:It would be refused; the table says why, and what to do about it.",
      "2:The command line or the configuration cannot be read.",
      "3:The command broke down."
    })
final class Check implements Callable<Integer> {

  /** A message of the catalog: its code, its subject, and the rest. */
  private static final Pattern CODED =
      Pattern.compile("(?<code>POS-\\d{3}) (?<text>.*)", Pattern.DOTALL);

  private static final String PROBE = "validate.connection";

  @Mixin private ConfigOptions options = new ConfigOptions();

  @Option(
      names = "--offline",
      description = "Asks the service nothing, as validate.connection=false does.")
  private boolean offline;

  /** One fault, taken apart. */
  private record Finding(String setting, String code, String message, String remedy) {

    static Finding of(String setting, String told) {
      Matcher coded = CODED.matcher(told);
      if (!coded.matches()) {
        return new Finding(setting, "", told, "");
      }
      String code = coded.group("code");
      String message = without(setting + ": ", coded.group("text"));
      String remedy = remedy(code).filter(ending -> told.endsWith(" " + ending)).orElse("");
      int end = message.length() - (remedy.isEmpty() ? 0 : remedy.length() + 1);
      return new Finding(setting, code, message.substring(0, Math.max(0, end)), remedy);
    }

    private static String without(String beginning, String text) {
      return text.startsWith(beginning) ? text.substring(beginning.length()) : text;
    }

    private static Optional<String> remedy(String code) {
      return Arrays.stream(Problem.values())
          .filter(problem -> problem.code().equals(code))
          .map(Problem::remedy)
          .findFirst();
    }

    List<String> cells() {
      return List.of(setting, code, message, remedy);
    }
  }

  @Override
  public Integer call() {
    ConnectorConfig config = offline ? options.read().with(Map.of(PROBE, "false")) : options.read();
    Config validated = new PosSourceConnector().validate(config.resolved());
    List<Finding> findings = new ArrayList<>();
    for (ConfigValue value : validated.configValues()) {
      value.errorMessages().forEach(told -> findings.add(Finding.of(value.name(), told)));
    }
    Screen screen = options.screen();
    if (findings.isEmpty()) {
      screen.line(
          "false".equals(config.resolved().get(PROBE))
              ? "The configuration is consistent. The service was not asked."
              : "The configuration is consistent, and the service answers as it expects.");
      return Tool.OK;
    }
    screen.wrappedTable(
        List.of(34, 8, 44, 44),
        List.of("SETTING", "CODE", "MESSAGE", "REMEDY"),
        findings.stream().map(Finding::cells).toList());
    return Tool.FOUND;
  }
}
