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
import java.util.function.Predicate;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Two busy locations, read with a lookback that shows every change again and again. {@code
 * -Dchurn.seconds} sets the duration, {@code -Dchurn.seed} the changes.
 */
@Tag("practice")
@ExtendWith(SharedCluster.class)
class ChurnIT {

  private static final int SECONDS = Integer.getInteger("churn.seconds", 15);
  private static final long SEED = Long.getLong("churn.seed", System.nanoTime());
  private static final int PER_SECOND = 80;

  @Test
  void emitsEachChangeOnceAndInOrder(Cluster cluster) {
    System.out.println("churn.seed=" + SEED);
    try (Simulator service = Simulator.builder().unlimited().start()) {
      SimulatedLocation steady = location(service, "steady-key");
      SimulatedLocation reconciled = location(service, "reconciled-key");
      try (Connector connector = connector(cluster, service).start()) {
        for (String resource : ChaosRun.RESOURCES) {
          connector.awaitTruth("steady", steady, resource);
          connector.awaitTruth("reconciled", reconciled, resource);
        }
        try (Churn one = service.churn(steady, SEED).start(PER_SECOND);
            Churn other = service.churn(reconciled, SEED + 1).start(PER_SECOND)) {
          Connector.await("the day is over", () -> happened(one) && happened(other));
        }
        for (String resource : ChaosRun.RESOURCES) {
          // Without reconciliations no row is read again at another time.
          assertEmitted(connector, "steady", steady, resource, DeliveryCheck::holds);
          connector.awaitTruth("reconciled", reconciled, resource);
          assertEmitted(connector, "reconciled", reconciled, resource, DeliveryCheck::isOrderly);
        }
        connector.awaitTruth("reconciled", reconciled, SimulatedLocation.LOYALTY);
        assertReadMuchMoreOftenThanEmitted(connector);
      }
    }
  }

  private static void assertEmitted(
      Connector connector,
      String name,
      SimulatedLocation location,
      String resource,
      Predicate<DeliveryCheck> law) {
    DeliveryCheck check =
        Connector.await(
            name + "/" + resource + " is emitted as it was served",
            () -> {
              List<Event> events = Event.of(connector.events(name, resource));
              return DeliveryCheck.of(location, resource, events, List.of());
            },
            law);
    Event.assertOrderedByKey(connector.events(name, resource));
    System.out.printf(
        "%s/%s: %d contents, %d events%n", name, resource, check.contents(), check.events());
  }

  private static SimulatedLocation location(Simulator service, String key) {
    SimulatedLocation location = service.location(key);
    service.fill(location, new InitialRows(400, 250, 300, Duration.ofDays(5), 300, 80));
    return location;
  }

  /** One location is read by increments only, the other also by frequent reconciliations. */
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
        .partitions(3);
  }

  private static boolean happened(Churn churn) {
    return churn.counts().values().stream().mapToInt(Integer::intValue).sum()
        >= SECONDS * PER_SECOND;
  }

  private static void assertReadMuchMoreOftenThanEmitted(Connector connector) {
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
