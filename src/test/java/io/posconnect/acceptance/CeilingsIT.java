package io.posconnect.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.posconnect.cluster.Cluster;
import io.posconnect.cluster.ClusterOptions;
import io.posconnect.simulator.Endpoint;
import io.posconnect.simulator.SimulatedLocation;
import io.posconnect.simulator.SimulatedLocation.InitialRows;
import io.posconnect.simulator.Simulator;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** A digest that may not grow has a clear behaviour, and no offset ever nears Connect's limits. */
class CeilingsIT {

  private static final int OFFSET_LIMIT = 64 * 1024;
  private static final String THINGS = "things";
  private static final String SCHEMA =
      "{\"type\":\"record\",\"name\":\"Thing\",\"fields\":[{\"name\":\"id\",\"type\":\"long\"}]}";

  private static Cluster cluster;

  @BeforeAll
  static void start() {
    cluster = Cluster.start(ClusterOptions.of("ceilings"));
  }

  @AfterAll
  static void close() {
    if (cluster != null) {
      cluster.close();
    }
  }

  private static List<String> log(String text) {
    try (var lines = Files.lines(cluster.worker(0).log())) {
      return lines.filter(line -> line.contains(text)).toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static JsonNode awaitPosition(Connector connector, String stream) {
    Offsets offsets = new Offsets(cluster, connector.name());
    return Connector.await(
            "position of " + stream,
            () -> Optional.ofNullable(offsets.shown().get(stream)),
            position ->
                position.isPresent()
                    && position.get().path("snapshot").asText().equals("completed"))
        .orElseThrow();
  }

  private static void awaitCheckpoints(Connector connector, int more) {
    int before = connector.checkpoints().size();
    Awaitility.await("checkpoints")
        .atMost(Connector.PATIENCE)
        .until(() -> connector.checkpoints().size() >= before + more);
  }

  @Test
  void aListThatOutgrowsItsDigestStopsWithTheSettingsToChange() {
    try (Simulator service = Simulator.builder().unlimited().start();
        Connector connector = new Connector(cluster, "overfull", service)) {
      SimulatedLocation location = service.location();
      service.fill(location, new InitialRows(1, 1, 0, Duration.ofDays(2), 150, 0));
      connector
          .eager(SimulatedLocation.INVENTORY)
          .set("digest.max.keys", "100")
          .set("errors.fail.after.ms", "1000");
      cluster.connect().put("overfull", connector.settings());
      assertThat(cluster.connect().awaitFailed("overfull").toString())
          .contains("default/inventory: 100 keys are all that digest.max.keys allows")
          .contains("Raise digest.max.keys");

      connector.set("digest.max.keys", "1000").start();
      connector.awaitTruth(location, SimulatedLocation.INVENTORY);
      assertThat(connector.events(SimulatedLocation.INVENTORY)).hasSize(150);
    }
  }

  /** A service with so many small rows, and a connector that reads them. */
  private static void read(String name, int rows, Map<String, String> settings) {
    Endpoint things =
        new Endpoint("/things", THINGS, Endpoint.Style.MODIFIED_SINCE, Optional.empty(), 1_000_000);
    try (Simulator service =
            Simulator.builder().unlimited().endpoint(things).withoutHistory().start();
        Connector connector = new Connector(cluster, name, service)) {
      service.location().table(THINGS).generate(rows);
      connector
          .eager(THINGS)
          .set("resources.things.path", "/things")
          .set("resources.things.retrieval", "modified-since")
          .set("resources.things.key.fields", "id")
          .set("resources.things.schema", SCHEMA)
          .set("resources.things.lookback.ms", "1000");
      settings.forEach(connector::set);
      connector.start();
      awaitPosition(connector, "default/things");
      Map<String, Integer> sizes = new Offsets(cluster, name).storedBytes();
      int total = sizes.values().stream().mapToInt(Integer::intValue).sum();
      int largest = Collections.max(sizes.values());
      System.out.printf(
          "%s: %d rows, %d offsets of %d bytes in all, the largest %d%n",
          name, rows, sizes.size(), total, largest);
      assertThat(largest).isLessThan(OFFSET_LIMIT);

      cluster.connect().stop(name);
      cluster.connect().resume(name);
      awaitCheckpoints(connector, 2);
    }
  }

  @Test
  void aHundredThousandKeysFitIntoSmallOffsetsAndAreThereAgainAtOnce() {
    read("many", 100_000, Map.of());
    assertThat(log("default/things: 100000 keys known")).hasSize(1);
  }
}
