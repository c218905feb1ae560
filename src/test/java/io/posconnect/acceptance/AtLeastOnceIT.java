package io.posconnect.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import io.posconnect.cluster.Cluster;
import io.posconnect.cluster.ClusterOptions;
import io.posconnect.cluster.ConnectClient;
import io.posconnect.cluster.SharedCluster;
import io.posconnect.cluster.TopicRecord;
import io.posconnect.simulator.SimulatedLocation;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * On workers without exactly-once delivery nothing is missed, the topics come to equal the service,
 * and records repeat around crashes only.
 */
@ExtendWith(SharedCluster.class)
class AtLeastOnceIT {

  @AutoClose private static Cluster cluster;

  @BeforeAll
  static void start(Cluster shared) {
    cluster =
        Cluster.startBeside(shared, ClusterOptions.of("at-least-once").withExactlyOnce(false));
  }

  private static ConnectClient connect() {
    return cluster.connect();
  }

  private static ChaosRun chaos(String name) {
    ChaosRun chaos = new ChaosRun(cluster, name);
    chaos.connector.unset("exactly.once.support");
    return chaos;
  }

  /** Events that repeat an earlier one at a time at which no outage excuses it. */
  private static List<TopicRecord> inexcusable(List<TopicRecord> records, ChaosRun chaos) {
    Set<Event> seen = new HashSet<>();
    List<TopicRecord> repeats = new ArrayList<>();
    for (TopicRecord record : records) {
      Event event = Event.of(record);
      boolean news = seen.add(new Event(event.id(), kind(event), event.revision()));
      boolean excused =
          chaos.outages().stream().anyMatch(each -> each.mayRepeat(record.timestamp()));
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
  void killedWorkerMissesNothingAndRepeatsOnlyThen() {
    try (ChaosRun chaos = chaos("repeating").begin(15)) {
      for (int kills = 0; kills < 2; kills++) {
        ChaosRun.pass(Duration.ofSeconds(3));
        chaos.crash(cluster.worker(0));
      }
      chaos.revive();
      ChaosRun.pass(Duration.ofSeconds(3));
      chaos.end();
      chaos.awaitTruth();
      int repeats = 0;
      for (String resource : ChaosRun.RESOURCES) {
        List<TopicRecord> records = chaos.connector.events(resource);
        DeliveryCheck result = chaos.compare().get(resource);
        assertThat(result.missed()).isEmpty();
        assertThat(result.phantoms()).isEmpty();
        assertThat(inexcusable(records, chaos)).isEmpty();
        repeats += result.repeats().size();
        System.out.printf(
            "at least once, %s: %d contents, %d events, %d excused, %d repeated%n",
            resource,
            result.contents(),
            result.events(),
            result.excused(),
            result.repeats().size());
      }
      assertThat(repeats).as("repeats around the kills").isPositive();
    }
  }

  @Test
  void positionFollowsThoughEventsAreDropped() {
    try (DroppedRecords dropped =
        new DroppedRecords(cluster, "dropped-at-least-once", "requested")) {
      dropped.followsStreamWithoutEvents();
    }
    try (DroppedRecords dropped =
        new DroppedRecords(cluster, "undeleted-at-least-once", "requested")) {
      dropped.followsStreamWhoseDeletesAreDropped();
    }
  }

  @Test
  void droppedCheckpointFailsTheTaskWithTheRemedy() {
    try (ChaosRun chaos = chaos("checkpointless")) {
      chaos
          .drop("org.apache.kafka.connect.transforms.predicates.TopicNameMatches")
          .set("predicates.which.pattern", "checkpointless\\.checkpoints");
      connect().put("checkpointless", chaos.connector.settings());
      assertThat(connect().awaitFailed("checkpointless").toString())
          .contains("a checkpoint was dropped")
          .contains("predicate");
    }
  }

  @Test
  void toleratedErrorOfACheckpointFailsTheTask() {
    try (ChaosRun chaos = chaos("lenient")) {
      chaos.tolerateFailuresOf("lenient\\.checkpoints");
      connect().put("lenient", chaos.connector.settings());
      assertThat(connect().awaitFailed("lenient").toString()).contains("a checkpoint was dropped");
      // Another stream's task may have been the first to fail.
      Connector.await(
          "events without checkpoints",
          () -> !chaos.connector.events(SimulatedLocation.PRODUCTS).isEmpty());
    }
  }
}
