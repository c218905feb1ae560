package io.posconnect.tool;

import io.posconnect.config.SourceConfig;
import io.posconnect.resource.Stream;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import picocli.CommandLine.Option;

/** Selects the streams of a configuration that are read, and the part of the limit to use. */
final class StreamOptions {

  @Option(names = "--resource", split = ",", paramLabel = "NAME")
  private List<String> resources = new ArrayList<>();

  @Option(names = "--location", split = ",", paramLabel = "NAME")
  private List<String> locations = new ArrayList<>();

  @Option(names = "--share", paramLabel = "X")
  private Optional<Double> share = Optional.empty();

  /**
   * The streams, sorted.
   *
   * @param mostLocations so many of the first are read where none is named
   * @throws EndedException that names what the configuration does not have
   */
  List<Stream> of(SourceConfig config, int mostLocations) {
    refuse("--location", locations, config.locations());
    refuse(
        "--resource",
        resources,
        config.streams().stream().map(Stream::resource).distinct().toList());
    List<String> read =
        locations.isEmpty() ? config.locations().stream().limit(mostLocations).toList() : locations;
    List<Stream> streams =
        config.streams().stream()
            .filter(each -> read.contains(each.location()))
            .filter(each -> resources.isEmpty() || resources.contains(each.resource()))
            .toList();
    if (streams.isEmpty()) {
      throw ExitCode.UNREADABLE.because(
          "--location %s: it has none of --resource %s"
              .formatted(String.join(", ", read), String.join(", ", resources)));
    }
    return streams;
  }

  private static void refuse(String option, List<String> wanted, Collection<String> known) {
    for (String name : wanted) {
      if (!known.contains(name)) {
        throw ExitCode.UNREADABLE.because(
            "%s %s: the configuration has %s".formatted(option, name, String.join(", ", known)));
      }
    }
  }

  /** The configuration with the part of the limit that is to be used. */
  ConnectorConfig limited(ConnectorConfig given) {
    if (share.filter(part -> !(part > 0 && part <= 1)).isPresent()) {
      throw ExitCode.UNREADABLE.because("Give --share above 0 and up to 1.");
    }
    return share.map(part -> given.with(Map.of("rate.limit.share", part.toString()))).orElse(given);
  }
}
