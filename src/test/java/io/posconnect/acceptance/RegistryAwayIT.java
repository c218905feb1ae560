package io.posconnect.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import io.posconnect.cluster.Cluster;
import io.posconnect.cluster.ClusterOptions;
import io.posconnect.cluster.RegistryGate;
import io.posconnect.cluster.SharedCluster;
import io.posconnect.simulator.SimulatedLocation;
import io.posconnect.simulator.Simulator;
import io.posconnect.simulator.Table;
import java.io.IOException;
import java.nio.file.Files;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * A busy store, the converters of the shipped worker, and a registry that goes away. {@code
 * -Dregistry.seconds=600} is its long absence.
 */
@ExtendWith(SharedCluster.class)
class RegistryAwayIT {

  private static final String TOLERANT = "apicurio.registry.fault-tolerant-refresh";
  private static final String KNOWN_FOR = "apicurio.registry.check-period-ms";
  private static final List<Duration> ABSENCES =
      List.of(
          Duration.ofSeconds(10), Duration.ofSeconds(Integer.getInteger("registry.seconds", 120)));

  @Test
  void tasksOutliveRegistryOnlyWithShippedLine(Cluster cluster) {
    try (RegistryGate gate = new RegistryGate(cluster.registry());
        ChaosRun shipped = behind(gate, cluster, "outliving");
        ChaosRun bare = behind(gate, cluster, "dying")) {
      converters(shipped, KNOWN_FOR, "500");
      converters(bare, KNOWN_FOR, "500");
      converters(bare, TOLERANT, "false");
      shipped.begin(15);
      bare.begin(15);

      bare.outage(
          () -> {
            gate.refuse();
            assertThat(cluster.connect().awaitFailed("dying").toString())
                .contains("Tolerance exceeded");
            awaitEvents(cluster, shipped, 30);
            gate.open();
            cluster.connect().restart("dying");
          });

      assertExactlyOnce(cluster, shipped);
      assertExactlyOnce(cluster, bare);
    }
  }

  @Test
  void newSchemaNeedsRegistryAndThenRestart(Cluster cluster) {
    try (Simulator service = Simulator.builder().unlimited().start();
        RegistryGate gate = new RegistryGate(cluster.registry());
        Connector connector = new Connector(cluster, "newcomer", service)) {
      Table products = service.location().products();
      products.generate(20);
      cluster.converters(gate.url(cluster.registry().converterUrl())).forEach(connector::set);
      gate.refuse();
      cluster.connect().put("newcomer", connector.eager(SimulatedLocation.PRODUCTS).settings());
      cluster.connect().awaitFailed("newcomer");

      gate.open();
      cluster.connect().restart("newcomer");
      Connector.await(
          "first rows", () -> connector.events(SimulatedLocation.PRODUCTS).size() == 20);

      gate.refuse();
      products.update(1);
      Connector.await("known", () -> connector.events(SimulatedLocation.PRODUCTS).size() == 21);
      products.createRaw("{\"name\":\"has no key\"}");
      cluster.connect().awaitFailed("newcomer");
      assertThat(connector.deadLetters()).isEmpty();

      gate.open();
      cluster.connect().restart("newcomer");
      products.update(2);
      Connector.await("a dead letter", () -> connector.deadLetters().size() == 1);
      Connector.await("the next", () -> connector.events(SimulatedLocation.PRODUCTS).size() == 22);
      NumberCheck.assertComplete(
          connector.events(SimulatedLocation.PRODUCTS), connector.checkpoints(), "products");
    }
  }

  /** One connector as shipped, and one whose converters ask as often as they do by default. */
  @Test
  @Tag("practice")
  void absentRegistryStopsNoTaskHoweverLong() throws IOException {
    try (Cluster cluster = Cluster.start(ClusterOptions.of("away").withShippedWorkers());
        ChaosRun shipped = new ChaosRun(cluster, "shipped");
        ChaosRun asking = new ChaosRun(cluster, "asking")) {
      cluster.converters(cluster.registry().converterUrl()).forEach(asking.connector::set);
      converters(asking, KNOWN_FOR, "30000");
      shipped.begin(15);
      asking.begin(15);
      for (Duration absence : ABSENCES) {
        int before = events(cluster, shipped);
        int asked = events(cluster, asking);
        long log = Files.size(cluster.worker(0).log());
        cluster.registry().stop();
        ChaosRun.pass(absence);
        awaitEvents(cluster, shipped, 1);
        awaitEvents(cluster, asking, 1);
        System.out.printf(
            "registry away for %s: %d and %d events, %d KB of log%n",
            absence,
            events(cluster, shipped) - before,
            events(cluster, asking) - asked,
            (Files.size(cluster.worker(0).log()) - log) >> 10);
        cluster.registry().start();
      }
      for (ChaosRun run : List.of(shipped, asking)) {
        run.assertOrderlyAndWhole();
        assertRunning(cluster, run);
      }
    }
  }

  @Test
  @Tag("practice")
  void registryThatDiesWithinRequestsStopsNoTask() {
    try (Cluster cluster = Cluster.start(ClusterOptions.of("dies").withShippedWorkers());
        RegistryGate gate = new RegistryGate(cluster.registry());
        ChaosRun run = behind(gate, cluster, "asking")) {
      converters(run, KNOWN_FOR, "2000");
      run.begin(15);

      int broken = gate.stopped();
      gate.cut();
      Connector.await("answers are broken off", () -> gate.stopped() > broken + 10);
      awaitEvents(cluster, run, 30);

      int held = gate.stopped();
      gate.silence();
      Connector.await("a request is held", () -> gate.stopped() > held);
      cluster.registry().kill9();
      gate.open();
      awaitEvents(cluster, run, 30);
      cluster.registry().start();
      assertExactlyOnce(cluster, run);
    }
  }

  /** The silence begins when a part of a transaction is written, and outlasts its minute. */
  @Test
  @Tag("practice")
  void silenceWithinTransactionLosesNothing(Cluster cluster) {
    try (Simulator service = Simulator.builder().unlimited().start();
        RegistryGate gate = new RegistryGate(cluster.registry());
        Connector connector = new Connector(cluster, "silenced", service)) {
      Table products = service.location().products();
      products.generate(20);
      cluster.converters(gate.url(cluster.registry().converterUrl())).forEach(connector::set);
      connector.eager(SimulatedLocation.PRODUCTS).start();
      Connector.await("rows", () -> connector.events(SimulatedLocation.PRODUCTS).size() == 20);

      gate.silence();
      products.update(1);
      products.createRaw("{\"name\":\"has no key\"}");
      products.update(2);
      Connector.await("a request is held", () -> gate.stopped() > 0);
      ChaosRun.pass(Duration.ofSeconds(85));
      assertThat(cluster.connect().status("silenced").all("RUNNING")).isTrue();
      gate.open();
      assertThat(cluster.connect().awaitFailed("silenced").toString())
          .contains("before its producer transaction expired");

      cluster.connect().restart("silenced");
      Connector.await("the rest", () -> connector.events(SimulatedLocation.PRODUCTS).size() == 22);
      Connector.await("a dead letter", () -> connector.deadLetters().size() == 1);
      NumberCheck.assertComplete(
          connector.events(SimulatedLocation.PRODUCTS), connector.checkpoints(), "products");
    }
  }

  private static ChaosRun behind(RegistryGate gate, Cluster cluster, String name) {
    ChaosRun run = new ChaosRun(cluster, name);
    cluster.converters(gate.url(cluster.registry().converterUrl())).forEach(run.connector::set);
    return run;
  }

  private static void converters(ChaosRun run, String setting, String value) {
    for (String side : List.of("key", "value")) {
      run.connector.set(side + ".converter." + setting, value);
    }
  }

  /** Waits for so many more events, in which no task fails. */
  private static void awaitEvents(Cluster cluster, ChaosRun run, int more) {
    int before = events(cluster, run);
    Connector.await(
        more + " more events",
        () -> {
          assertRunning(cluster, run);
          return events(cluster, run) >= before + more;
        });
  }

  private static void assertExactlyOnce(Cluster cluster, ChaosRun run) {
    run.assertExactlyOnce();
    assertRunning(cluster, run);
  }

  private static void assertRunning(Cluster cluster, ChaosRun run) {
    assertThat(cluster.connect().status(run.connector.name()))
        .matches(status -> status.all("RUNNING"));
  }

  /** How many records its topics have, by a reader that needs no registry. */
  private static int events(Cluster cluster, ChaosRun run) {
    int events = 0;
    for (String resource : ChaosRun.RESOURCES) {
      events += cluster.topics().raw(run.connector.name() + "." + resource).size();
    }
    return events;
  }
}
