package io.posconnect.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import io.posconnect.cluster.Cluster;
import io.posconnect.cluster.TopicRecord;
import io.posconnect.simulator.Endpoint;
import io.posconnect.simulator.SimulatedLocation;
import io.posconnect.simulator.SimulatedLocation.InitialRows;
import io.posconnect.simulator.Simulator;
import io.posconnect.simulator.Table;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/**
 * A connector of which a transform drops records, at most two to a batch, so that whole batches are
 * dropped. Each scenario needs a stream whose position goes on all the same, also after a restart.
 */
final class DroppedRecords implements AutoCloseable {

  private static final int ROWS = 40;

  private final Simulator service = Simulator.builder().unlimited().start();
  private final SimulatedLocation location = service.location();
  private final Cluster cluster;
  private final Connector connector;

  /**
   * @param support the value of {@code exactly.once.support}
   */
  DroppedRecords(Cluster cluster, String name, String support) {
    this.cluster = cluster;
    service.fill(location, new InitialRows(ROWS, 0, 0, Duration.ofDays(9), ROWS, 0));
    connector =
        new Connector(cluster, name, service)
            .set("exactly.once.support", support)
            .set("batch.max.records", "2")
            .set("transforms", "drop")
            .set("transforms.drop.type", "org.apache.kafka.connect.transforms.Filter")
            .set("transforms.drop.predicate", "which")
            .set("predicates", "which");
  }

  void followsStreamWithoutEvents() {
    dropProducts().eager(SimulatedLocation.PRODUCTS).start();
    awaitFollowed(SimulatedLocation.PRODUCTS);
    location.products().ids().forEach(location.products()::update);
    awaitFollowed(SimulatedLocation.PRODUCTS);

    restart();
    awaitFollowed(SimulatedLocation.PRODUCTS);

    assertThat(service.requests(Endpoint.PRODUCTS))
        .as("nothing is read in full again")
        .isNotEmpty()
        .allSatisfy(request -> assertThat(request.query()).contains("from"));
    assertThat(connector.events(SimulatedLocation.PRODUCTS)).isEmpty();
  }

  /** The events of one stream are dropped, those of another one of the same task are kept. */
  void losesAndRepeatsNothingBesideDroppedStream() {
    String[] both = {SimulatedLocation.PRODUCTS, SimulatedLocation.INVENTORY};
    dropProducts().eager(both).set("tasks.max", "1").start();
    connector.awaitTruth(location, SimulatedLocation.INVENTORY);
    for (Table table : List.of(location.products(), location.inventory())) {
      table.ids().forEach(table::update);
    }
    awaitFollowed(both);

    restart();
    awaitFollowed(both);

    connector.awaitTruth(location, SimulatedLocation.INVENTORY);
    assertThat(Event.of(connector.events(SimulatedLocation.INVENTORY)))
        .hasSizeGreaterThanOrEqualTo(2 * ROWS)
        .doesNotHaveDuplicates();
    assertThat(connector.events(SimulatedLocation.PRODUCTS)).isEmpty();
  }

  void followsStreamWhoseDeletesAreDropped() {
    connector
        .set(
            "predicates.which.type",
            "org.apache.kafka.connect.transforms.predicates.RecordIsTombstone")
        .set("event.format", "flat")
        .eager(SimulatedLocation.INVENTORY)
        .start();
    awaitFollowed(SimulatedLocation.INVENTORY);
    Table inventory = location.inventory();
    inventory.ids().subList(0, 5).forEach(inventory::delete);
    awaitFollowed(SimulatedLocation.INVENTORY);
    long last = inventory.create();
    inventory.delete(last);
    awaitFollowed(SimulatedLocation.INVENTORY);

    restart();
    awaitFollowed(SimulatedLocation.INVENTORY);

    assertThat(checkpoints(SimulatedLocation.INVENTORY))
        .as("deletes were emitted")
        .anyMatch(checkpoint -> !checkpoint.at("deleted").equals(0L));
    assertThat(connector.events(SimulatedLocation.INVENTORY))
        .noneMatch(TopicRecord::tombstone)
        .extracting(event -> event.keyAt("inventoryId"))
        .hasSize(ROWS)
        .doesNotHaveDuplicates();
  }

  private Connector dropProducts() {
    return connector
        .set(
            "predicates.which.type",
            "org.apache.kafka.connect.transforms.predicates.TopicNameMatches")
        .set("predicates.which.pattern", connector.name() + "\\.products");
  }

  private void restart() {
    cluster.connect().stop(connector.name());
    service.forgetRequests();
    cluster.connect().resume(connector.name());
  }

  /** Waits until a checkpoint of each stream reports what the service shows now. */
  private void awaitFollowed(String... resources) {
    Instant now = service.now();
    for (String resource : resources) {
      Connector.await(
          "the watermark of " + resource + " passes " + now,
          () ->
              checkpoints(resource).stream()
                  .anyMatch(checkpoint -> completeTo(checkpoint).isAfter(now)));
    }
  }

  private List<TopicRecord> checkpoints(String resource) {
    return connector.checkpoints("default", resource);
  }

  private static Instant completeTo(TopicRecord checkpoint) {
    return Instant.ofEpochMilli((Long) checkpoint.at("complete_to"));
  }

  @Override
  public void close() {
    connector.close();
    service.close();
  }
}
