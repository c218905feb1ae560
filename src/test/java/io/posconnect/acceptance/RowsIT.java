package io.posconnect.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.posconnect.cluster.Cluster;
import io.posconnect.cluster.SharedCluster;
import io.posconnect.cluster.TopicRecord;
import io.posconnect.simulator.Endpoint;
import io.posconnect.simulator.SimulatedLocation;
import io.posconnect.simulator.SimulatedLocation.InitialRows;
import io.posconnect.simulator.Simulator;
import io.posconnect.simulator.Table;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.avro.generic.GenericRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Rows that are broken, rows that a user describes better, and rows that nobody described. */
@ExtendWith(SharedCluster.class)
class RowsIT {

  private static final InitialRows FEW = new InitialRows(60, 0, 0, Duration.ofDays(1), 40, 0);

  /** More types than the contract has: of every kind that Avro knows. */
  private static final String LARGER =
      """
      {"type": "record", "name": "Product", "fields": [
        {"name": "productId", "type": "long"},
        {"name": "name", "type": ["null", "string"], "default": null},
        {"name": "price", "type": ["null",
          {"type": "bytes", "logicalType": "decimal", "precision": 20, "scale": 4}]},
        {"name": "sku", "type": ["null", "string"], "default": null},
        {"name": "categoryId", "type": ["null", "int"], "default": null},
        {"name": "onlineAvailable", "type": ["null", "boolean"], "default": null},
        {"name": "tags", "type": ["null", {"type": "array", "items": "string"}]},
        {"name": "brand", "type": ["null", {"type": "record", "name": "Brand", "fields": [
          {"name": "id", "type": ["null", "long"]},
          {"name": "label", "type": ["null", "string"]}]}]},
        {"name": "lastModifiedDateUTC", "type": ["null", "string"]}
      ]}
      """;

  @Test
  void brokenRowsBecomeOneDeadLetterEachHoweverOftenTheyAreRead(Cluster cluster) {
    try (Simulator service = Simulator.builder().unlimited().start()) {
      SimulatedLocation location = service.location();
      service.fill(location, FEW);
      for (String resource : List.of(SimulatedLocation.PRODUCTS, SimulatedLocation.INVENTORY)) {
        Table table = location.table(resource);
        table.createRaw("{\"note\":\"a row of " + resource + " without a key\"}");
        table.createRaw("\"no object but a text of " + resource + "\"");
        table.createEdited(row -> withKeyOf(table, row));
        // Or an increment would see only the later of the two, and take it for a change.
        table.touch(table.ids().get(0));
      }
      try (Connector connector = new Connector(cluster, "broken", service)) {
        connector.eager(SimulatedLocation.PRODUCTS, SimulatedLocation.INVENTORY).start();
        Connector.await("all six are published", () -> connector.deadLetters().size() >= 6);
        awaitMoreReads(connector, SimulatedLocation.PRODUCTS);
        awaitMoreReads(connector, SimulatedLocation.INVENTORY);

        assertThat(connector.deadLetters())
            .hasSize(6)
            .extracting(letter -> letter.at("reason"))
            .doesNotContainNull();
        assertThat(connector.deadLetters())
            .extracting(letter -> CompactedTopic.parse(String.valueOf(letter.at("row_json"))))
            .contains(CompactedTopic.parse("\"no object but a text of inventory\""));
        assertThat(connector.events(SimulatedLocation.PRODUCTS).size()).isEqualTo(60);
        assertThat(connector.events(SimulatedLocation.INVENTORY).size()).isEqualTo(40);

        cluster.connect().restart("broken");
        cluster.connect().awaitRunning("broken");
        awaitMoreReads(connector, SimulatedLocation.INVENTORY);
        assertThat(connector.deadLetters()).hasSize(6);
      }
    }
  }

  private static ObjectNode withKeyOf(Table table, ObjectNode row) {
    String key = table.resource().equals(SimulatedLocation.PRODUCTS) ? "productId" : "inventoryId";
    return row.put(key, table.ids().get(0));
  }

  /** Waits for checkpoints of reads that begin after now. */
  private static void awaitMoreReads(Connector connector, String resource) {
    int before = connector.checkpoints("default", resource).size();
    Connector.await(
        resource + " is read again",
        () -> connector.checkpoints("default", resource).size() >= before + 3);
  }

  /** Ours, with one more field and other docs, under the same name. */
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

  @Test
  void aContractThatGrowsUnderChurnChangesNoKey(Cluster cluster) {
    try (Simulator service = Simulator.builder().unlimited().start()) {
      SimulatedLocation location = service.location();
      service.fill(location, FEW);
      try (Connector connector = new Connector(cluster, "grown", service)) {
        connector
            .eager(SimulatedLocation.PRODUCTS)
            .set("topic.creation.default.partitions", "6")
            .set("topic.creation.default.replication.factor", "1")
            .start();
        connector.awaitTruth(location, SimulatedLocation.PRODUCTS);
        connector.set("resources.products.schema", GROWN).start();
        updateUntilTyped(connector, location, "sku");
        connector.set("resources.products.fields", "categoryId:int,tags:json").start();
        updateUntilTyped(connector, location, "tags");

        List<TopicRecord> events = connector.events(SimulatedLocation.PRODUCTS);
        assertThat(events).hasSizeGreaterThanOrEqualTo(3 * FEW.products());
        Map<String, Set<Integer>> partitions = new HashMap<>();
        events.forEach(
            event ->
                partitions
                    .computeIfAbsent(String.valueOf(event.key()), key -> new HashSet<>())
                    .add(event.partition()));
        assertThat(partitions)
            .hasSize(FEW.products())
            .allSatisfy((k, p) -> assertThat(p).hasSize(1));
        assertThat(new HashSet<>(partitions.values()))
            .as("several partitions")
            .hasSizeGreaterThan(1);
        assertThat(cluster.registry().versions("grown.products-key")).hasSize(1);
        assertThat(cluster.registry().versions(SharedCluster.GROWING)).hasSize(3);
        TopicRecord last = events.get(events.size() - 1);
        assertThat(last.at("after.categoryId")).isInstanceOf(Integer.class);
        assertThat(last.headers()).doesNotContainKey("__op");
      }
    }
  }

  /** The task of before may go on for a moment, and tell some of the updates in the old form. */
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

  @Test
  void aLargerSchemaOfTheUsersReplacesTheContract(Cluster cluster) {
    try (Simulator service = Simulator.builder().unlimited().start()) {
      SimulatedLocation location = service.location();
      service.fill(location, FEW);
      try (Connector connector = new Connector(cluster, "typed", service)) {
        connector
            .eager(SimulatedLocation.PRODUCTS)
            .set("resources.products.schema", LARGER)
            .start();
        connector.awaitTruth(location, SimulatedLocation.PRODUCTS);
        location.products().ids().forEach(location.products()::update);
        connector.awaitTruth(location, SimulatedLocation.PRODUCTS);

        List<TopicRecord> events = connector.events(SimulatedLocation.PRODUCTS);
        assertThat(events).hasSize(120);
        assertThat(events)
            .extracting(event -> (GenericRecord) event.at("after"))
            .allSatisfy(
                row -> {
                  assertThat(row.get("onlineAvailable")).isInstanceOf(Boolean.class);
                  assertThat(row.get("tags")).isInstanceOf(List.class);
                  assertThat(row.get("brand")).isInstanceOf(GenericRecord.class);
                  assertThat(CompactedTopic.parse(row.get("extra").toString()).has("sku"))
                      .isFalse();
                });
      }
    }
  }

  @Test
  void aResourceThatOnlyConfigurationNamesIsReadAsItSays(Cluster cluster) {
    try (Simulator service = withUnpublishedEndpoints()) {
      SimulatedLocation location = service.location();
      Table rooms = location.table("rooms");
      Table drawers = location.table("drawers");
      rooms.generate(30);
      drawers.generate(250);
      try (Connector connector = new Connector(cluster, "named", service)) {
        connector
            .eager("rooms", "drawers")
            .set("resources.rooms.path", "/stock/rooms")
            .set("resources.rooms.retrieval", "full")
            .set("resources.rooms.key.fields", "id")
            .set("resources.drawers.path", "/cash/drawers")
            .set("resources.drawers.retrieval", "cursor")
            .set("resources.drawers.key.fields", "id")
            .set(
                "resources.drawers.schema",
                "{\"type\":\"record\",\"name\":\"Drawer\",\"fields\":["
                    + "{\"name\":\"id\",\"type\":\"long\"}]}")
            .start();
        connector.awaitTruth(location, "drawers");
        Connector.await("all rooms are published", () -> connector.events("rooms").size() >= 30);
        rooms.update(7);
        rooms.delete(8);
        drawers.update(9);
        drawers.delete(10);
        connector.awaitTruth(location, "drawers");
        // Update, delete and its tombstone.
        Connector.await("both are published", () -> connector.events("rooms").size() >= 33);

        assertThat(connector.events("rooms")).hasSize(33);
        assertThat(connector.events("rooms"))
            .extracting(event -> event.keyAt("id"))
            .contains("7", "8");
        assertThat(RevisionHistory.published(connector.events("drawers"), "id"))
            .hasSize(250)
            .containsEntry(9L, List.of(1, 2))
            .containsEntry(10L, List.of(1, RevisionHistory.GONE));
      }
    }
  }

  private static Simulator withUnpublishedEndpoints() {
    return Simulator.builder()
        .unlimited()
        .endpoint(
            new Endpoint("/stock/rooms", "rooms", Endpoint.Style.FULL, Optional.empty(), 1_000_000))
        .endpoint(
            new Endpoint(
                "/cash/drawers", "drawers", Endpoint.Style.PAGE_KEYS, Optional.empty(), 1_000_000))
        .start();
  }
}
