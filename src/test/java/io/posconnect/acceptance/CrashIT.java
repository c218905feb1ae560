package io.posconnect.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import io.posconnect.cluster.Cluster;
import io.posconnect.cluster.SharedCluster;
import io.posconnect.simulator.Churn;
import io.posconnect.simulator.Endpoint;
import io.posconnect.simulator.Fault;
import io.posconnect.simulator.Faults.ActiveFault;
import io.posconnect.simulator.SimulatedLocation;
import io.posconnect.simulator.SimulatedLocation.InitialRows;
import io.posconnect.simulator.Simulator;
import io.posconnect.simulator.Table;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * The worker is killed with -9 at the worst moments. {@code -Dcrash.kills} says how often it is in
 * the midst of a busy day, {@code -Dchurn.seed} what happens on that day.
 */
@ExtendWith(SharedCluster.class)
class CrashIT {

  private static final int ROWS = 6_000;
  private static final int KILLS = Integer.getInteger("crash.kills", 2);
  private static final long SEED = Long.getLong("churn.seed", System.nanoTime());
  private static final int PER_SECOND = 80;

  @Test
  void nothingIsMissedOrRepeatedWhenTheWorkerDiesInMidSnapshotAndInMidIncrement(Cluster cluster) {
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
        assertPublished(connector, List.of(1));

        ActiveFault slowAgain = slow(service);
        Table products = location.products();
        products.ids().forEach(products::update);
        killAmid(cluster, connector, ROWS);
        slowAgain.close();
        cluster.worker(0).start();
        connector.awaitTruth(location, SimulatedLocation.PRODUCTS);
        assertPublished(connector, List.of(1, 2));
      }
    }
  }

  private static ActiveFault slow(Simulator service) {
    return service.faults().on(Endpoint.PRODUCTS).then(Fault.slowBody(2_000_000));
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

  private static void assertPublished(Connector connector, List<Integer> revisions) {
    Map<Long, List<Integer>> published =
        RevisionHistory.published(connector.events(SimulatedLocation.PRODUCTS), "productId");
    assertThat(published).hasSize(ROWS);
    assertThat(published.values()).containsOnly(revisions);
  }

  @Test
  void everyChangeOfABusyDayIsPublishedOnceWhateverDies(Cluster cluster) {
    System.out.println("churn.seed=" + SEED);
    Map<String, String> keys =
        Map.of(
            SimulatedLocation.PRODUCTS, "productId",
            SimulatedLocation.REGISTER_TRANSACTIONS, "registerTransactionId",
            SimulatedLocation.INVENTORY, "inventoryId");
    try (Simulator service = Simulator.builder().unlimited().start()) {
      SimulatedLocation location = service.location();
      service.fill(location, new InitialRows(800, 100, 600, Duration.ofDays(5), 500, 0));
      try (Connector connector = new Connector(cluster, "busy", service)) {
        connector
            .eager(keys.keySet().toArray(String[]::new))
            .set("reconcile.interval.ms", "3000")
            // The first reconciliation after a start waits one lookback.
            .set("lookback.ms", "5000")
            // A day in a minute or two also deletes a day's rows: no reason to hold deletes back.
            .set("deletes.max.ratio", "1");
        try (Churn churn = service.churn(location, SEED).start(PER_SECOND)) {
          connector.start();
          for (int kill = 0; kill < KILLS; kill++) {
            int events = connector.events(SimulatedLocation.REGISTER_TRANSACTIONS).size();
            Connector.await(
                "more is published",
                () ->
                    connector.events(SimulatedLocation.REGISTER_TRANSACTIONS).size()
                        > events + 2 * PER_SECOND);
            cluster.worker(0).kill9();
            cluster.worker(0).start();
          }
          System.out.println("meanwhile: " + churn.counts());
        }
        keys.forEach(
            (resource, key) -> {
              connector.awaitTruth(location, resource);
              RevisionHistory.assertPlausible(
                  RevisionHistory.published(connector.events(resource), key),
                  RevisionHistory.served(location, resource),
                  location.truth(resource));
            });
      }
    }
  }
}
