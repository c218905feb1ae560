package io.posconnect.tool;

import io.posconnect.config.SourceConfig;
import io.posconnect.location.ClientFactory;
import io.posconnect.resource.Stream;
import io.posconnect.simulator.Endpoint;
import io.posconnect.simulator.Endpoint.Style;
import io.posconnect.simulator.SimulatedLocation;
import io.posconnect.simulator.Simulator;
import io.posconnect.tool.MemoryTopics.Form;
import io.posconnect.tool.StreamResult.Finding;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AutoClose;

/** An audit below Kafka: topics in memory, and a simulated service that has things. */
abstract class SimulatedAudit {

  static final String KEY = "a-key-that-is-never-shown";
  static final Stream THINGS = new Stream("default", "things");

  // Its clock stands still: on a slow machine an audit would otherwise read later than checkpoints
  // of a moment ago vouch for.
  @AutoClose
  final Simulator service =
      Simulator.builder()
          .clock(InstantSource.fixed(Instant.now()))
          .unlimited()
          .endpoint(new Endpoint("/things", "things", Style.FULL, Optional.empty(), 1_000_000))
          .endpoint(new Endpoint("/paged", "things", Style.PAGES, Optional.empty(), 1_000_000))
          .start();

  final SimulatedLocation location = service.location(KEY);
  final Map<String, String> settings = new TreeMap<>();
  MemoryTopics topics = new MemoryTopics(Form.AVRO);
  Stream stream = THINGS;
  Optional<Instant> since = Optional.empty();
  Duration patience = Duration.ZERO;

  SimulatedAudit(String fields) {
    settings.putAll(Run.things(service.baseUrl(), KEY));
    settings.put("resources.things.fields", fields);
    settings.put("resources.things.requests.per.minute", "60000");
    settings.put("rate.limit.share", "1");
    settings.put("retry.backoff.ms", "1");
    settings.put("retry.backoff.max.ms", "1");
  }

  final void paged() {
    settings.put("resources.things.page.size", "2");
    settings.put("resources.things.path", "/paged");
    settings.put("resources.things.retrieval", "pages");
  }

  /** What the service has. */
  final void rows(String... rows) {
    for (String row : rows) {
      location.table("things").createRaw(row);
    }
  }

  SourceConfig config() {
    return SourceConfig.checked(settings);
  }

  void publish(String... rows) {
    for (String row : rows) {
      topics.publish(config(), stream, row);
    }
  }

  List<StreamResult> audit(List<Stream> streams) {
    SourceConfig config = config();
    PrintWriter nowhere = new PrintWriter(new StringWriter());
    Screen screen = new Screen(nowhere, nowhere);
    ClientFactory clients = ClientFactory.sharing();
    RecordDecoder decoder = topics.decoder();
    return new Auditor(
            config,
            topics,
            decoder,
            new Checkpoints(config, topics, decoder),
            each -> new StreamReader(config, clients, config.resource(each), each, screen),
            new Auditor.Options(since, patience, 20))
        .audit(streams);
  }

  StreamResult audit() {
    return audit(List.of(stream)).get(0);
  }

  static String words(StreamResult result) {
    return result.findings().stream().map(Finding::text).collect(Collectors.joining(" | "));
  }
}
