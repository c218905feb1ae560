package io.posconnect.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import io.posconnect.cluster.Cluster;
import io.posconnect.cluster.ClusterOptions;
import io.posconnect.cluster.SharedCluster;
import io.posconnect.simulator.SimulatedLocation;
import io.posconnect.simulator.Simulator;
import io.posconnect.simulator.Table;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** A worker without a group delivers at least once, and stores positions in a file. */
@ExtendWith(SharedCluster.class)
class StandaloneIT {

  private static final String RESOURCE = SimulatedLocation.INVENTORY;

  @AutoClose private static Cluster cluster;

  @BeforeAll
  static void start(Cluster shared) {
    cluster = Cluster.startBeside(shared, ClusterOptions.of("standalone").withStandaloneWorkers());
  }

  @Test
  void connectorThatRequiresExactlyOnceFailsAndSaysWhatToDo() {
    try (Simulator service = Simulator.builder().unlimited().withoutHistory().start();
        Connector connector = new Connector(cluster, "standalone-required", service)) {
      service.location().table(RESOURCE).generate(1);
      cluster.connect().put(connector.name(), connector.eager(RESOURCE).settings());

      Connector.await(
          "the task fails",
          () ->
              cluster.connect().status(connector.name()).tasks().stream()
                  .anyMatch(task -> task.trace().contains("POS-706")));
    }
  }

  @Test
  void positionsInAFileLetTheConnectorGoOnWhereItWas() {
    try (Simulator service = Simulator.builder().unlimited().withoutHistory().start();
        Connector connector = new Connector(cluster, "standalone", service)) {
      Table rows = service.location().table(RESOURCE);
      rows.generate(50);
      connector.eager(RESOURCE).set("exactly.once.support", "requested").start();
      connector.awaitTruth(service.location(), RESOURCE);
      connector.awaitCheckpoint("default", RESOURCE);
      cluster.worker(0).stop();
      rows.update(rows.ids().get(1));
      rows.delete(rows.ids().get(2));
      cluster.worker(0).start();

      // A standalone worker forgets what was posted to it.
      connector.start();

      connector.awaitTruth(service.location(), RESOURCE);
      List<String> changes =
          connector.events(RESOURCE).stream()
              .filter(event -> !event.tombstone())
              .map(event -> String.valueOf(event.at("op")))
              .toList();
      assertThat(changes).containsOnlyOnce("u", "d").hasSize(52);
    }
  }
}
