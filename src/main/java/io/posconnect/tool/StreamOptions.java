package io.posconnect.tool;

import io.posconnect.config.SourceConfig;
import io.posconnect.resource.Stream;
import io.posconnect.tool.Tool.UnreadableException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import picocli.CommandLine.Option;

/** Selects streams of a configuration. */
final class StreamOptions {

  @Option(
      names = "--resource",
      split = ",",
      paramLabel = "NAME",
      description = "Only these resources. Default: all that are configured")
  private List<String> resources = new ArrayList<>();

  @Option(
      names = "--location",
      split = ",",
      paramLabel = "NAME",
      description = "Only these locations. Default: all that are configured")
  private List<String> locations = new ArrayList<>();

  /**
   * The streams, sorted.
   *
   * @throws UnreadableException that names what the configuration does not have
   */
  List<Stream> of(SourceConfig config) {
    refuse("--location", locations, config.locations());
    refuse(
        "--resource",
        resources,
        config.streams().stream().map(Stream::resource).distinct().toList());
    return config.streams().stream()
        .filter(each -> locations.isEmpty() || locations.contains(each.location()))
        .filter(each -> resources.isEmpty() || resources.contains(each.resource()))
        .toList();
  }

  /** Refuses names that the configuration does not have. */
  static void refuse(String option, Iterable<String> wanted, Collection<String> known) {
    for (String name : wanted) {
      if (!known.contains(name)) {
        throw new UnreadableException(
            "%s %s: the configuration has %s".formatted(option, name, String.join(", ", known)));
      }
    }
  }
}
