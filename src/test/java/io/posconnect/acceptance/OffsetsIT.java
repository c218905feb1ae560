package io.posconnect.acceptance;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import io.posconnect.cluster.Cluster;
import io.posconnect.cluster.ClusterOptions;
import io.posconnect.cluster.ConnectClient;
import io.posconnect.simulator.SimulatedLocation;
import io.posconnect.simulator.SimulatedLocation.InitialRows;
import io.posconnect.simulator.Simulator;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * Offsets as a control plane: what an operator may do to them, and what happens when they break.
 */
class OffsetsIT {

  private static final int ROWS = 1_200;
  private static final Duration OLD = Duration.ofDays(20);
  private static final String POSITION = "default/products";
  private static final String SLOT = "default/products/1";

  private static final String LOSS = POSITION + ": parts of what was said before are lost";

  /** A tombstone, a state that is none, and what is not even JSON. */
  private static final byte[][] LOSSES = {
    null, "{\"digest\":\"QUJD\"}".getBytes(UTF_8), "{\"digest\":".getBytes(UTF_8)
  };

  private static Cluster cluster;

  @BeforeAll
  static void start() {
    cluster = Cluster.start(ClusterOptions.of("offsets"));
  }

  @AfterAll
  static void close() {
    if (cluster != null) {
      cluster.close();
    }
  }

  /** A service with products, and a connector that has read them. */
  private static final class Scene implements AutoCloseable {
    final Simulator service = Simulator.builder().unlimited().start();
    final SimulatedLocation location = service.location();
    final Connector connector;
    final Offsets offsets;

    Scene(String name) {
      service.fill(location, new InitialRows(ROWS, 1, 0, OLD, 0, 0));
      connector =
          new Connector(cluster, name, service)
              .eager(SimulatedLocation.PRODUCTS)
              .set("reconcile.interval.ms", "0")
              .start();
      offsets = new Offsets(cluster, name);
      connector.awaitTruth(location, SimulatedLocation.PRODUCTS);
      awaitQuiet();
    }

    List<Event> events() {
      return Event.of(connector.events(SimulatedLocation.PRODUCTS));
    }

    /** Waits until the stream has been read once more without any news. */
    void awaitQuiet() {
      int checkpoints = connector.checkpoints().size();
      Awaitility.await("three more checkpoints")
          .atMost(Connector.PATIENCE)
          .until(() -> connector.checkpoints().size() >= checkpoints + 3);
    }

    void stop() {
      connect().stop(connector.name());
    }

    void resume() {
      connect().resume(connector.name());
      connector.awaitTruth(location, SimulatedLocation.PRODUCTS);
      awaitQuiet();
    }

    @Override
    public void close() {
      connector.close();
      service.close();
    }
  }

  private static ConnectClient connect() {
    return cluster.connect();
  }

  @Test
  void aRewoundWatermarkReadsAgainAndRepeatsNothing() {
    try (Scene scene = new Scene("rewound")) {
      scene.stop();
      JsonNode position = scene.offsets.shown().get(POSITION);
      assertThat(position.path("watermark").asText()).endsWith("Z");
      assertThat(position.path("snapshot").asText()).isEqualTo("completed");
      assertThat(position.path("keys").asText()).isEqualTo("location,productId:int64");
      // A change that no increment would find: it says that it is older than any lookback.
      scene.location.products().updateAt(7, scene.service.now().minus(OLD.dividedBy(2)));

      connect()
          .alterOffset(
              "rewound",
              Offsets.partition(POSITION),
              Map.of("watermark", scene.service.now().minus(OLD).toString()));
      scene.resume();

      assertThat(scene.events())
          .hasSize(ROWS + 1)
          .endsWith(new Event(7, "u", scene.location.products().revision(7)));
    }
  }

  @Test
  void aPositionSetToNullReadsEverythingAndSuppressesWhatIsUnchanged() {
    try (Scene scene = new Scene("nulled")) {
      scene.stop();
      scene.location.products().updateAt(7, scene.service.now().minus(OLD.dividedBy(2)));
      scene.location.products().delete(8);

      connect().alterOffset("nulled", Offsets.partition(POSITION), null);
      scene.resume();

      assertThat(scene.events().subList(ROWS, scene.events().size()))
          .containsExactly(
              new Event(7, "u", scene.location.products().revision(7)),
              new Event(8, "d", 0),
              new Event(8, "t", 0));
    }
  }

  @Test
  void deletedOffsetsAndAChangedSnapshotIdEmitEverythingAgainAsRead() {
    try (Scene scene = new Scene("again")) {
      scene.stop();
      connect().deleteOffsets("again");
      assertThat(scene.offsets.shown()).isEmpty();
      scene.resume();
      assertReadAgain(scene.events().subList(ROWS, scene.events().size()), scene.location);

      int before = scene.events().size();
      scene.location.products().delete(9);
      scene.connector.set("snapshot.id", "once more").start();
      scene.connector.awaitTruth(scene.location, SimulatedLocation.PRODUCTS);
      scene.awaitQuiet();

      List<Event> again = scene.events().subList(before, scene.events().size());
      assertThat(again).endsWith(new Event(9, "d", 0), new Event(9, "t", 0));
      assertReadAgain(again.subList(0, again.size() - 2), scene.location);
    }
  }

  private static void assertReadAgain(List<Event> events, SimulatedLocation location) {
    assertThat(events).extracting(Event::op).containsOnly("r");
    assertThat(events)
        .extracting(Event::id)
        .containsExactlyInAnyOrderElementsOf(location.products().ids());
  }

  @Test
  void everythingElseIsRefusedWithWhatIsAllowed() {
    try (Scene scene = new Scene("refused")) {
      scene.stop();
      Map<String, JsonNode> before = scene.offsets.shown();
      String allowed = "{\"watermark\": \"2026-01-31T00:00:00Z\"}";
      Map<String, Object> more = Map.of("watermark", "2026-01-01T00:00:00Z", "seq", 8L);

      assertRefused("refused", POSITION, more, allowed);
      assertRefused("refused", POSITION, Map.of("watermark", "yesterday"), allowed);
      assertRefused("refused", POSITION, Map.of("watermark", 17), allowed);
      assertRefused("refused", POSITION, Map.of(), allowed);
      assertRefused("refused", POSITION, Map.of("digest", "AA"), allowed);
      assertRefused("refused", POSITION, Map.of("keys", "location,name:string"), allowed);
      assertRefused("refused", SLOT, Map.of("digest", "AA"), "can only be reset, with null");
      assertRefused("refused", SLOT, Map.of("watermark", "2026-01-01T00:00:00Z"), "with null");
      assertRefused(
          "refused",
          "nonsense",
          Map.of("watermark", "2026-01-01T00:00:00Z"),
          "<location>/<resource>");
      assertThat(scene.offsets.shown()).isEqualTo(before);

      connect().alterOffset("refused", Offsets.partition("nonsense"), null);
      scene.resume();
      assertThat(scene.events()).hasSize(ROWS);
    }
  }

  private static void assertRefused(
      String connector, String partition, Map<String, ?> offset, String remedy) {
    assertThatThrownBy(() -> connect().alterOffset(connector, Offsets.partition(partition), offset))
        .as("%s to %s", partition, offset)
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining(remedy.replace("\"", "\\\""));
  }

  @Test
  void aLostSegmentIsReportedAndAnsweredWithEverythingOnceMore() {
    try (Scene scene = new Scene("lost")) {
      int lost = 0;
      for (byte[] content : LOSSES) {
        int before = scene.events().size();
        scene.stop();
        // Changed, new, and gone.
        Instant then = scene.service.now().minus(OLD.dividedBy(2));
        long gone = 1_100L + lost;
        scene.location.products().updateAt(600, then);
        scene.location.products().createAt(then);
        scene.location.products().delete(gone);

        scene.offsets.overwrite(SLOT, content);
        scene.resume();

        List<Event> again = scene.events().subList(before, scene.events().size());
        assertThat(again).endsWith(new Event(gone, "d", 0), new Event(gone, "t", 0));
        assertReadAgain(again.subList(0, again.size() - 2), scene.location);
        assertThat(losses()).hasSize(++lost);
      }

      int before = scene.events().size();
      scene.stop();
      scene.resume();
      assertThat(scene.events()).as("nothing is lost any more").hasSize(before);
    }
  }

  private static List<String> losses() {
    try (var lines = Files.lines(cluster.worker(0).log())) {
      return lines.filter(line -> line.contains("ERROR") && line.contains(LOSS)).toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void aDamagedPositionStopsTheTaskWithWhatToDoAndNothingIsLost() {
    try (Scene scene = new Scene("damaged")) {
      scene.stop();
      scene.location.products().updateAt(7, scene.service.now().minus(OLD.dividedBy(2)));
      scene.offsets.overwrite(POSITION, "{\"watermark\":\"2026\",\"version\":1}".getBytes(UTF_8));
      assertThatThrownBy(() -> connect().resume("damaged"))
          .isInstanceOf(AssertionError.class)
          .hasMessageContaining("watermark is 2026, not an instant")
          .hasMessageContaining("or to null, to read everything again");

      scene.stop();
      connect().alterOffset("damaged", Offsets.partition(POSITION), null);
      scene.resume();
      assertThat(scene.events()).hasSize(ROWS + 1);
    }
  }

  @Test
  void aLostPositionReadsEverythingAndRepeatsNothing() {
    try (Scene scene = new Scene("forgotten")) {
      scene.stop();
      scene.offsets.overwrite(POSITION, null);
      scene.resume();
      assertThat(scene.events()).hasSize(ROWS);
      assertThat(scene.offsets.shown().get(POSITION).path("snapshot").asText())
          .isEqualTo("completed");
    }
  }
}
