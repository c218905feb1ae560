package io.posconnect.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import io.posconnect.cluster.Cluster;
import io.posconnect.cluster.SharedCluster;
import io.posconnect.cluster.TopicRecord;
import io.posconnect.simulator.Churn;
import io.posconnect.simulator.SimulatedLocation;
import io.posconnect.simulator.SimulatedLocation.InitialRows;
import io.posconnect.simulator.Simulator;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Two busy locations, read with a lookback that shows every change again and again. {@code
 * -Dchurn.seconds} says for how long, {@code -Dchurn.seed} what happens.
 */
@ExtendWith(SharedCluster.class)
class ChurnIT {

  private static final int SECONDS = Integer.getInteger("churn.seconds", 15);
  private static final long SEED = Long.getLong("churn.seed", System.nanoTime());
  private static final int PER_SECOND = 80;

  @Test
  void everyChangeBecomesOneEventInOrderAndNothingElseDoes(Cluster cluster) {
    System.out.println("churn.seed=" + SEED);
    try (Simulator service = Simulator.builder().unlimited().start()) {
      SimulatedLocation steady = location(service, "steady-key");
      SimulatedLocation reconciled = location(service, "reconciled-key");
      try (Connector connector = connector(cluster, service).start()) {
        for (String resource : RevisionHistory.KEYS.keySet()) {
          connector.awaitTruth("steady", steady, resource);
          connector.awaitTruth("reconciled", reconciled, resource);
        }
        try (Churn one = service.churn(steady, SEED).start(PER_SECOND);
            Churn other = service.churn(reconciled, SEED + 1).start(PER_SECOND)) {
          Connector.await("the day is over", () -> happened(one) && happened(other));
        }
        RevisionHistory.KEYS.forEach(
            (resource, key) -> assertToldAsServed(connector, steady, resource, key));
        RevisionHistory.KEYS.forEach(
            (resource, key) -> assertPublishedAsItIs(connector, reconciled, resource, key));
        connector.awaitTruth("reconciled", reconciled, SimulatedLocation.LOYALTY);
        assertReadMuchMoreOftenThanTold(connector);
      }
    }
  }

  private static SimulatedLocation location(Simulator service, String key) {
    SimulatedLocation location = service.location(key);
    service.fill(location, new InitialRows(400, 250, 300, Duration.ofDays(5), 300, 80));
    return location;
  }

  /**
   * One location that is only ever read by increments, one with a reconciliation every two seconds.
   */
  private static Connector connector(Cluster cluster, Simulator service) {
    return new Connector(cluster, "churn", service)
        .eager(
            SimulatedLocation.PRODUCTS,
            SimulatedLocation.CUSTOMERS,
            SimulatedLocation.REGISTER_TRANSACTIONS,
            SimulatedLocation.INVENTORY,
            SimulatedLocation.LOYALTY)
        .location("steady", "steady-key")
        .location("reconciled", "reconciled-key")
        .set("reconcile.interval.ms", "0")
        .set("locations.reconciled.reconcile.interval.ms", "2000")
        .set("resources.customers.snapshot", "pages")
        .set("topic.creation.default.replication.factor", "1")
        .set("topic.creation.default.partitions", "3");
  }

  private static boolean happened(Churn churn) {
    return churn.counts().values().stream().mapToInt(Integer::intValue).sum()
        >= SECONDS * PER_SECOND;
  }

  /**
   * Without reconciliations nothing is read twice at different times: the events are what was
   * served.
   */
  private static void assertToldAsServed(
      Connector connector, SimulatedLocation location, String resource, String key) {
    Map<Long, List<Integer>> published =
        Connector.await(
            resource + " has published its last change",
            () -> RevisionHistory.published(connector.events("steady", resource), key),
            soFar ->
                RevisionHistory.length(soFar)
                    >= RevisionHistory.length(RevisionHistory.served(location, resource)));
    assertThat(published).as(resource).isEqualTo(RevisionHistory.served(location, resource));
    System.out.printf(
        "%s: %d events of %d rows%n",
        resource, RevisionHistory.length(published), published.size());
  }

  private static void assertPublishedAsItIs(
      Connector connector, SimulatedLocation location, String resource, String key) {
    connector.awaitTruth("reconciled", location, resource);
    RevisionHistory.assertPlausible(
        RevisionHistory.published(connector.events("reconciled", resource), key),
        RevisionHistory.served(location, resource),
        location.truth(resource));
  }

  private static void assertReadMuchMoreOftenThanTold(Connector connector) {
    for (String resource :
        List.of(SimulatedLocation.PRODUCTS, SimulatedLocation.REGISTER_TRANSACTIONS)) {
      List<TopicRecord> checkpoints = connector.checkpoints("steady", resource);
      long changes = sum(checkpoints, "created") + sum(checkpoints, "updated");
      long repeats = sum(checkpoints, "suppressed");
      System.out.printf("%s: %d events, %d repeats%n", resource, changes, repeats);
      assertThat(repeats).as(resource).isGreaterThan(5 * changes);
    }
  }

  private static long sum(List<TopicRecord> checkpoints, String field) {
    return checkpoints.stream().mapToLong(checkpoint -> (long) checkpoint.at(field)).sum();
  }
}
