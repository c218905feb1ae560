package io.posconnect.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import io.posconnect.acceptance.ClusterInspector.Use;
import io.posconnect.cluster.Cluster;
import io.posconnect.cluster.SharedCluster;
import io.posconnect.simulator.RequestLog.Delays;
import io.posconnect.simulator.RequestLog.LoggedRequest;
import io.posconnect.simulator.SimulatedLocation.InitialRows;
import io.posconnect.simulator.Simulator;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * A chain of two hundred locations with five resources each: a thousand streams of one connector on
 * one worker.
 *
 * <p>{@code -Dchain.seconds=300} watches for longer, {@code -Dchain.tasks=1} has one task do it
 * all. Delays, threads and heap are printed rather than asserted, since a loaded machine delays
 * everybody.
 */
@Tag("practice")
@ExtendWith(SharedCluster.class)
class ChainIT {

  private static final Duration LASTS = Duration.ofSeconds(Integer.getInteger("chain.seconds", 0));
  private static final String TASKS = System.getProperty("chain.tasks", "2");
  private static final int INTERVAL_MS = 15_000;
  private static final List<String> LOCATIONS =
      IntStream.range(0, 200).mapToObj("store%03d"::formatted).toList();

  @Test
  void aThousandStreamsAreReadInTurnWithinEveryLimit(Cluster cluster) throws Exception {
    try (Simulator service = Simulator.builder().withoutHistory().start()) {
      InitialRows sizes = new InitialRows(20, 20, 20, Duration.ofMinutes(50), 20, 0);
      LOCATIONS.forEach(name -> service.fill(service.location(key(name)), sizes));
      Instant begun = Instant.now();
      try (Connector connector = connector(cluster, service).start()) {
        int streams = LOCATIONS.size() * Connector.PUBLISHED.length;
        Connector.await("every stream's snapshot", () -> published(connector).size() == streams);
        Duration snapshots = Duration.between(begun, Instant.now());
        ClusterInspector inspector = new ClusterInspector(cluster);
        Use before = inspector.use();
        int from = service.requests().size();
        ChaosRun.pass(LASTS);
        Connector.await(
            "every stream was read again", () -> streamsOf(since(service, from)).size() == streams);
        List<LoggedRequest> requests = since(service, from);
        Delays late = Delays.of(requests, INTERVAL_MS);
        System.out.printf(
            "%d streams, snapshots after %,d ms; %d requests in %s, late by p50 %d, p99 %d, most %d"
                + " ms; %s, then %s%n",
            streams,
            snapshots.toMillis(),
            requests.size(),
            LASTS,
            late.percentile(50),
            late.percentile(99),
            late.percentile(100),
            before,
            inspector.use());
        assertThat(cluster.connect().status(connector.name()).all("RUNNING")).isTrue();
        assertNoLimitWasExceeded(service);
      }
    }
  }

  private static String key(String location) {
    return "key-of-" + location;
  }

  private static Connector connector(Cluster cluster, Simulator service) {
    Connector connector =
        new Connector(cluster, "chain", service)
            .resources(Connector.PUBLISHED)
            .set("tasks.max", TASKS)
            .set("start.from", service.now().minus(Duration.ofHours(1)).toString())
            .set("checkpoint.interval.ms", "60000")
            .set("validate.connection", "false");
    LOCATIONS.forEach(name -> connector.location(name, key(name)));
    for (String resource : Connector.PUBLISHED) {
      connector.set("resources." + resource + ".poll.interval.ms", Integer.toString(INTERVAL_MS));
    }
    return connector;
  }

  /** The streams that have completed a fetch. */
  private static Set<String> published(Connector connector) {
    Set<String> streams = new HashSet<>();
    connector
        .checkpoints()
        .forEach(
            checkpoint ->
                streams.add(checkpoint.at("location") + "/" + checkpoint.at("resource_name")));
    return streams;
  }

  private static List<LoggedRequest> since(Simulator service, int index) {
    List<LoggedRequest> requests = service.requests();
    return requests.subList(index, requests.size());
  }

  private static Set<String> streamsOf(List<LoggedRequest> requests) {
    Set<String> streams = new HashSet<>();
    requests.forEach(request -> streams.add(request.location() + request.path()));
    return streams;
  }

  private static void assertNoLimitWasExceeded(Simulator service) {
    assertThat(service.requests()).noneMatch(request -> request.status() == 429);
    for (String name : LOCATIONS) {
      assertThat(service.maxInAnySlidingMinute("/reporting/inventory", service.location(key(name))))
          .isLessThanOrEqualTo(60);
    }
  }
}
