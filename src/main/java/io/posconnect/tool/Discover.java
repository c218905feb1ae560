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
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.apache.avro.SchemaFormatter;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * Samples what the service sends, and proposes a schema and a configuration that type all of it.
 */
@Command(
    name = "discover",
    header = "Proposes a schema and a configuration from sampled rows.",
    description = {
      "Reads some rows of each resource, the newest first where the service can filter by time, and"
          + " proposes the Avro schema that types every field of them, with the configuration that"
          + " uses it.",
      "",
      "For each field you see the type that fits every value, how often it is filled, examples with"
          + " their letters and digits masked, and why no better type fits. Declared fields keep"
          + " their name and type. Objects, arrays and fields that are always null become"
          + " json. A fixed parameter that changes nothing is reported: for each one the beginning of"
          + " the rows is read twice more.",
      "",
      "Run it again, on later data, on the configuration that it has proposed: it reports what would"
          + " change, and readers of either schema understand both (FULL_TRANSITIVE)."
    },
    footer = {
      "  pos-tool discover pos.json",
      "  pos-tool discover pos.json --resource products --rows 20000 --requests 50",
      "  pos-tool discover pos.json --out typed",
      "      writes the schemas and typed/pos.json",
      "  pos-tool discover typed/pos.json",
      "      a month later: reports what has changed",
      "  pos-tool discover pos.json --share 0.1",
      "      leaves most of the limit to a connector with the same key"
    })
final class Discover implements Callable<Integer> {

  private static final int DEFAULT_LOCATIONS = 3;

  @Mixin private ConfigOptions options = new ConfigOptions();

  @Mixin private StreamOptions selection = new StreamOptions();

  @Option(
      names = "--rows",
      paramLabel = "N",
      defaultValue = "5000",
      description = "Most rows of a resource at a location. Default: ${DEFAULT-VALUE}")
  private int rows;

  @Option(
      names = "--requests",
      paramLabel = "N",
      defaultValue = "10",
      description = "Most requests for a resource at a location. Default: ${DEFAULT-VALUE}")
  private int requests;

  @Option(
      names = "--seconds",
      paramLabel = "N",
      defaultValue = "60",
      description = "Most seconds for a resource at a location. Default: ${DEFAULT-VALUE}")
  private int seconds;

  @Option(
      names = "--out",
      paramLabel = "DIR",
      description = "Writes a schema for each resource, and the configuration, into this folder.")
  private @Nullable Path out;

  @Override
  public Integer call() {
    ConnectorConfig given = options.read();
    SourceConfig config = UnknownKey.in(selection.limited(given)).source();
    Map<String, List<Stream>> streams =
        selection.of(config, DEFAULT_LOCATIONS).stream()
            .collect(groupingBy(Stream::resource, LinkedHashMap::new, toList()));
    // Otherwise minutes of reading could be for nothing.
    Optional.ofNullable(out).ifPresent(Tool::prepare);
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
    boolean isClean = findings.stream().allMatch(Discovered::isClean);
    return (isClean ? ExitCode.OK : ExitCode.FOUND).number;
  }

  private void propose(ConnectorConfig given, List<Discovered> findings) {
    Map<String, String> settings = new HashMap<>();
    Map<String, String> files = new LinkedHashMap<>();
    for (Discovered finding : findings) {
      if (finding.hasContract()) {
        settings.putAll(finding.settings());
        files.put(
            finding.profile().resource.name() + ".avsc",
            SchemaFormatter.format("json/pretty", finding.contract().record()) + "\n");
      }
    }
    ConnectorConfig proposed = given.with(options.references).with(settings);
    String configuration = proposed.name().orElse("connector") + ".json";
    files.put(configuration, proposed.json());
    DiscoveryReport.conclude(findings, proposed.openSecrets(), options.screen());
    write(files, configuration);
  }

  private void write(Map<String, String> files, String configuration) {
    Screen screen = options.screen();
    Path folder = out;
    files.forEach(
        (name, text) ->
            screen.document(
                folder == null
                    ? name + ":\n" + text
                    : "Written: " + Tool.write(folder, name, text)));
    screen.line(
        folder == null
            ? "Next: run the command again with --out DIR to write these files, then check them:"
            : "Next: check the configuration, then post it to Connect:");
    screen.document(
        "  pos-tool check "
            + Tool.word(Tool.file(folder == null ? Path.of("DIR") : folder, configuration)));
  }
}
