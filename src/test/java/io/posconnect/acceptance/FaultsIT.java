package io.posconnect.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import io.posconnect.cluster.Cluster;
import io.posconnect.cluster.SharedCluster;
import io.posconnect.simulator.Endpoint;
import io.posconnect.simulator.Fault;
import io.posconnect.simulator.Faults.ActiveFault;
import io.posconnect.simulator.SimulatedLocation;
import io.posconnect.simulator.SimulatedLocation.InitialRows;
import io.posconnect.simulator.Simulator;
import io.posconnect.simulator.Table;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Whatever a service answers, the streams wait, come back by themselves, and keep its limits. */
@ExtendWith(SharedCluster.class)
class FaultsIT {

  private static final Duration MORE_THAN_A_MINUTE = Duration.ofSeconds(70);

  private record Place(String resource, String path, String keyField, int limit) {}

  private static final List<Place> PLACES =
      List.of(
          new Place(SimulatedLocation.PRODUCTS, Endpoint.PRODUCTS, "productId", 120),
          new Place(SimulatedLocation.CUSTOMERS, Endpoint.CUSTOMERS, "customerID", 120),
          new Place(
              SimulatedLocation.REGISTER_TRANSACTIONS,
              Endpoint.REGISTER_TRANSACTIONS,
              "registerTransactionId",
              60),
          new Place(SimulatedLocation.INVENTORY, Endpoint.INVENTORY, "inventoryId", 60));

  // Throttling comes last, since it slows the streams down for minutes.
  private static Map<String, Supplier<Fault>> faults() {
    Map<String, Supplier<Fault>> faults = new LinkedHashMap<>();
    faults.put("a body cut short", Fault::cutChunks);
    faults.put("a page for people", Fault::html);
    faults.put("status 500", () -> Fault.status(500));
    faults.put("a body that falls silent", Fault::silentBody);
    faults.put("a reset", Fault::reset);
    faults.put("a reset amid the body", Fault::resetBody);
    faults.put("status 429", Fault::throttled);
    return faults;
  }

  @Test
  void everyStreamRecoversAloneAndPassesNothingByAndKeepsTheLimits(Cluster cluster) {
    try (Simulator service = Simulator.start()) {
      SimulatedLocation location = service.location();
      service.fill(location, new InitialRows(300, 200, 200, Duration.ofDays(2), 200, 0));
      try (Connector connector = connector(cluster, service).start()) {
        PLACES.forEach(place -> connector.awaitTruth(location, place.resource()));
        faults()
            .forEach(
                (name, fault) -> {
                  withstands(name, fault, service, connector);
                  PLACES.forEach(place -> connector.awaitTruth(location, place.resource()));
                });
        cluster.connect().restart(connector.name());
        Connector.await("more than a minute has passed", () -> logged(service));
        PLACES.forEach(place -> assertPublishedOnce(connector, location, place));
        assertKeepsTheLimits(service, location);
      }
    }
  }

  /** Reads as often as the published limits allow. */
  private static Connector connector(Cluster cluster, Simulator service) {
    return new Connector(cluster, "faults", service)
        .resources(PLACES.stream().map(Place::resource).toArray(String[]::new))
        .set("poll.interval.ms", "1")
        .set("start.from", service.now().minus(Duration.ofDays(3)).toString())
        .set("stall.timeout.ms", "1500")
        .set("retry.backoff.ms", "200")
        .set("retry.backoff.max.ms", "1000");
  }

  /** While it lasts, no watermark comes later than its beginning. */
  private static void withstands(
      String name, Supplier<Fault> fault, Simulator service, Connector connector) {
    List<ActiveFault> active = new ArrayList<>();
    for (Place place : PLACES) {
      active.add(service.faults().on(place.path()).then(fault.get()));
    }
    Instant begun = service.now();
    for (Place place : PLACES) {
      Table table = service.location().table(place.resource());
      table.update(table.ids().get(7));
      table.create();
    }
    Connector.await(
        name + " has struck everywhere", () -> active.stream().allMatch(each -> each.hits() >= 2));
    assertThat(connector.checkpoints())
        .as(name)
        .extracting(checkpoint -> Instant.ofEpochMilli((long) checkpoint.at("complete_to")))
        .allSatisfy(watermark -> assertThat(watermark).isBeforeOrEqualTo(begun));
    active.forEach(ActiveFault::close);
  }

  private static boolean logged(Simulator service) {
    var requests = service.requests();
    return Duration.between(requests.get(0).at(), requests.get(requests.size() - 1).at())
            .compareTo(MORE_THAN_A_MINUTE)
        > 0;
  }

  private static void assertPublishedOnce(
      Connector connector, SimulatedLocation location, Place place) {
    RevisionHistory.assertPlausible(
        RevisionHistory.published(connector.events(place.resource()), place.keyField()),
        RevisionHistory.served(location, place.resource()),
        location.truth(place.resource()));
  }

  private static void assertKeepsTheLimits(Simulator service, SimulatedLocation location) {
    for (Place place : PLACES) {
      int most = service.maxInAnySlidingMinute(place.path(), location);
      System.out.printf("%s: at most %d a minute of %d%n", place.path(), most, place.limit());
      assertThat(most).as(place.path()).isBetween(place.limit() / 4, place.limit());
    }
  }
}
