package io.posconnect.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import io.posconnect.cluster.Cluster;
import io.posconnect.cluster.ClusterOptions;
import io.posconnect.cluster.ConnectClient;
import io.posconnect.cluster.TopicRecord;
import io.posconnect.simulator.SimulatedLocation;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * What is left of the promise on workers without exactly-once delivery: nothing is missed, the
 * topics come to equal the service, and records repeat around crashes only.
 */
class AtLeastOnceIT {

  private static Cluster cluster;

  @BeforeAll
  static void start() {
    cluster = Cluster.start(ClusterOptions.of("at-least-once").withExactlyOnce(false));
  }

  @AfterAll
  static void close() {
    if (cluster != null) {
      cluster.close();
    }
  }

  private static ConnectClient connect() {
    return cluster.connect();
  }

  private static Ordeal ordeal(String name) {
    Ordeal ordeal = new Ordeal(cluster, name);
    ordeal.connector.unset("exactly.once.support");
    return ordeal;
  }

  /** Events that say again what was said, at a time at which nothing excuses it. */
  private static List<TopicRecord> inexcusable(List<TopicRecord> records, Ordeal ordeal) {
    Set<Event> said = new HashSet<>();
    List<TopicRecord> repeats = new ArrayList<>();
    for (TopicRecord record : records) {
      Event event = Event.of(record);
      boolean news = said.add(new Event(event.id(), kind(event), event.revision()));
      boolean excused =
          ordeal.disturbances().stream().anyMatch(each -> each.mayRepeat(record.timestamp()));
      if (!news && !excused) {
        repeats.add(record);
      }
    }
    return repeats;
  }

  private static String kind(Event event) {
    return event.op().equals("d") || event.op().equals("t") ? event.op() : "row";
  }

  @Test
  void aWorkerThatIsKilledMissesNothingAndRepeatsOnlyThen() {
    try (Ordeal ordeal = ordeal("killed").begin(15)) {
      for (int kills = 0; kills < 2; kills++) {
        Ordeal.pass(Duration.ofSeconds(3));
        ordeal.crash(cluster.worker(0));
      }
      ordeal.revive();
      Ordeal.pass(Duration.ofSeconds(3));
      ordeal.end();
      ordeal.awaitTruth();
      int repeats = 0;
      for (String resource : Ordeal.RESOURCES) {
        List<TopicRecord> records = ordeal.connector.events(resource);
        OneToOne result = ordeal.compare().get(resource);
        assertThat(result.missed()).isEmpty();
        assertThat(result.phantoms()).isEmpty();
        assertThat(inexcusable(records, ordeal)).isEmpty();
        repeats += result.repeats().size();
        System.out.printf(
            "at least once, %s: %d contents, %d events, %d excused, %d repeated%n",
            resource,
            result.contents(),
            result.events(),
            result.excused(),
            result.repeats().size());
      }
      assertThat(repeats).as("the price").isPositive();
    }
  }

  @Test
  void aRegistryThatIsAwayFailsTheTaskAndARestartLosesNothing() {
    try (Ordeal ordeal = ordeal("unregistered")) {
      cluster.registry().stop();
      connect().put("unregistered", ordeal.connector.settings());
      assertThat(connect().awaitFailed("unregistered").toString()).contains("Tolerance exceeded");
      cluster.registry().start();
      ordeal.disturb(() -> connect().restart("unregistered"));
      ordeal.begin(15);
      ordeal.end();
      ordeal.awaitTruth();
    }
  }

  @Test
  void aTransformThatDropsCheckpointsFailsTheTaskWithTheRemedy() {
    try (Ordeal ordeal = ordeal("checkpointless")) {
      ordeal
          .drop("org.apache.kafka.connect.transforms.predicates.TopicNameMatches")
          .set("predicates.which.pattern", "checkpointless\\.checkpoints");
      connect().put("checkpointless", ordeal.connector.settings());
      assertThat(connect().awaitFailed("checkpointless").toString())
          .contains("dropped a checkpoint")
          .contains("predicate");
    }
  }

  @Test
  void toleratedErrorsOfTheCheckpointsFailTheTaskToo() {
    try (Ordeal ordeal = ordeal("tolerant")) {
      ordeal.tolerateFailuresOf("tolerant\\.checkpoints");
      connect().put("tolerant", ordeal.connector.settings());
      assertThat(connect().awaitFailed("tolerant").toString()).contains("dropped a checkpoint");
      // Another stream's task may have been the first to fail.
      Connector.await(
          "events without checkpoints",
          () -> !ordeal.connector.events(SimulatedLocation.PRODUCTS).isEmpty());
    }
  }
}
