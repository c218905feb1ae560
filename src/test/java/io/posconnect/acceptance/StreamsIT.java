package io.posconnect.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.posconnect.cluster.Artefacts;
import io.posconnect.cluster.Cluster;
import io.posconnect.cluster.Program;
import io.posconnect.cluster.SharedCluster;
import io.posconnect.simulator.SimulatedLocation;
import io.posconnect.simulator.SimulatedLocation.InitialRows;
import io.posconnect.simulator.Simulator;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** The example of Kafka Streams joins two topics of two stores that change meanwhile. */
@Tag("practice")
@ExtendWith(SharedCluster.class)
class StreamsIT {

  private static final Path EXAMPLE = Path.of("src", "consumers", "streams", "StockValue.java");
  private static final String NAME = "streams";

  @Test
  void stockValueEqualsTheRowsOfEachStore(Cluster cluster) {
    try (Simulator service = Simulator.builder().unlimited().start();
        Connector connector = connector(cluster, service)) {
      Map<String, SimulatedLocation> stores = new HashMap<>();
      for (String store : new String[] {"north", "south"}) {
        SimulatedLocation location = service.location(store);
        service.fill(location, new InitialRows(60, 0, 0, Duration.ofDays(1), 90, 0));
        stores.put(store, location);
      }
      connector.start();
      try (Program.Running example =
          Program.startSource(
              Artefacts.consumer("streams"),
              EXAMPLE,
              "stock-value",
              cluster.bootstrapServers(),
              cluster.registry().converterUrl().toString(),
              NAME)) {
        stores.values().forEach(store -> churn(service, store));
        Map<String, BigDecimal> truth = new HashMap<>();
        stores.forEach((name, store) -> truth.put(name, value(store)));
        Connector.await(
            "the value of the stock is " + truth,
            () -> {
              assertThat(example.alive()).as("see %s", example.log()).isTrue();
              return values(cluster).equals(truth);
            });
        System.out.println("stock value: " + truth);
      }
    }
  }

  private static Connector connector(Cluster cluster, Simulator service) {
    return new Connector(cluster, NAME, service)
        .eager(SimulatedLocation.PRODUCTS, SimulatedLocation.INVENTORY)
        .location("north", "north")
        .location("south", "south")
        .set("resources.inventory.fields", "productId:long,quantityAvailable:decimal")
        .set("reconcile.interval.ms", "2000")
        .set("lookback.ms", "1000")
        .partitions(2);
  }

  private static void churn(Simulator service, SimulatedLocation location) {
    Connector.churn(service, location, 300);
    location.products().ids().subList(0, 5).forEach(location.products()::delete);
    location.inventory().ids().subList(0, 5).forEach(location.inventory()::delete);
  }

  private static BigDecimal value(SimulatedLocation store) {
    Map<Long, BigDecimal> prices = new HashMap<>();
    for (JsonNode product : store.truth(SimulatedLocation.PRODUCTS).values()) {
      prices.put(product.path("productId").asLong(), product.path("price").decimalValue());
    }
    BigDecimal value = BigDecimal.ZERO;
    for (JsonNode line : store.truth(SimulatedLocation.INVENTORY).values()) {
      BigDecimal price = prices.getOrDefault(line.path("productId").asLong(), BigDecimal.ZERO);
      value = value.add(price.multiply(line.path("quantityAvailable").decimalValue()));
    }
    return value.stripTrailingZeros();
  }

  /** The latest value of each store. */
  private static Map<String, BigDecimal> values(Cluster cluster) {
    Map<String, BigDecimal> values = new HashMap<>();
    if (cluster.topics().topics().contains(NAME + ".stock-value")) {
      for (var record : cluster.topics().raw(NAME + ".stock-value")) {
        BigDecimal value = new BigDecimal(new String(record.value(), StandardCharsets.UTF_8));
        values.put(new String(record.key(), StandardCharsets.UTF_8), value.stripTrailingZeros());
      }
    }
    return values;
  }
}
