package io.posconnect.tool;

import io.posconnect.config.SourceConfig;
import io.posconnect.location.ClientFactory;
import io.posconnect.resource.StartFrom;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Compares the topics of a connector with the service. */
@Command(name = "audit")
final class Audit implements Callable<Integer> {

  @Mixin private ConfigOptions options = new ConfigOptions();

  @Mixin private StreamOptions selection = new StreamOptions();

  @Mixin private ClusterOptions brokers = new ClusterOptions();

  @Option(names = "--since", paramLabel = "TIME")
  private Optional<String> since = Optional.empty();

  @Option(names = "--wait", paramLabel = "SECONDS", defaultValue = "120")
  private int wait;

  @Option(names = "--keys", paramLabel = "N", defaultValue = "20")
  private int keys;

  @Option(names = "--connect", paramLabel = "URL", defaultValue = "http://localhost:8083")
  private URI connect = URI.create("");

  @ArgGroup private Form form = new Form();

  /** At most one. */
  private static final class Form {

    @Option(names = "--json")
    private boolean json;

    @Option(names = "--prometheus")
    private boolean prometheus;
  }

  @Override
  public Integer call() {
    ConnectorConfig given = selection.limited(options.read());
    SourceConfig config = given.source();
    ClusterOptions.Cluster cluster = brokers.read(given.resolved(), options.screen());
    RecordDecoder decoder = new RecordDecoder(new SchemaRegistry(cluster.registry())::byId);
    ClientFactory clients = ClientFactory.sharing();
    Screen screen = options.screen();
    List<StreamResult> results;
    try (TopicSource topics = new KafkaTopics(cluster.kafka())) {
      results =
          new Auditor(
                  config,
                  topics,
                  decoder,
                  new Checkpoints(config, topics, decoder),
                  each -> new StreamReader(config, clients, config.resource(each), each, screen),
                  asked())
              .audit(selection.of(config, Integer.MAX_VALUE));
    }
    Optional<Mend> mend = Mend.of(results, given, connect);
    if (form.json) {
      screen.document(new AuditJson(results, mend, Instant.now()).text());
    } else if (form.prometheus) {
      screen.document(new AuditMetrics(results, Instant.now()).text());
    } else {
      new AuditReport(results, mend).print(screen);
    }
    return Verdict.of(results.stream().map(StreamResult::verdict)).exit.number;
  }

  private Auditor.Options asked() {
    if (wait < 0 || keys < 0) {
      throw ExitCode.UNREADABLE.because("Give --wait and --keys of 0 or more.");
    }
    return new Auditor.Options(since.map(Audit::instant), Duration.ofSeconds(wait), keys);
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
