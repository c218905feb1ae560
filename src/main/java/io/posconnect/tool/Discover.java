package io.posconnect.tool;

import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.toList;

import io.posconnect.config.SourceConfig;
import io.posconnect.location.ClientFactory;
import io.posconnect.resource.Stream;
import io.posconnect.tool.Sampler.Limits;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.apache.avro.SchemaFormatter;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * Samples what the service sends, and proposes a schema and a configuration that type all of it.
 */
@Command(name = "discover")
final class Discover implements Callable<Integer> {

  private static final int DEFAULT_LOCATIONS = 3;

  @Mixin private ConfigOptions options = new ConfigOptions();

  @Mixin private StreamOptions selection = new StreamOptions();

  @Option(names = "--rows", paramLabel = "N", defaultValue = "5000")
  private int rows;

  @Option(names = "--requests", paramLabel = "N", defaultValue = "10")
  private int requests;

  @Option(names = "--seconds", paramLabel = "N", defaultValue = "60")
  private int seconds;

  @Option(names = "--out", paramLabel = "DIR")
  private Optional<Path> out = Optional.empty();

  @Override
  public Integer call() {
    ConnectorConfig given = options.read();
    ConnectorConfig limited = selection.limited(given);
    SourceConfig config = limited.with(SourceConfig.keysToFind(limited.given())).source();
    Map<String, List<Stream>> streams =
        selection.of(config, DEFAULT_LOCATIONS).stream()
            .collect(groupingBy(Stream::resource, LinkedHashMap::new, toList()));
    // Otherwise minutes of reading could be for nothing.
    out.ifPresent(Tool::prepare);
    // The proposal has references to secrets: it must not replace the only file that has these.
    if (out.filter(each -> options.hasSecretsIn(Tool.file(each, fileName(given)))).isPresent()) {
      throw ExitCode.UNREADABLE.because(
          "--out %s would replace the only file that has your secrets by one with references to them. Name another folder."
              .formatted(out.get()));
    }
    Limits limits = new Limits(rows, requests, Duration.ofSeconds(seconds));
    List<Discovered> findings = new ArrayList<>();
    Sampler sampler = new Sampler(config, limits, options.screen(), ClientFactory.sharing());
    for (List<Stream> resource : streams.values()) {
      ResourceProfile profile = new ResourceProfile(config, resource.get(0));
      Discovered finding =
          profile.conclude(resource.stream().map(each -> sampler.sample(each, profile)).toList());
      findings.add(finding);
      new DiscoveryReport(finding, options.screen())
          .print(resource.stream().flatMap(each -> sampler.idleParameters(each).stream()).toList());
    }
    propose(given, findings);
    return (findings.stream().allMatch(Discovered::isClean) ? ExitCode.OK : ExitCode.FOUND).number;
  }

  private static String fileName(ConnectorConfig config) {
    return config.name().orElse("connector") + ".json";
  }

  private void propose(ConnectorConfig given, List<Discovered> findings) {
    ConnectorConfig proposed = given.with(options.references);
    Map<String, String> files = new LinkedHashMap<>();
    for (Discovered finding : findings) {
      if (finding.hasContract()) {
        proposed = proposed.with(finding.settings());
        files.put(
            finding.profile().resource.name() + ".avsc",
            SchemaFormatter.format("json/pretty", finding.contract().record()) + "\n");
      }
    }
    String configuration = fileName(proposed);
    files.put(configuration, proposed.json());
    DiscoveryReport.conclude(findings, proposed.openSecrets(), options.screen());
    write(files, configuration);
  }

  private void write(Map<String, String> files, String configuration) {
    Screen screen = options.screen();
    files.forEach(
        (name, text) ->
            screen.document(
                out.map(folder -> "Written: " + Tool.write(folder, name, text))
                    .orElse(name + ":\n" + text)));
    screen.line(
        out.isEmpty()
            ? "Next: run the command again with --out DIR to write these files, then check them:"
            : "Next: check the configuration, then post it to Connect:");
    screen.document(
        "  pos-tool check " + Tool.word(Tool.file(out.orElse(Path.of("DIR")), configuration)));
  }
}
