package io.posconnect.acceptance;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import io.posconnect.cluster.Cluster;
import io.posconnect.cluster.ConnectClient;
import io.posconnect.cluster.SharedCluster;
import io.posconnect.simulator.SimulatedLocation;
import io.posconnect.simulator.SimulatedLocation.InitialRows;
import io.posconnect.simulator.Simulator;
import java.io.IOException;
import java.nio.file.Files;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Offsets pass through Connect's REST interface and its topic: what operators may alter, and what
 * the connector does when the topic holds something else than it stored.
 */
@ExtendWith(SharedCluster.class)
class OffsetsIT {

  private static final int ROWS = 1_200;
  private static final Duration OLD = Duration.ofDays(20);
  private static final String POSITION = "default/products";
  private static final String SLOT = "default/products/1";

  /** A tombstone, and what is not even JSON. */
  private static final byte[][] LOSSES = {null, "{\"digest\":".getBytes(UTF_8)};

  /** What a segment of this connector never is. */
  private static final byte[] FOREIGN = "{\"digest\":\"of another form\"}".getBytes(UTF_8);

  /** A service with products, and a connector that has read them. */
  private static final class Scene implements AutoCloseable {
    private final Simulator service = Simulator.builder().unlimited().start();
    private final SimulatedLocation location = service.location();
    private final Cluster cluster;
    private final ConnectClient connect;
    private final Connector connector;
    private final Offsets offsets;
    private int known;

    Scene(Cluster cluster, String name) {
      this.cluster = cluster;
      connect = cluster.connect();
      service.fill(location, new InitialRows(ROWS, 1, 0, OLD, 0, 0));
      connector =
          new Connector(cluster, name, service)
              .eager(SimulatedLocation.PRODUCTS)
              .set("reconcile.interval.ms", "0")
              .set("checkpoint.interval.ms", "100")
              .start();
      offsets = new Offsets(cluster, name);
      settle();
      assertThat(news()).hasSize(ROWS);
    }

    /** The events since the last call. */
    List<Event> news() {
      List<Event> all = Event.of(connector.events(SimulatedLocation.PRODUCTS));
      List<Event> news = all.subList(known, all.size());
      known = all.size();
      return news;
    }

    /** Waits for the truth, and until the stream has been read three times more. */
    void settle() {
      connector.awaitTruth(location, SimulatedLocation.PRODUCTS);
      int checkpoints = connector.checkpoints().size();
      Connector.await(
          "three more checkpoints", () -> connector.checkpoints().size() >= checkpoints + 3);
    }

    void stop() {
      connect.stop(connector.name());
    }

    void resume() {
      connect.resume(connector.name());
      settle();
    }

    void alter(String partition, Map<String, ?> offset) {
      connect.alterOffset(connector.name(), Offsets.partition(partition), offset);
    }

    /** Changes a row in a way that no increment finds: its date is older than any lookback. */
    Event updateLate(long id) {
      Instant then = service.now().minus(OLD.dividedBy(2));
      return new Event(id, "u", location.products().updateAt(id, then));
    }

    void assertRefused(String partition, Map<String, ?> offset) {
      assertThatThrownBy(() -> alter(partition, offset))
          .as("%s to %s", partition, offset)
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("POS-604");
    }

    void assertReadAgain(List<Event> events) {
      assertThat(events).extracting(Event::op).containsOnly("r");
      assertThat(events)
          .extracting(Event::id)
          .containsExactlyInAnyOrderElementsOf(location.products().ids());
    }

    long reportedLosses() throws IOException {
      try (var lines = Files.lines(cluster.worker(0).log())) {
        return lines
            .filter(line -> line.contains("ERROR") && line.contains(POSITION + ": "))
            .count();
      }
    }

    @Override
    public void close() {
      connector.close();
      service.close();
    }
  }

  @Test
  void operatorsRewindResetAndDeleteOffsets(Cluster cluster) {
    try (Scene scene = new Scene(cluster, "altered")) {
      scene.stop();
      JsonNode position = scene.offsets.shown().get(POSITION);
      assertThat(position.path("watermark").asText()).endsWith("Z");
      assertThat(position.path("snapshot").asText()).isEqualTo("completed");
      assertThat(position.path("keys").asText()).isEqualTo("location,productId:int64");
      Event late = scene.updateLate(7);
      scene.alter(POSITION, Map.of("watermark", scene.service.now().minus(OLD).toString()));
      scene.resume();
      assertThat(scene.news()).as("rewound").containsExactly(late);

      scene.stop();
      Event later = scene.updateLate(7);
      scene.location.products().delete(8);
      scene.alter(POSITION, null);
      scene.resume();
      assertThat(scene.news())
          .as("reset")
          .containsExactly(later, new Event(8, "d", 0), new Event(8, "t", 0));

      scene.stop();
      scene.connect.deleteOffsets("altered");
      assertThat(scene.offsets.shown()).isEmpty();
      scene.resume();
      scene.assertReadAgain(scene.news());

      scene.location.products().delete(9);
      scene.connector.set("snapshot.id", "once more").start();
      scene.settle();
      List<Event> again = scene.news();
      assertThat(again).endsWith(new Event(9, "d", 0), new Event(9, "t", 0));
      scene.assertReadAgain(again.subList(0, again.size() - 2));
    }
  }

  @Test
  void otherAlterationsAreRefused(Cluster cluster) {
    try (Scene scene = new Scene(cluster, "refusing")) {
      scene.stop();
      Map<String, JsonNode> before = scene.offsets.shown();
      scene.assertRefused(POSITION, Map.of("watermark", "yesterday"));
      scene.assertRefused(POSITION, Map.of("digest", "AA"));
      scene.assertRefused(SLOT, Map.of("digest", "AA"));
      scene.assertRefused("nonsense", Map.of("watermark", "2026"));
      assertThat(scene.offsets.shown()).isEqualTo(before);
      scene.alter("nonsense", null);
      scene.resume();
      assertThat(scene.news()).isEmpty();
    }
  }

  @Test
  void threeDamagedSlotsAreAnsweredOnce(Cluster cluster) throws IOException {
    try (Scene scene = new Scene(cluster, "thrice")) {
      long reported = scene.reportedLosses();
      scene.stop();
      scene.offsets.overwrite(SLOT, FOREIGN);
      for (int slot = 100; slot < 102; slot++) {
        scene.offsets.write(SLOT, "default/products/" + slot, FOREIGN);
      }
      scene.resume();
      scene.assertReadAgain(scene.news());
      assertThat(scene.offsets.shown().get(POSITION).path("damaged").asText().split(" "))
          .startsWith("lost")
          .hasSize(4);

      for (int restart = 2; restart <= 3; restart++) {
        scene.stop();
        scene.resume();
        assertThat(scene.news()).as("restart %s", restart).isEmpty();
      }
      assertThat(scene.reportedLosses()).isEqualTo(reported + 1);
    }
  }

  @Test
  void damageInTheTopicIsReportedAndRepaired(Cluster cluster) throws IOException {
    try (Scene scene = new Scene(cluster, "damaged")) {
      long gone = 1_100;
      for (byte[] loss : LOSSES) {
        long reported = scene.reportedLosses();
        scene.stop();
        scene.updateLate(600);
        scene.location.products().delete(++gone);
        scene.offsets.overwrite(SLOT, loss);
        scene.resume();
        List<Event> again = scene.news();
        assertThat(again).endsWith(new Event(gone, "d", 0), new Event(gone, "t", 0));
        scene.assertReadAgain(again.subList(0, again.size() - 2));
        assertThat(scene.reportedLosses()).isEqualTo(reported + 1);
      }

      scene.stop();
      scene.offsets.overwrite(POSITION, null);
      scene.resume();
      assertThat(scene.news()).as("a lost position repeats nothing").isEmpty();

      scene.stop();
      scene.offsets.overwrite(POSITION, "{\"watermark\":\"2026\",\"version\":1}".getBytes(UTF_8));
      scene.connect.orderResumption("damaged");
      assertThat(scene.connect.awaitFailed("damaged").toString()).contains("POS-605", "watermark");
      scene.stop();
      scene.alter(POSITION, null);
      scene.resume();
      assertThat(scene.news()).isEmpty();
    }
  }
}
