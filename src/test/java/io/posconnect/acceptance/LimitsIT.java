package io.posconnect.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import io.posconnect.cluster.Cluster;
import io.posconnect.cluster.ClusterOptions;
import io.posconnect.cluster.ConnectClient;
import io.posconnect.cluster.Worker;
import io.posconnect.simulator.Endpoint;
import io.posconnect.simulator.RequestLog.LoggedRequest;
import io.posconnect.simulator.SimulatedLocation;
import io.posconnect.simulator.SimulatedLocation.InitialRows;
import io.posconnect.simulator.Simulator;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * The connector keeps the service's limits in every sliding minute, whatever happens to the
 * processes, and the service never refuses a request.
 */
@Tag("practice")
class LimitsIT {

  private static final Map<String, Integer> LIMITS = new LinkedHashMap<>();

  static {
    LIMITS.put(Endpoint.PRODUCTS, 40);
    LIMITS.put(Endpoint.INVENTORY, 60);
    LIMITS.put(Endpoint.WHOAMI, 20);
  }

  private static Simulator service() {
    var builder = Simulator.builder();
    LIMITS.forEach(builder::limit);
    return builder.start();
  }

  /** Would read more than it may, and names itself. */
  private static Connector connector(Cluster cluster, String name, Simulator service) {
    return new Connector(cluster, name, service)
        .resources(SimulatedLocation.PRODUCTS, SimulatedLocation.INVENTORY)
        .set("resources.products.requests.per.minute", "40")
        .set("resources.inventory.requests.per.minute", "60")
        .set("resources.locations.requests.per.minute", "20")
        .set("poll.interval.ms", "1")
        .set("tasks.max", "2")
        .set("user.agent", name);
  }

  @Test
  void limitsHoldThroughCrashesRebalancesAndTwoConnectors() {
    try (Cluster cluster = Cluster.start(ClusterOptions.of("limits").withWorkers(2));
        Simulator service = service()) {
      service.fill(service.location(), InitialRows.SMALL);
      try (Connector first = connector(cluster, "limited", service).start();
          Connector second = connector(cluster, "likewise", service)) {
        awaitMore(service, "limited", 3);
        outage(cluster, service, first);
        cluster.worker(0).stop();
        cluster.connect().awaitRunning("limited");
        awaitMore(service, "limited", 2);
        second.start();
        awaitMore(service, "likewise", 8);
        assertLimitsHeld(service);
        assertBothReadSinceTheSecondBegan(service);
      }
    }
  }

  private static void outage(Cluster cluster, Simulator service, Connector connector) {
    ConnectClient connect = cluster.connect();
    Worker killed = workerOfProducts(cluster);
    killed.kill9();
    killed.start();
    awaitMore(service, "limited", 3);
    connect.restart("limited");
    awaitMore(service, "limited", 3);
    // Which tries the new configuration against the service, too.
    connector.set("batch.max.records", "1000").start();
    awaitMore(service, "limited", 3);
    workerOfProducts(cluster).restart();
    connect.awaitRunning("limited");
    awaitMore(service, "limited", 3);
  }

  private static Worker workerOfProducts(Cluster cluster) {
    var tasks = cluster.connect().awaitRunning("limited").tasks();
    String address = tasks.get(tasks.size() - 1).worker();
    return cluster.workers().stream()
        .filter(worker -> worker.restUrl().getAuthority().equals(address))
        .findFirst()
        .orElseThrow();
  }

  private static List<LoggedRequest> reads(Simulator service, String agent) {
    return service.requests(Endpoint.PRODUCTS).stream()
        .filter(request -> request.userAgent().equals(agent))
        .toList();
  }

  private static void awaitMore(Simulator service, String agent, int requests) {
    int wanted = reads(service, agent).size() + requests;
    Connector.await(agent + " reads on", () -> reads(service, agent).size() >= wanted);
  }

  private static void assertLimitsHeld(Simulator service) {
    LIMITS.forEach(
        (path, limit) -> {
          int most = service.maxInAnySlidingMinute(path, service.location());
          System.out.printf(
              "%s: %d requests, at most %d a minute of %d%n",
              path, service.requests(path).size(), most, limit);
          assertThat(most).as(path).isLessThanOrEqualTo(limit);
        });
    assertThat(service.requests()).noneMatch(request -> request.status() == 429);
    assertThat(service.maxInAnySlidingMinute(Endpoint.PRODUCTS, service.location()))
        .as("and the limit was wanted")
        .isGreaterThan(40 / 3);
    List<LoggedRequest> all = service.requests();
    assertThat(Duration.between(all.get(0).at(), all.get(all.size() - 1).at()))
        .isGreaterThan(Duration.ofMinutes(1));
  }

  private static void assertBothReadSinceTheSecondBegan(Simulator service) {
    List<LoggedRequest> second = reads(service, "likewise");
    long since = second.get(0).sequence();
    long first =
        reads(service, "limited").stream().filter(request -> request.sequence() > since).count();
    System.out.printf("since both read: %d and %d%n", first, second.size());
    assertThat(first).isBetween(second.size() / 3L, second.size() * 3L);
  }
}
