package io.posconnect.tool;

import io.posconnect.config.SourceConfig;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Gives the commands about a connector the options that all of them share. */
final class ConfigOptions {

  static final String VERBOSE = "--verbose";

  @Parameters(paramLabel = "FILE", descriptionKey = "file")
  private Path file = Path.of("");

  @Option(names = "--set", paramLabel = "SETTING=VALUE")
  private Map<String, String> overrides = new LinkedHashMap<>();

  // The tool looks for it itself, before the first class logs.
  @SuppressWarnings("UnusedVariable")
  @Option(names = VERBOSE)
  private boolean verbose;

  /** The references of the file that was read in place of which the command line has values. */
  final Map<String, String> references = new HashMap<>();

  @Spec(Spec.Target.MIXEE)
  private CommandSpec command = CommandSpec.create();

  private Map<String, String> overrides() {
    if (overrides.keySet().stream().anyMatch(String::isBlank)) {
      throw ExitCode.UNREADABLE.because("Give --set the name of a setting: --set SETTING=VALUE");
    }
    return overrides;
  }

  /** Returns whether that is the file of the configuration, and has secrets in clear. */
  boolean hasSecretsIn(Path other) {
    try {
      return Files.isSameFile(file, other) && !ConnectorConfig.read(file).openSecrets().isEmpty();
    } catch (IOException e) {
      return false; // there is no other yet
    }
  }

  Screen screen() {
    return Tool.screen(command);
  }

  /**
   * Reads the configuration for what does not depend on the service: other values stand in for its
   * address and its keys, so that references to them need not be resolved.
   *
   * @throws EndedException that states why there is none
   */
  ConnectorConfig readWithoutService() {
    ConnectorConfig config = ConnectorConfig.read(file).with(overrides());
    return new ConnectorConfig(config.around(), SourceConfig.withoutService(config.given()));
  }

  /**
   * Reads the configuration, and hides every secret that it holds from the screen.
   *
   * @throws EndedException that states why there is none
   */
  ConnectorConfig read() {
    ConnectorConfig stored = ConnectorConfig.read(file);
    ConnectorConfig config = stored.with(overrides());
    stored.given().forEach(this::keepReference);
    screen().hide(config.secrets());
    List<String> plain = config.openSecrets().stream().filter(overrides::containsKey).toList();
    if (!plain.isEmpty()) {
      screen()
          .error(
              ("Warning: the command line shows the secret of %s to other users and to the shell's"
                      + " history. Give a reference: --set %s='${env:POS_KEY}'")
                  .formatted(String.join(", ", plain), plain.get(0)));
    }
    return config;
  }

  private void keepReference(String setting, String value) {
    if (!overrides.getOrDefault(setting, "").isEmpty() && !References.in(value).isEmpty()) {
      references.put(setting, value);
    }
  }
}
