package io.posconnect.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import io.posconnect.cluster.Cluster;
import io.posconnect.cluster.ClusterOptions;
import io.posconnect.cluster.ConnectClient;
import io.posconnect.cluster.TopicRecord;
import io.posconnect.cluster.Worker;
import io.posconnect.simulator.Fault;
import io.posconnect.simulator.Faults.ActiveFault;
import io.posconnect.simulator.SimulatedLocation;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Exactly-once delivery through everything that operators and accidents do to a cluster of two
 * brokers and two workers.
 *
 * <p>{@code -Dcrash.seconds=600} is the long version: a worker dies every 20 seconds, and between
 * the kills the connector is paused and reconfigured, its key rotated and its location renamed.
 */
@Tag("practice")
class CrashPracticeIT {

  private static final Duration LASTS = Duration.ofSeconds(Integer.getInteger("crash.seconds", 40));
  private static final int ROWS = 3_000;
  private static final Duration BETWEEN_KILLS = Duration.ofSeconds(20);

  @AutoClose private static Cluster cluster;

  @BeforeAll
  static void start() {
    cluster = Cluster.start(ClusterOptions.of("crash").withBrokers(2).withWorkers(2));
  }

  private static ConnectClient connect() {
    return cluster.connect();
  }

  @Test
  void workersKilledInTurnsLoseAndRepeatNothing() {
    try (ChaosRun chaos = new ChaosRun(cluster, "killed-often").begin(15)) {
      Instant end = Instant.now().plus(LASTS);
      int kills = 0;
      while (Instant.now().isBefore(end)) {
        Instant next = Instant.now().plus(BETWEEN_KILLS);
        chaos.crash(cluster.worker(kills % 2));
        operate(chaos, kills);
        kills++;
        Duration left = Duration.between(Instant.now(), next);
        if (!left.isNegative()) {
          ChaosRun.pass(left);
        }
      }
      System.out.println(kills + " kills");
      chaos.revive();
      chaos.assertExactlyOnce();
      assertThat(chaos.outages()).hasSizeGreaterThan(1);
    }
  }

  /** Does what operators and store owners do, in turns, between the kills. */
  private static void operate(ChaosRun chaos, int round) {
    switch (round % 5) {
      case 1 -> {
        chaos.revive();
        chaos.outage(
            () -> {
              connect().pause("killed-often");
              ChaosRun.pass(Duration.ofSeconds(2));
              connect().resume("killed-often");
            });
      }
      case 2 -> {
        chaos.revive();
        chaos.outage(
            () -> chaos.connector.set("batch.max.records", Integer.toString(100 + round)).start());
      }
      case 3 -> {
        chaos.revive();
        chaos.outage(() -> chaos.rotateKey("key-" + round));
      }
      case 4 -> chaos.rename("Downtown " + round);
      default -> {
        // Only the kill.
      }
    }
  }

  @Test
  void operatorsLoseAndRepeatNothing() {
    try (ChaosRun chaos = new ChaosRun(cluster, "operated").begin(15)) {
      chaos.outage(
          () -> {
            connect().pause("operated");
            ChaosRun.pass(Duration.ofSeconds(2));
            connect().resume("operated");
          });
      chaos.outage(
          () -> chaos.connector.set("batch.max.records", "50").set("tasks.max", "1").start());
      ChaosRun.pass(Duration.ofSeconds(2));
      chaos.outage(() -> chaos.connector.set("tasks.max", "3").start());
      ChaosRun.pass(Duration.ofSeconds(2));
      chaos.outage(() -> connect().restart("operated"));
      // Not of the only broker: Kafka 4.3 loses the markers of transactions that end while their
      // partitions have no leader, and then no read_committed consumer reads beyond them.
      chaos.outage(() -> cluster.broker(1).restart());
      chaos.crash(cluster.broker(1));
      chaos.revive();
      chaos.assertExactlyOnce();
    }
  }

  @Test
  void aChangedParameterReadsEachRowOnceMoreThroughKills() {
    String[] changed = {SimulatedLocation.PRODUCTS, SimulatedLocation.INVENTORY};
    try (ChaosRun chaos = new ChaosRun(cluster, "parameters")) {
      for (String resource : changed) {
        chaos.location.table(resource).generate(ROWS);
      }
      chaos.connector.set("batch.max.records", "100");
      chaos.begin(15);
      Map<String, Integer> before = new HashMap<>();
      Map<String, Set<Long>> there = new HashMap<>();
      for (String resource : changed) {
        chaos.connector.set("resources." + resource + ".parameters", "IncludeDetail=true");
      }
      try (ActiveFault slow = chaos.service.faults().everywhere().then(Fault.slowBody(100_000))) {
        for (String resource : changed) {
          there.put(resource, Set.copyOf(chaos.location.table(resource).ids()));
          before.put(resource, chaos.connector.events(resource).size());
        }
        chaos.outage(chaos.connector::start);
        for (int kill = 1; kill <= 3; kill++) {
          int part = ROWS * kill / 4;
          Connector.await(
              "a part is read once more", () -> again(chaos, changed[0], before).size() >= part);
          chaos.outage(
              () -> {
                cluster.workers().forEach(Worker::kill9);
                int read = again(chaos, changed[0], before).size();
                int rows = there.get(changed[0]).size();
                System.out.printf("killed when %d of %d were read once more%n", read, rows);
                assertThat(read).isLessThan(rows);
                cluster.workers().forEach(Worker::start);
              });
          chaos.revive();
        }
        assertThat(slow.hits()).isPositive();
      }
      for (String resource : changed) {
        Connector.await(
            "each row once more of " + resource,
            () -> again(chaos, resource, before).size() >= there.get(resource).size() / 10 * 9);
      }
      chaos.end();
      chaos.awaitTruth();
      for (String resource : changed) {
        assertReadOnceMore(chaos, resource, there.get(resource), before.get(resource));
      }
    }
  }

  /** The keys that were read once more. */
  private static List<Long> again(ChaosRun chaos, String resource, Map<String, Integer> before) {
    List<TopicRecord> events = chaos.connector.events(resource);
    return Event.of(events.subList(before.get(resource), events.size())).stream()
        .filter(event -> event.op().equals("r"))
        .map(Event::id)
        .toList();
  }

  /** Of the rows that were there, each that stayed came once; only what went has a delete. */
  private static void assertReadOnceMore(
      ChaosRun chaos, String resource, Set<Long> there, int before) {
    Set<Long> stayed = new HashSet<>(chaos.location.table(resource).ids());
    List<TopicRecord> records = chaos.connector.events(resource);
    List<Event> events = Event.of(records.subList(before, records.size()));
    List<Long> read =
        events.stream().filter(event -> event.op().equals("r")).map(Event::id).toList();
    assertThat(read).as(resource).doesNotHaveDuplicates();
    assertThat(read).as(resource).containsAll(there.stream().filter(stayed::contains).toList());
    assertThat(events)
        .as(resource)
        .noneMatch(event -> event.op().equals("d") && stayed.contains(event.id()))
        .filteredOn(event -> !event.op().equals("t"))
        .doesNotHaveDuplicates();
    NumberCheck.assertComplete(records, chaos.connector.checkpoints("default", resource), resource);
    System.out.printf(
        "%s: %d rows stayed, %d read once more, %d other events%n",
        resource, stayed.size(), read.size(), events.size() - read.size());
  }

  @Test
  void aTransformThatDropsTombstonesLosesNothingElse() {
    try (ChaosRun chaos = new ChaosRun(cluster, "filtered")) {
      chaos.drop("org.apache.kafka.connect.transforms.predicates.RecordIsTombstone");
      chaos.begin(15);
      ChaosRun.pass(Duration.ofSeconds(8));
      chaos.outage(() -> connect().restart("filtered"));
      chaos.assertExactlyOnce();
      for (String resource : ChaosRun.RESOURCES) {
        assertThat(chaos.connector.events(resource)).noneMatch(event -> event.tombstone());
      }
    }
  }

  @Test
  void toleratedErrorsSkipNothingElse() {
    try (ChaosRun chaos = new ChaosRun(cluster, "tolerant")) {
      chaos.tolerateFailuresOf("tolerant\\.customers");
      chaos.connector.start();
      chaos.connector.awaitTruth(chaos.location, SimulatedLocation.PRODUCTS);
      chaos.connector.awaitTruth(chaos.location, SimulatedLocation.INVENTORY);
      assertThat(chaos.connector.events(SimulatedLocation.CUSTOMERS)).isEmpty();
      assertThat(connect().status("tolerant").all("RUNNING")).isTrue();
    }
  }
}
