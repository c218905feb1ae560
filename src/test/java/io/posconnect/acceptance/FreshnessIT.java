package io.posconnect.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import io.posconnect.cluster.Cluster;
import io.posconnect.cluster.SharedCluster;
import io.posconnect.cluster.TopicReader.Follower;
import io.posconnect.cluster.TopicRecord;
import io.posconnect.simulator.RequestLog.Delays;
import io.posconnect.simulator.SimulatedLocation;
import io.posconnect.simulator.Simulator;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Measures how soon a change is a committed event when a stream is read as often as its limit of
 * 120 requests a minute allows, and what an increment without rows costs. {@code
 * -Dfresh.seconds=300} measures for longer.
 */
@Tag("practice")
@ExtendWith(SharedCluster.class)
class FreshnessIT {

  private static final Duration LASTS = Duration.ofSeconds(Integer.getInteger("fresh.seconds", 60));
  private static final int LOCATIONS = 20;

  @Test
  void commitsChangesWithinASlotOfTheLimit(Cluster cluster) {
    try (Simulator service = Simulator.builder().withoutHistory().start();
        Connector connector = connector(cluster, "fresh", service)) {
      SimulatedLocation location = service.location();
      location.products().generate(100);
      connector.start();
      connector.awaitTruth(location, SimulatedLocation.PRODUCTS);
      Delays delays = delays(cluster, location);
      System.out.printf(
          "%d changes: committed after p50 %d, p99 %d, most %d ms; at most %d requests a minute%n",
          delays.size(),
          delays.percentile(50),
          delays.percentile(99),
          delays.percentile(100),
          service.maxInAnySlidingMinute("/products", location));
      assertThat(delays.size()).isPositive();
      assertThat(service.requests()).noneMatch(request -> request.status() == 429);
    }
  }

  /** Reads as often as the limit allows. */
  private static Connector connector(Cluster cluster, String name, Simulator service) {
    return new Connector(cluster, name, service)
        .resources(SimulatedLocation.PRODUCTS)
        .set("poll.interval.ms", "1")
        .set("validate.connection", "false");
  }

  /** From a change at the till to its event at a consumer that reads committed events. */
  private static Delays delays(Cluster cluster, SimulatedLocation location) {
    Random random = new Random(1);
    Map<Long, Instant> changed = new HashMap<>();
    List<Long> millis = new ArrayList<>();
    try (Follower events = cluster.topics().follow(Pattern.compile("fresh\\.products"))) {
      Instant end = Instant.now().plus(LASTS);
      Instant next = Instant.now();
      while (Instant.now().isBefore(end) || millis.size() < changed.size()) {
        Instant now = Instant.now();
        if (now.isAfter(next) && now.isBefore(end)) {
          changed.put(location.products().create(), now);
          next = now.plusMillis(100 + random.nextInt(800));
        }
        for (TopicRecord event : events.poll()) {
          Instant at = changed.get(((Number) event.keyAt("productId")).longValue());
          if (at != null) {
            millis.add(Duration.between(at, Instant.now()).toMillis());
          }
        }
      }
    }
    return new Delays(millis);
  }

  @Test
  void readsIncrementsWithoutRowsCheaply(Cluster cluster) {
    try (Simulator service = Simulator.builder().withoutHistory().start();
        Connector connector =
            connector(cluster, "idle", service)
                .set("lookback.ms", "1000")
                .set("checkpoint.interval.ms", "60000")) {
      List<String> keys =
          IntStream.range(0, LOCATIONS).mapToObj("key-of-store%02d"::formatted).toList();
      keys.forEach(key -> connector.location(key.substring("key-of-".length()), key));
      keys.forEach(key -> service.location(key).products().generate(10));
      Duration idle = used(Duration.ofSeconds(20));
      connector.start();
      Connector.await("snapshots", () -> connector.checkpoints().size() >= LOCATIONS);
      ChaosRun.pass(Duration.ofSeconds(20));
      int before = service.requests().size();
      Duration used = used(LASTS);
      int requests = service.requests().size() - before;
      long idleMicros = idle.toNanos() / 1000 * LASTS.toSeconds() / 20;
      System.out.printf(
          "%d increments without rows in %s: %.2f ms of processor time each%n",
          requests, LASTS, (used.toNanos() / 1000.0 - idleMicros) / 1000 / requests);
      assertThat(requests).isPositive();
      assertThat(service.requests()).noneMatch(request -> request.status() == 429);
    }
  }

  /** The processor time of the worker in a span of time. */
  private static Duration used(Duration span) {
    Duration before = ClusterInspector.processorTime();
    ChaosRun.pass(span);
    return ClusterInspector.processorTime().minus(before);
  }
}
