package io.posconnect.tool;

import io.posconnect.tool.DiscoveryReport.Finding;
import io.posconnect.tool.Tool.UnreadableException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Hands the proposed schemas and the configuration over: on the screen, or as files. */
final class ProposedFiles {

  private final Screen screen;
  private final ConnectorConfig config;
  private final Optional<Path> folder;

  /**
   * @param folder where to write; empty to print
   */
  ProposedFiles(Screen screen, ConnectorConfig config, Optional<Path> folder) {
    this.screen = screen;
    this.config = config;
    this.folder = folder;
  }

  void write(List<Finding> findings) {
    Map<String, String> settings = new HashMap<>();
    for (Finding finding : findings) {
      if (finding.hasProposal()) {
        settings.putAll(finding.settings());
        file(
            finding.resource().name() + ".avsc",
            "Schema of " + finding.resource().name(),
            ConnectorConfig.pretty(finding.proposal().contract().toString()));
      }
    }
    ConnectorConfig proposed = config.with(settings);
    file(config.name().orElse("connector") + ".json", "Configuration", proposed.json());
    if (!config.openSecrets().isEmpty()) {
      screen.line(
          "The secrets of %s stood in the file itself and are not repeated: put them where the"
                  .formatted(String.join(", ", config.openSecrets()))
              + " references lead.");
    }
  }

  private void file(String name, String title, String text) {
    if (folder.isEmpty()) {
      screen.line(title + ":");
      screen.line();
      screen.document(text);
      screen.line();
      return;
    }
    // The name of a connector or resource is no path.
    Path file = folder.get().resolve(name.replaceAll("[^A-Za-z0-9._-]", "_"));
    try {
      Files.createDirectories(folder.get());
      Files.writeString(file, text);
    } catch (IOException e) {
      throw new UnreadableException(
          "--out " + file + " cannot be written: " + e.getClass().getSimpleName());
    }
    screen.line(title + " written to " + file);
  }
}
