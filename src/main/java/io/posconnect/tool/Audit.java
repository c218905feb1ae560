package io.posconnect.tool;

import io.posconnect.config.SourceConfig;
import io.posconnect.location.ClientFactory;
import io.posconnect.resource.StartFrom;
import io.posconnect.resource.Stream;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Compares the topics of a connector with the service. */
@Command(
    name = "audit",
    header = "Compares the topics with the service, row by row.",
    description = {
      "Reads the topics of the configured resources and the present rows of the service, within its"
          + " limits, and ends with a verdict for each stream: equal, never told, not due yet, not"
          + " decided, or different; with the time through which the topic is verified, and the"
          + " command that mends what is lost.",
      "",
      "What is not equal is asked again, after the connector had the time to read it, before it is"
          + " called a difference."
    },
    footer = {
      "  pos-tool audit pos.json --bootstrap localhost:9092 \\",
      "    --registry http://localhost:8081",
      "  pos-tool audit pos.json --client client.properties --json",
      "      with bootstrap.servers, security.protocol, schema.registry.url, ...",
      "  pos-tool audit pos.json --client client.properties --since P7D \\",
      "    --resource register-transactions --share 0.1",
      "      reads a week, and leaves most of the limit to the connector"
    })
final class Audit implements Callable<Integer> {

  @Mixin private ConfigOptions options = new ConfigOptions();

  @Mixin private StreamOptions selection = new StreamOptions();

  @Mixin private ClusterOptions brokers = new ClusterOptions();

  @Option(
      names = "--since",
      paramLabel = "TIME",
      description =
          "Where date ranges begin: an instant, or a duration back from now such as P7D. Then no"
              + " key of them is a phantom. Default: where the connector began")
  private @Nullable String since;

  @Option(
      names = "--wait",
      paramLabel = "SECONDS",
      defaultValue = "120",
      description =
          "Longest wait for the connector to read what is not equal. Default: ${DEFAULT-VALUE}")
  private int wait;

  @Option(
      names = "--keys",
      paramLabel = "N",
      defaultValue = "20",
      description = "Most keys that are listed of a stream. Default: ${DEFAULT-VALUE}")
  private int keys;

  @Option(
      names = "--connect",
      paramLabel = "URL",
      defaultValue = "http://localhost:8083",
      description = "A worker, for the command that mends. Default: ${DEFAULT-VALUE}")
  private URI connect = URI.create("");

  @ArgGroup private Form form = new Form();

  /** At most one. */
  private static final class Form {

    @Option(names = "--json", description = "Prints the result as JSON.")
    private boolean json;

    @Option(names = "--prometheus", description = "Prints the result as metrics for Prometheus.")
    private boolean prometheus;
  }

  @Override
  public Integer call() {
    ConnectorConfig given = selection.limited(options.read());
    SourceConfig config = given.source();
    ClusterOptions.Cluster cluster = brokers.read(given.resolved(), options.screen());
    RecordDecoder decoder = new RecordDecoder(new SchemaRegistry(cluster.registry())::byId);
    List<StreamResult> results;
    try (TopicSource topics = new KafkaTopics(cluster.kafka())) {
      results =
          new Auditor(
                  config,
                  topics,
                  decoder,
                  new Checkpoints(config, topics, decoder),
                  readers(config),
                  asked())
              .audit(selection.of(config, Integer.MAX_VALUE));
    }
    Optional<Mend> mend = Mend.of(results, config, given, connect);
    if (form.json) {
      options.screen().document(new AuditJson(results, mend, Instant.now()).text());
    } else if (form.prometheus) {
      options.screen().document(new AuditMetrics(results, Instant.now()).text());
    } else {
      new AuditReport(results, mend).print(options.screen());
    }
    return results.stream()
        .map(StreamResult::verdict)
        .max(Comparator.naturalOrder())
        .orElse(Verdict.EQUAL)
        .exit
        .number;
  }

  private Function<Stream, StreamReader> readers(SourceConfig config) {
    ClientFactory clients = ClientFactory.sharing();
    return stream ->
        new StreamReader(config, clients, config.resource(stream), stream, options.screen());
  }

  private Auditor.Options asked() {
    if (wait < 0 || keys < 0) {
      throw ExitCode.UNREADABLE.because("Give --wait and --keys of 0 or more.");
    }
    return new Auditor.Options(
        Optional.ofNullable(since).map(Audit::instant), Duration.ofSeconds(wait), keys);
  }

  private static Instant instant(String text) {
    Instant now = Instant.now();
    try {
      StartFrom.check(text, now);
      return StartFrom.of(text).resolve(now);
    } catch (IllegalArgumentException e) {
      throw ExitCode.UNREADABLE.because("--since " + e.getMessage());
    }
  }
}
