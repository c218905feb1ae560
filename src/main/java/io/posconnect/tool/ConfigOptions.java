package io.posconnect.tool;

import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Takes what every command needs from the command line: which configuration, and how to print. */
final class ConfigOptions {

  static final String VERBOSE = "--verbose";

  @Parameters(
      paramLabel = "FILE",
      description = {
        "The connector's configuration: the JSON that is posted to Connect, with or without its"
            + " name around it, or properties."
      })
  private Path file = Path.of("");

  @Option(
      names = "--set",
      paramLabel = "SETTING=VALUE",
      description = {
        "Sets or replaces a setting. Give a secret as a reference, in single quotes:"
            + " --set api.key='$${env:POS_KEY}'. An empty value removes the setting."
      })
  private Map<String, String> overrides = new LinkedHashMap<>();

  @Option(
      names = VERBOSE,
      description = "Tells more of what goes on, and where a command broke down.")
  private boolean verbose;

  @Spec(Spec.Target.MIXEE)
  private CommandSpec command = CommandSpec.create();

  Screen screen() {
    return Tool.screen(command);
  }

  boolean verbose() {
    return verbose;
  }

  /**
   * The configuration as far as it does not depend on the service; no secret is read.
   *
   * @throws Tool.UnreadableException that says why there is none
   */
  ConnectorConfig readWithoutService() {
    return ConnectorConfig.withoutService(file, overrides);
  }

  /**
   * The configuration, with every secret that it holds hidden from the screen.
   *
   * @throws Tool.UnreadableException that says why there is none
   */
  ConnectorConfig read() {
    ConnectorConfig config = ConnectorConfig.read(file, overrides);
    screen().hide(config.secrets());
    return config;
  }
}
