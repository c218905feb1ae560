package io.posconnect.tool;

import io.posconnect.config.SourceConfig;
import io.posconnect.resource.Stream;
import io.posconnect.tool.DiscoveryReport.Finding;
import io.posconnect.tool.Sampler.Limits;
import io.posconnect.tool.Sampler.Sample;
import io.posconnect.tool.Tool.UnreadableException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * Looks at what the service sends, and proposes a schema and a configuration that type all of it.
 */
@Command(
    name = "discover",
    mixinStandardHelpOptions = true,
    description = {
      "Reads some rows of each resource, the newest first where the service can tell, and proposes"
          + " the Avro schema that types every field of them, with the configuration that uses it.",
      "",
      "Of each field you see the type that fits every value, how often it is filled, examples with"
          + " their letters and digits masked, and what stood in the way of a better type. Fields"
          + " that are declared already keep their name and type. Records, arrays and what is"
          + " always null become json. The proposal is then tried on the rows themselves.",
      "",
      "Run it again on later data: it says what would change, and whether readers of both schemas"
          + " understand both (FULL_TRANSITIVE)."
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  pos-tool discover pos.json",
      "  pos-tool discover pos.json --resource products --rows 20000 --requests 50",
      "  pos-tool discover pos.json --out typed             writes typed/pos.json and the schemas",
      "  pos-tool discover pos.json --compare typed/pos.json    a month later: what has changed?",
      "  pos-tool discover pos.json --share 0.1             beside a connector that uses the key"
    },
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "0:Every resource was read, and the proposal types every field of the rows.",
      "1:A resource could not be read, or has a conflict that the proposal cannot solve.",
      "2:The command line or the configuration cannot be read.",
      "3:The command broke down."
    })
final class Discover implements Callable<Integer> {

  private static final int DEFAULT_LOCATIONS = 3;

  @Mixin private ConfigOptions options = new ConfigOptions();

  @Option(
      names = "--resource",
      split = ",",
      paramLabel = "NAME",
      description = "Only these resources; all that are configured unless given.")
  private List<String> resources = new ArrayList<>();

  @Option(
      names = "--location",
      split = ",",
      paramLabel = "NAME",
      description = "Only these locations; the first " + DEFAULT_LOCATIONS + " unless given.")
  private List<String> locations = new ArrayList<>();

  @Option(
      names = "--rows",
      paramLabel = "N",
      defaultValue = "5000",
      description = "Most rows of a resource at a location. Default: $${DEFAULT-VALUE}")
  private int rows;

  @Option(
      names = "--requests",
      paramLabel = "N",
      defaultValue = "10",
      description = "Most requests for a resource at a location. Default: $${DEFAULT-VALUE}")
  private int requests;

  @Option(
      names = "--share",
      paramLabel = "X",
      description =
          "Share of the service's limit to use, up to 1; rate.limit.share unless given. Lower it"
              + " beside a connector that uses the same key.")
  private @Nullable Double share;

  @Option(names = "--micros", description = "Makes times that need it timestamp-micros, not text.")
  private boolean micros;

  @Option(
      names = "--type-keys",
      description =
          "Types the keys of resources that have no schema yet. Only for a connector that has not"
              + " run: keys that change their type are other keys.")
  private boolean typeKeys;

  @Option(
      names = "--out",
      paramLabel = "DIR",
      description = "Writes a schema for each resource and the configuration into this folder.")
  private @Nullable Path out;

  @Option(
      names = "--compare",
      paramLabel = "FILE",
      description =
          "Begins with the schemas of this earlier configuration, or of one .avsc for the one"
              + " --resource, and says what would change.")
  private @Nullable Path compare;

  @Override
  public Integer call() {
    Contracts contracts = Contracts.of(options.read(), Optional.ofNullable(compare), resources);
    SourceConfig config = contracts.config().source();
    Screen screen = options.screen();
    Map<String, List<Stream>> streams = streams(config);
    Limits limits =
        new Limits(
            positive("--rows", rows),
            positive("--requests", requests),
            share == null ? config.rateLimitShare() : fraction(share));
    List<Finding> findings = new ArrayList<>();
    try (Progress progress = new Progress(screen, Progress.onTerminal());
        Sampler sampler = new Sampler(config, limits, progress)) {
      for (Map.Entry<String, List<Stream>> resource : streams.entrySet()) {
        Discovery discovery = contracts.discovery(config, resource.getKey(), micros, typeKeys);
        List<Sample> samples = new ArrayList<>();
        for (Stream stream : resource.getValue()) {
          progress.begin(stream.id(), limits.rows());
          samples.add(
              sampler.sample(
                  stream,
                  (row, fetch, different) ->
                      discovery.profile().add(stream, row, fetch, different)));
        }
        progress.pause();
        Finding finding = discovery.conclude(samples);
        findings.add(finding);
        new DiscoveryReport(screen).print(finding);
      }
    }
    new ProposedFiles(screen, contracts.config(), Optional.ofNullable(out)).write(findings);
    return findings.stream().allMatch(Finding::isClean) ? Tool.OK : Tool.FOUND;
  }

  /** What is to be read of each resource, in the order in which people think of them. */
  private Map<String, List<Stream>> streams(SourceConfig config) {
    Set<String> wanted =
        new LinkedHashSet<>(
            locations.isEmpty()
                ? config.locations().stream().limit(DEFAULT_LOCATIONS).toList()
                : locations);
    refuse("--location", wanted, config.locations());
    Set<String> known = new LinkedHashSet<>();
    Map<String, List<Stream>> streams = new LinkedHashMap<>();
    for (Stream stream : config.streams()) {
      known.add(stream.resource());
      if (wanted.contains(stream.location())
          && (resources.isEmpty() || resources.contains(stream.resource()))) {
        streams.computeIfAbsent(stream.resource(), r -> new ArrayList<>()).add(stream);
      }
    }
    refuse("--resource", resources, known);
    return streams;
  }

  private static void refuse(String option, Iterable<String> wanted, Collection<String> known) {
    for (String name : wanted) {
      if (!known.contains(name)) {
        throw new UnreadableException(
            "%s %s: the configuration has %s".formatted(option, name, String.join(", ", known)));
      }
    }
  }

  private static int positive(String option, int value) {
    if (value < 1) {
      throw new UnreadableException(option + " " + value + ": give a number above 0");
    }
    return value;
  }

  private static double fraction(double value) {
    if (!(value > 0 && value <= 1)) {
      throw new UnreadableException("--share " + value + ": give a number above 0 and up to 1");
    }
    return value;
  }
}
