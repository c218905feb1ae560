package io.posconnect.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import io.posconnect.cluster.Cluster;
import io.posconnect.cluster.SharedCluster;
import io.posconnect.simulator.Endpoint;
import io.posconnect.simulator.Fault;
import io.posconnect.simulator.Faults.ActiveFault;
import io.posconnect.simulator.SimulatedLocation;
import io.posconnect.simulator.SimulatedLocation.InitialRows;
import io.posconnect.simulator.Simulator;
import io.posconnect.simulator.Table;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** The worker is killed with -9 when part of a snapshot, or of an increment, is committed. */
@ExtendWith(SharedCluster.class)
class CrashIT {

  private static final int ROWS = 3_000;

  @Test
  void repeatsNothingWhenKilledInMidSnapshotAndMidIncrement(Cluster cluster) {
    try (Simulator service = Simulator.builder().unlimited().start()) {
      SimulatedLocation location = service.location();
      service.fill(location, new InitialRows(ROWS, 0, 0, Duration.ofDays(9), 0, 0));
      try (Connector connector = new Connector(cluster, "killed", service)) {
        connector.eager(SimulatedLocation.PRODUCTS).set("batch.max.records", "200");
        ActiveFault slow = slow(service);
        connector.start();
        killAmid(cluster, connector, 0);
        slow.close();
        cluster.worker(0).start();
        connector.awaitTruth(location, SimulatedLocation.PRODUCTS);
        assertPublished(connector, ROWS);

        ActiveFault slowAgain = slow(service);
        Table products = location.products();
        products.ids().forEach(products::update);
        killAmid(cluster, connector, ROWS);
        slowAgain.close();
        cluster.worker(0).start();
        connector.awaitTruth(location, SimulatedLocation.PRODUCTS);
        assertPublished(connector, 2 * ROWS);
      }
    }
  }

  private static ActiveFault slow(Simulator service) {
    return service.faults().on(Endpoint.PRODUCTS).then(Fault.slowBody(1_000_000));
  }

  /** Kills it when some of the changes are committed, and certainly not all of them. */
  private static void killAmid(Cluster cluster, Connector connector, int before) {
    Connector.await(
        "some changes are committed",
        () -> connector.events(SimulatedLocation.PRODUCTS).size() > before + ROWS / 10);
    cluster.worker(0).kill9();
    int committed = connector.events(SimulatedLocation.PRODUCTS).size();
    System.out.printf("killed when %d of %d were committed%n", committed - before, ROWS);
    assertThat(committed - before).isLessThan(ROWS);
  }

  private static void assertPublished(Connector connector, int events) {
    assertThat(Event.of(connector.events(SimulatedLocation.PRODUCTS)))
        .extracting(event -> event.id() + " in revision " + event.revision())
        .hasSize(events)
        .doesNotHaveDuplicates();
  }
}
