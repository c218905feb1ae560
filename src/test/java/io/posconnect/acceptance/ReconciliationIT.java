package io.posconnect.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import io.posconnect.cluster.Cluster;
import io.posconnect.cluster.SharedCluster;
import io.posconnect.simulator.Endpoint;
import io.posconnect.simulator.Fault;
import io.posconnect.simulator.SimulatedLocation;
import io.posconnect.simulator.Simulator;
import io.posconnect.simulator.Table;
import java.time.Duration;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Deletes that only reconciliations find arrive in time on a real worker. */
@ExtendWith(SharedCluster.class)
class ReconciliationIT {

  @Test
  void findsDeletesThoughPollsAreFasterThanTheLimit(Cluster cluster) {
    try (Simulator service = Simulator.builder().start();
        Connector connector = connector(cluster, "fast-polls", service)) {
      Table products = service.location().products();
      products.generate(10);
      connector.set("resources.products.poll.interval.ms", "200").start();
      awaitEvents(connector, "r", 10);
      products.delete(7);
      awaitEvents(connector, "d", 1);
    }
  }

  @Test
  void findsDeletesThoughAnswersAreSlowerThanPolls(Cluster cluster) {
    try (Simulator service = Simulator.builder().unlimited().start();
        Connector connector = connector(cluster, "slow-answers", service)) {
      Table products = service.location().products();
      products.generate(10);
      connector.set("resources.products.poll.interval.ms", "1000").start();
      awaitEvents(connector, "r", 10);
      service.faults().on(Endpoint.PRODUCTS).then(Fault.slowHeaders(Duration.ofSeconds(3)));
      products.delete(7);
      awaitEvents(connector, "d", 1);
    }
  }

  /** Rows are edited and deleted in bulk, and the edited ones deleted while the alarm is on. */
  @Test
  void findsDeletesAfterABulkChange(Cluster cluster) {
    try (Simulator service = Simulator.builder().unlimited().start();
        Connector connector = connector(cluster, "bulk-change", service)) {
      Table products = service.location().products();
      products.generate(100);
      connector
          .set("resources.products.poll.interval.ms", "250")
          .set("deletes.confirm.ms", "5000")
          .start();
      awaitEvents(connector, "r", 100);
      LongStream.rangeClosed(1, 40).forEach(products::update);
      LongStream.rangeClosed(41, 75).forEach(products::delete);
      awaitEvents(connector, "u", 40);
      LongStream.rangeClosed(1, 40).forEach(products::delete);
      awaitEvents(connector, "d", 75);
      assertThat(count(connector, "d")).isEqualTo(75);
    }
  }

  private static Connector connector(Cluster cluster, String name, Simulator service) {
    return new Connector(cluster, name, service)
        .resources(SimulatedLocation.PRODUCTS)
        .set("resources.products.lookback.ms", "1000")
        .set("resources.products.reconcile.interval.ms", "5000");
  }

  private static void awaitEvents(Connector connector, String op, int events) {
    Connector.await(events + " of " + op, () -> count(connector, op) >= events);
  }

  private static long count(Connector connector, String op) {
    return connector.events(SimulatedLocation.PRODUCTS).stream()
        .filter(event -> !event.tombstone() && op.equals(event.at("op")))
        .count();
  }
}
