package io.posconnect.acceptance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.posconnect.cluster.Cluster;
import io.posconnect.cluster.ClusterOptions;
import io.posconnect.simulator.Endpoint;
import io.posconnect.simulator.Fault;
import io.posconnect.simulator.SimulatedLocation;
import io.posconnect.simulator.SimulatedLocation.InitialRows;
import io.posconnect.simulator.Simulator;
import io.posconnect.simulator.Table;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.LongStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Deletes are seen, once, and never where there was none. */
class DeletesIT {

  private static Cluster cluster;

  @BeforeAll
  static void start() {
    cluster = Cluster.start(ClusterOptions.of("deletes"));
  }

  @AfterAll
  static void close() {
    if (cluster != null) {
      cluster.close();
    }
  }

  /** One resource of a service, and a connector that has read it. */
  private static final class Scene implements AutoCloseable {
    final Simulator service;
    final SimulatedLocation location;
    final String resource;
    final Table table;
    final String path;
    final Connector connector;

    Scene(Connector connector, Simulator service, String resource, String path) {
      this.service = service;
      this.location = service.location();
      this.resource = resource;
      this.table = location.table(resource);
      this.path = path;
      this.connector = connector;
      connector.start();
      settle();
    }

    static Scene of(String name, String resource, String path, InitialRows size, String... more) {
      Simulator service = Simulator.builder().unlimited().start();
      service.fill(service.location(), size);
      Connector connector = new Connector(cluster, name, service).eager(resource);
      for (int i = 0; i < more.length; i += 2) {
        connector.set(more[i], more[i + 1]);
      }
      return new Scene(connector, service, resource, path);
    }

    List<Event> events() {
      return Event.of(connector.events(resource));
    }

    /** What came after so many events. */
    List<Event> after(int known) {
      List<Event> all = events();
      return all.subList(known, all.size());
    }

    /** Waits for the truth, and then for three more full reads that find it so. */
    void settle() {
      connector.awaitTruth(location, resource);
      awaitFullReads(3);
    }

    void awaitFullReads(int count) {
      long before = fullReads();
      Awaitility.await("full reads of " + path)
          .atMost(Connector.PATIENCE)
          .until(() -> fullReads() >= before + count);
    }

    private long fullReads() {
      return fullReads(Instant.MIN, Instant.MAX);
    }

    /** How many began after the one moment and before the other, and were read to their end. */
    long fullReads(Instant from, Instant to) {
      return service.requests(path).stream()
          .filter(request -> request.finished() && isFull(request.query()))
          .filter(request -> request.at().isAfter(from) && request.at().isBefore(to))
          .count();
    }

    private boolean isFull(String query) {
      return resource.equals(SimulatedLocation.REGISTER_TRANSACTIONS)
          || (query.contains("PageNumber") ? query.contains("PageNumber=1&") : unfiltered(query));
    }

    @Override
    public void close() {
      connector.close();
      service.close();
    }
  }

  private static InitialRows inventory(int rows) {
    return new InitialRows(1, 1, 0, Duration.ofDays(2), rows, 0);
  }

  private static InitialRows products(int rows) {
    return new InitialRows(rows, 1, 0, Duration.ofDays(2), 0, 0);
  }

  @Test
  void aRowThatLeavesAListIsDeletedOnceAndCreatedWhenItReturns() {
    try (Scene scene =
        Scene.of("inventory", SimulatedLocation.INVENTORY, Endpoint.INVENTORY, inventory(50))) {
      int known = scene.events().size();
      String text = scene.table.row(7).toString();
      scene.table.delete(7);
      scene.settle();
      assertThat(scene.after(known)).containsExactly(new Event(7, "d", 0), new Event(7, "t", 0));

      // The same key again, under another row of the table.
      scene.table.createRaw(text);
      Awaitility.await().atMost(Connector.PATIENCE).until(() -> scene.after(known).size() > 2);
      scene.awaitFullReads(3);
      assertThat(scene.after(known + 2))
          .extracting(Event::id, Event::op)
          .containsExactly(tuple(7L, "c"));
    }
  }

  @Test
  void aServiceThatForgetsEverythingForAMomentDeletesNothingAndALastingLossIsBelievedLater() {
    try (Scene scene =
        Scene.of(
            "guarded",
            SimulatedLocation.INVENTORY,
            Endpoint.INVENTORY,
            inventory(60),
            "deletes.confirm.ms",
            "6000")) {
      int known = scene.events().size();
      scene.service.faults().on(scene.path).times(1).then(Fault.json("[]"));
      scene.awaitFullReads(5);
      assertThat(scene.after(known)).isEmpty();

      List<Long> gone = scene.table.ids().subList(0, 40);
      Instant from = Instant.now();
      gone.forEach(scene.table::delete);
      scene.settle();
      Instant believed = scene.connector.events(scene.resource).get(known).timestamp();
      assertThat(believed).as("in doubt until then").isAfter(from.plusSeconds(6));
      assertThat(scene.fullReads(from, believed)).isGreaterThanOrEqualTo(5);
      assertThat(scene.after(known))
          .filteredOn(event -> event.op().equals("d"))
          .extracting(Event::id)
          .containsExactlyElementsOf(gone);
      assertThat(scene.after(known)).hasSize(80);
    }
  }

  @Test
  void
      aReconciliationFindsWhatIncrementsCannotSeeAndNeitherAStaleReplicaNorABrokenBodyMisleadsIt() {
    try (Scene scene =
        Scene.of(
            "reconciled",
            SimulatedLocation.PRODUCTS,
            Endpoint.PRODUCTS,
            products(100),
            "reconcile.interval.ms",
            "700")) {
      int known = scene.events().size();
      scene.table.delete(7);
      scene.table.updateAt(8, scene.service.now().minus(Duration.ofDays(1)));
      scene.settle();
      assertThat(scene.after(known))
          .containsExactlyInAnyOrder(
              new Event(8, "u", scene.table.revision(8)),
              new Event(7, "d", 0),
              new Event(7, "t", 0));

      int calm = scene.events().size();
      try (var broken =
          scene
              .service
              .faults()
              .on(scene.path)
              .whenQuery(DeletesIT::unfiltered)
              .times(4)
              .then(Fault.cutChunks())) {
        scene.awaitFullReads(5);
      }
      assertThat(scene.after(calm)).as("a truncated reconciliation proves nothing").isEmpty();

      try (var stale =
          scene
              .service
              .faults()
              .on(scene.path)
              .whenQuery(DeletesIT::unfiltered)
              .then(Fault.stale(Duration.ofSeconds(4)))) {
        for (long id = 20; id < 30; id++) {
          scene.table.update(id);
        }
        scene.connector.awaitTruth(scene.location, scene.resource);
        scene.awaitFullReads(4);
      }
      scene.settle();
      assertThat(scene.after(calm)).extracting(Event::op).containsOnly("u").hasSize(10);
    }
  }

  @Test
  void rowsThatShiftBetweenPagesAreNotDeletedAndRowsThatAreGoneAre() {
    try (Scene scene =
        Scene.of(
            "paged",
            SimulatedLocation.CUSTOMERS,
            Endpoint.CUSTOMERS_PAGINATED,
            new InitialRows(1, 400, 0, Duration.ofDays(2), 0, 0),
            "resources.customers.snapshot",
            "pages",
            "resources.customers.page.size",
            "20",
            "reconcile.interval.ms",
            "1")) {
      int known = scene.events().size();
      // Each delete moves every later row one place up, mostly while somebody is paging.
      for (long id = 1; id <= 40; id += 2) {
        scene.table.delete(id);
        long requests = scene.service.requests(scene.path).size();
        Awaitility.await()
            .pollInterval(Duration.ofMillis(10))
            .atMost(Connector.PATIENCE)
            .until(() -> scene.service.requests(scene.path).size() > requests + 3);
      }
      scene.settle();
      List<Event> events = scene.after(known);
      assertThat(events).extracting(Event::op).containsOnly("d", "t");
      assertThat(events)
          .filteredOn(event -> event.op().equals("d"))
          .extracting(Event::id)
          .containsExactlyInAnyOrderElementsOf(
              LongStream.iterate(1, id -> id <= 40, id -> id + 2).boxed().toList());
    }
  }

  @Test
  void anOldTransactionThatIsEditedIsFoundWithinTheReconciliationsWindowAndNotBeyond() {
    try (Scene scene =
        Scene.of(
            "edited",
            SimulatedLocation.REGISTER_TRANSACTIONS,
            Endpoint.REGISTER_TRANSACTIONS,
            new InitialRows(1, 1, 200, Duration.ofDays(20), 0, 0),
            "reconcile.interval.ms",
            "1500",
            "reconcile.window.ms",
            Long.toString(Duration.ofDays(7).toMillis()))) {
      int known = scene.events().size();
      scene.table.updateAt(190, scene.service.now().minus(Duration.ofDays(1)));
      scene.table.updateAt(10, scene.service.now().minus(Duration.ofDays(19)));
      Awaitility.await().atMost(Connector.PATIENCE).until(() -> !scene.after(known).isEmpty());
      int checkpoints = scene.connector.checkpoints().size();
      Awaitility.await()
          .atMost(Connector.PATIENCE)
          .until(() -> scene.connector.checkpoints().size() > checkpoints + 6);
      assertThat(scene.after(known))
          .containsExactly(new Event(190, "u", scene.table.revision(190)));
    }
  }

  @Test
  void oneOfTwoIdenticalRowsThatGoesIsOneDelete() {
    try (Scene scene =
        Scene.of(
            "identical",
            SimulatedLocation.LOYALTY,
            Endpoint.LOYALTY,
            new InitialRows(1, 1, 10, Duration.ofDays(2), 0, 10),
            "resources.loyalty-transactions.path",
            Endpoint.LOYALTY)) {
      long copy = scene.table.duplicate(3);
      scene.settle();
      int known = scene.events().size();
      assertThat(known).isEqualTo(11);

      scene.table.delete(copy);
      scene.settle();
      assertThat(scene.after(known)).extracting(Event::op).containsExactly("d", "t");
    }
  }

  private static boolean unfiltered(String query) {
    return !query.contains("fromLast");
  }
}
