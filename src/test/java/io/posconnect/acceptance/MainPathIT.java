package io.posconnect.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import io.posconnect.cluster.Cluster;
import io.posconnect.cluster.ClusterOptions;
import io.posconnect.simulator.RandomStore;
import io.posconnect.simulator.Simulator;
import io.posconnect.simulator.Store;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Every published resource becomes typed events, exactly one a change, on real parts. */
class MainPathIT {

  private static final String[] ALL = {
    Store.PRODUCTS,
    Store.CUSTOMERS,
    Store.REGISTER_TRANSACTIONS,
    Store.INVENTORY,
    Store.LOCATIONS,
    Store.LOYALTY
  };

  private static Cluster cluster;

  @BeforeAll
  static void start() {
    cluster = Cluster.start(ClusterOptions.of("main-path"));
    cluster.schemas().compatibility("FULL_TRANSITIVE");
  }

  @AfterAll
  static void close() {
    if (cluster != null) {
      cluster.close();
    }
  }

  @Test
  void aSnapshotOfEveryResourceEqualsTheStoreFieldByField() {
    try (Simulator service =
        Simulator.builder().unlimited().keyPages("/loyalty", Store.LOYALTY).start()) {
      Store store = service.store();
      service.fill(store, new RandomStore(5_000, 3_000, 2_000, Duration.ofDays(10), 4_000, 500));
      try (Connector connector = new Connector(cluster, "snapshot", service)) {
        connector.eager(ALL).set("resources.loyalty-transactions.path", "/loyalty").start();
        for (String resource : ALL) {
          connector.awaitTruth(store, resource);
          assertThat(connector.events(resource))
              .extracting(event -> event.at("op"))
              .containsOnly("r");
        }
      }
      for (String subject : cluster.schemas().subjects()) {
        assertThat(cluster.schemas().versions(subject)).as(subject).isEqualTo(List.of(1));
      }
    }
  }
}
