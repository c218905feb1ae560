package io.posconnect.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.posconnect.cluster.Cluster;
import io.posconnect.cluster.Program;
import io.posconnect.cluster.SharedCluster;
import io.posconnect.cluster.TopicRecord;
import io.posconnect.simulator.Endpoint;
import io.posconnect.simulator.SimulatedLocation;
import io.posconnect.simulator.SimulatedLocation.InitialRows;
import io.posconnect.simulator.Simulator;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.apache.avro.Schema;
import org.apache.avro.SchemaNormalization;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/**
 * The tool as users have it: what it discovers is posted as it is printed, types all that happens
 * later, and what it says will be registered is what the registry then holds.
 */
@ExtendWith(SharedCluster.class)
class ToolIT {

  private static final String NAME = "tool";
  private static final int EVENTS = 1_500;

  @TempDir private Path folder;

  @Test
  void discoveredContractsTypeAllLaterRows(Cluster cluster) throws Exception {
    try (Simulator service = Simulator.builder().unlimited().start()) {
      SimulatedLocation location = service.location();
      service.fill(location, new InitialRows(900, 700, 800, Duration.ofDays(6), 700, 200));
      Path given = Files.writeString(folder.resolve("given.json"), given(cluster, service));
      Path typed = folder.resolve("typed");

      assertThat(Program.toolProcess("check", given).succeeded())
          .contains("the service answers as it expects");
      String report = Program.toolProcess("discover", given, "--out", typed).succeeded();
      assertThat(report)
          .contains("the proposal types all sampled rows")
          .doesNotContain(Simulator.KEY);

      Path configuration = typed.resolve(NAME + ".json");
      try (Connector connector = new Connector(cluster, NAME, service)) {
        post(cluster.worker(0).restUrl(), configuration);
        cluster.connect().awaitRunning(NAME);
        Connector.churn(service, location, EVENTS);
        awaitAll(connector, location);

        assertTyped(connector);
        assertThat(Program.tool("check", configuration).succeeded())
            .contains("the service answers as it expects");
        assertRegistered(cluster, configuration);
      }
    }
  }

  private static String given(Cluster cluster, Simulator service) throws IOException {
    String key = cluster.secret("tool.properties", "api.key", Simulator.KEY);
    var json = CompactedTopic.parse("{\"name\":\"" + NAME + "\",\"config\":{}}");
    var config = (ObjectNode) json.path("config");
    config.put("connector.class", Connector.CLASS);
    config.put("exactly.once.support", "required");
    config.put("base.url", service.baseUrl().toString());
    config.put("api.key", key);
    config.put("topic.prefix", NAME);
    config.put("start.from", service.now().minus(Duration.ofDays(30)).toString());
    config.put("checkpoint.interval.ms", "500");
    config.put("resources.loyalty-transactions.path", Endpoint.LOYALTY);
    for (String resource : resources()) {
      config.put("resources." + resource + ".requests.per.minute", "6000");
      config.put("resources." + resource + ".poll.interval.ms", "250");
    }
    return json.toPrettyString();
  }

  private static Set<String> resources() {
    Set<String> all = new TreeSet<>(List.of(ChaosRun.RESOURCES));
    all.add(SimulatedLocation.LOYALTY);
    all.add(SimulatedLocation.LOCATIONS);
    return all;
  }

  private static void post(URI worker, Path configuration) throws Exception {
    HttpRequest request =
        HttpRequest.newBuilder(worker.resolve("/connectors"))
            .header("Content-Type", "application/json")
            .POST(BodyPublishers.ofFile(configuration))
            .build();
    HttpResponse<String> response =
        HttpClient.newHttpClient().send(request, BodyHandlers.ofString());
    assertThat(response.statusCode()).as(response.body()).isEqualTo(201);
  }

  /** Waits until the latest revision of every row was emitted. */
  private static void awaitAll(Connector connector, SimulatedLocation location) {
    for (String resource : ChaosRun.RESOURCES) {
      Connector.await(
          resource + " equals the service's",
          () -> revisions(connector.events(resource)),
          emitted ->
              emitted.entrySet().containsAll(location.table(resource).revisions().entrySet()));
    }
  }

  /** The revision is a typed field here, so the rows need not be put together again. */
  private static Map<Long, Integer> revisions(List<TopicRecord> events) {
    Map<Long, Integer> revisions = new HashMap<>();
    for (TopicRecord event : events) {
      if (!event.tombstone() && event.at("after") != null) {
        Number revision = (Number) event.at("after.revision");
        revisions.put(Event.of(event).id(), revision.intValue());
      }
    }
    return revisions;
  }

  private static void assertTyped(Connector connector) {
    for (String resource : resources()) {
      List<TopicRecord> rows =
          connector.events(resource).stream()
              .filter(event -> !event.tombstone() && event.at("after") != null)
              .toList();
      assertThat(rows).as(resource).isNotEmpty();
      assertThat(rows).as(resource).allSatisfy(row -> assertThat(row.at("after.extra")).isNull());
    }
    assertThat(connector.checkpoints())
        .isNotEmpty()
        .allSatisfy(checkpoint -> assertThat(checkpoint.at("type_mismatches")).isEqualTo(0L));
    assertThat(connector.deadLetters()).isEmpty();
  }

  private void assertRegistered(Cluster cluster, Path configuration) throws Exception {
    Path schemas = folder.resolve("schemas");
    Program.tool("schemas", configuration, "--out", schemas).succeeded();
    List<String> registered =
        cluster.registry().subjects().stream().filter(s -> s.startsWith(NAME + ".")).toList();

    // A converter registers the key that checkpoints and states share under the first of the two.
    assertThat(registered).hasSizeGreaterThanOrEqualTo(15);
    for (String subject : registered) {
      Schema printed = new Schema.Parser().parse(schemas.resolve(subject + ".avsc").toFile());
      Schema held = cluster.registry().latest(subject);
      assertThat(SchemaNormalization.toParsingForm(printed))
          .as(subject)
          .isEqualTo(SchemaNormalization.toParsingForm(held));
      assertThat(printed).as(subject).isEqualTo(held);
      assertThat(cluster.registry().versions(subject)).as(subject).isEqualTo(List.of(1));
    }
    assertThat(schemas.resolve("asyncapi.json")).isNotEmptyFile();
  }
}
