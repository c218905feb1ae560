package io.posconnect.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import io.posconnect.cluster.Cluster;
import io.posconnect.cluster.ClusterOptions;
import io.posconnect.cluster.ConnectClient;
import io.posconnect.simulator.SimulatedLocation;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * Exactly-once delivery through everything that operators and accidents do to a cluster of two
 * brokers and two workers.
 *
 * <p>{@code -Dcrash.seconds=600} is the long version: a worker dies every 20 seconds.
 */
class CrashPracticeIT {

  private static final Duration LASTS = Duration.ofSeconds(Integer.getInteger("crash.seconds", 40));
  private static final Duration BETWEEN_KILLS = Duration.ofSeconds(20);

  private static Cluster cluster;

  @BeforeAll
  static void start() {
    cluster = Cluster.start(ClusterOptions.of("crash").withBrokers(2).withWorkers(2));
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

  @Test
  void workersThatAreKilledInTurnsLoseAndRepeatNothing() {
    try (Ordeal ordeal = new Ordeal(cluster, "killed").begin(15)) {
      Instant end = Instant.now().plus(LASTS);
      for (int i = 0; Instant.now().isBefore(end); i++) {
        Instant next = Instant.now().plus(BETWEEN_KILLS);
        ordeal.crash(cluster.worker(i % 2));
        Duration left = Duration.between(Instant.now(), next);
        if (!left.isNegative()) {
          Ordeal.pass(left);
        }
      }
      ordeal.revive();
      ordeal.assertExactlyOnce();
      assertThat(ordeal.disturbances()).hasSizeGreaterThan(1);
    }
  }

  @Test
  void operatorsLoseAndRepeatNothing() {
    try (Ordeal ordeal = new Ordeal(cluster, "operated").begin(15)) {
      ordeal.disturb(
          () -> {
            connect().pause("operated");
            Ordeal.pass(Duration.ofSeconds(2));
            connect().resume("operated");
          });
      ordeal.disturb(
          () -> ordeal.connector.set("batch.max.records", "50").set("tasks.max", "1").start());
      Ordeal.pass(Duration.ofSeconds(2));
      ordeal.disturb(() -> ordeal.connector.set("tasks.max", "3").start());
      Ordeal.pass(Duration.ofSeconds(2));
      ordeal.disturb(() -> connect().restart("operated"));
      // Not of the only broker: Kafka 4.3 loses the markers of transactions that end while their
      // partitions have no leader, and then nobody reads committed beyond them.
      ordeal.disturb(() -> cluster.broker(1).restart());
      ordeal.crash(cluster.broker(1));
      ordeal.revive();
      ordeal.assertExactlyOnce();
    }
  }

  @Test
  void aRegistryThatIsAwayDelaysAndLosesNothing() {
    try (Ordeal ordeal = new Ordeal(cluster, "unregistered")) {
      cluster.registry().stop();
      connect().put("unregistered", ordeal.connector.settings());
      assertThat(connect().awaitFailed("unregistered").toString()).contains("Tolerance exceeded");
      assertThat(ordeal.connector.events(SimulatedLocation.PRODUCTS)).isEmpty();

      cluster.registry().start();
      connect().restart("unregistered");
      ordeal.begin(15);

      // Once the schemas are known, nobody misses it.
      cluster.registry().stop();
      Ordeal.pass(Duration.ofSeconds(5));
      assertThat(connect().status("unregistered").all("RUNNING")).isTrue();
      cluster.registry().start();
      ordeal.assertExactlyOnce();
    }
  }

  @Test
  void aTransformThatDropsEventsOfOneKindLosesNoOthers() {
    try (Ordeal ordeal = new Ordeal(cluster, "filtered")) {
      ordeal.drop("org.apache.kafka.connect.transforms.predicates.RecordIsTombstone");
      ordeal.begin(15);
      Ordeal.pass(Duration.ofSeconds(8));
      ordeal.disturb(() -> connect().restart("filtered"));
      ordeal.assertExactlyOnce();
      for (String resource : Ordeal.RESOURCES) {
        assertThat(ordeal.connector.events(resource)).noneMatch(event -> event.tombstone());
      }
    }
  }

  @Test
  void aTransformThatDropsCheckpointsFailsTheTaskWithTheRemedy() {
    try (Ordeal ordeal = new Ordeal(cluster, "checkpointless")) {
      ordeal
          .drop("org.apache.kafka.connect.transforms.predicates.TopicNameMatches")
          .set("predicates.which.pattern", "checkpointless\\.checkpoints");
      connect().put("checkpointless", ordeal.connector.settings());
      connect().awaitRunning("checkpointless");
      // Connect reports what was dropped with the next transaction that holds something.
      Ordeal.pass(Duration.ofSeconds(3));
      ordeal.location.products().update(1);
      ordeal.location.inventory().update(1);
      assertThat(connect().awaitFailed("checkpointless").toString())
          .contains("dropped a checkpoint")
          .contains("predicate");
    }
  }

  @Test
  void toleratedErrorsSkipTheirRecordsAndNothingElse() {
    try (Ordeal ordeal = new Ordeal(cluster, "tolerant")) {
      ordeal.tolerateFailuresOf("tolerant\\.customers");
      ordeal.connector.start();
      ordeal.connector.awaitTruth(ordeal.location, SimulatedLocation.PRODUCTS);
      ordeal.connector.awaitTruth(ordeal.location, SimulatedLocation.INVENTORY);
      assertThat(ordeal.connector.events(SimulatedLocation.CUSTOMERS)).isEmpty();
      assertThat(connect().status("tolerant").all("RUNNING")).isTrue();
    }
  }
}
