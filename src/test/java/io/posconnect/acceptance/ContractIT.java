package io.posconnect.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import io.posconnect.cluster.Cluster;
import io.posconnect.cluster.SharedCluster;
import io.posconnect.cluster.TopicRecord;
import io.posconnect.simulator.SimulatedLocation;
import io.posconnect.simulator.SimulatedLocation.InitialRows;
import io.posconnect.simulator.Simulator;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.avro.generic.GenericRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * A contract grows while rows change: the registry accepts it, and no key changes its bytes. What
 * it would accept and consumers would misread is refused.
 */
@ExtendWith(SharedCluster.class)
class ContractIT {

  private static final InitialRows FEW = new InitialRows(60, 0, 0, Duration.ofDays(1), 0, 0);

  /** The connector's own contract under the same name, with one more field and other docs. */
  private static final String GROWN =
      """
      {"type": "record", "name": "Product", "doc": "another", "fields": [
        {"name": "productId", "type": "long", "doc": "another"},
        {"name": "name", "type": ["null", "string"], "default": null, "doc": "another"},
        {"name": "price", "type": ["null",
          {"type": "bytes", "logicalType": "decimal", "precision": 38, "scale": 9}], "default": null},
        {"name": "sku", "type": ["null", "string"], "default": null}
      ]}
      """;

  private static final String SKU = "\"sku\", \"type\": [\"null\", \"string\"]";
  private static final String DECIMAL_SKU =
      SKU.replace(
          "\"string\"",
          "{\"type\": \"bytes\", \"logicalType\": \"decimal\", \"precision\": 38, \"scale\": 9}");

  @Test
  void growingContractChangesNoKey(Cluster cluster) {
    try (Simulator service = Simulator.builder().unlimited().start()) {
      SimulatedLocation location = service.location();
      service.fill(location, FEW);
      try (Connector connector = new Connector(cluster, "grown", service)) {
        connector.eager(SimulatedLocation.PRODUCTS).partitions(6).start();
        connector.awaitTruth(location, SimulatedLocation.PRODUCTS);
        connector.set("resources.products.schema", GROWN).start();
        updateUntilTyped(connector, location, "sku");
        connector.set("resources.products.fields", "categoryId:int,tags:json").start();
        updateUntilTyped(connector, location, "tags");

        List<TopicRecord> events = connector.events(SimulatedLocation.PRODUCTS);
        assertThat(events).hasSizeGreaterThanOrEqualTo(3 * FEW.products());
        assertOnePartitionForEachKey(events);
        assertThat(cluster.registry().versions("grown.products-key")).hasSize(1);
        assertThat(cluster.registry().versions(SharedCluster.GROWING)).hasSize(3);
        TopicRecord last = events.get(events.size() - 1);
        assertThat(last.at("after.categoryId")).isInstanceOf(Integer.class);
        assertThat(last.headers()).isEmpty();

        // Its rule admits a text as a decimal, but 8.26 would be read as another number.
        connector.set("resources.products.schema", GROWN.replace(SKU, DECIMAL_SKU)).start();
        Connector.await(
            "the refusal",
            () -> connector.statuses("SUSPENDED").stream().anyMatch(s -> s.contains("POS-609")));
        assertThat(cluster.registry().versions(SharedCluster.GROWING)).hasSize(3);
        int before = events.size();
        connector.set("resources.products.schema", GROWN).start();
        location.products().update(location.products().ids().get(0));
        connector.awaitTruth(location, SimulatedLocation.PRODUCTS);
        assertThat(connector.events(SimulatedLocation.PRODUCTS)).hasSize(before + 1);
      }
    }
  }

  private static void assertOnePartitionForEachKey(List<TopicRecord> events) {
    Map<String, Set<Integer>> partitions = new HashMap<>();
    for (TopicRecord event : events) {
      partitions
          .computeIfAbsent(String.valueOf(event.key()), key -> new HashSet<>())
          .add(event.partition());
    }
    assertThat(partitions).hasSize(FEW.products()).allSatisfy((k, p) -> assertThat(p).hasSize(1));
    assertThat(new HashSet<>(partitions.values())).as("several partitions").hasSizeGreaterThan(1);
  }

  /** The former task may run for a moment and emit some of the updates under the old contract. */
  private static void updateUntilTyped(
      Connector connector, SimulatedLocation location, String field) {
    Connector.await(
        field + " is typed",
        () -> {
          location.products().ids().forEach(location.products()::update);
          connector.awaitTruth(location, SimulatedLocation.PRODUCTS);
          List<TopicRecord> events = connector.events(SimulatedLocation.PRODUCTS);
          GenericRecord after = (GenericRecord) events.get(events.size() - 1).at("after");
          return after.getSchema().getField(field) != null;
        });
  }
}
