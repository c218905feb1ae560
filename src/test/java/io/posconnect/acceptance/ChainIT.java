package io.posconnect.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import io.posconnect.acceptance.ClusterInspector.Use;
import io.posconnect.benchmark.ResultsPage;
import io.posconnect.cluster.Cluster;
import io.posconnect.cluster.ClusterOptions;
import io.posconnect.cluster.MetricsAgent;
import io.posconnect.simulator.RequestLog.Delays;
import io.posconnect.simulator.RequestLog.LoggedRequest;
import io.posconnect.simulator.SimulatedLocation.InitialRows;
import io.posconnect.simulator.Simulator;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A chain of locations with five resources each, of one connector on one worker.
 *
 * <p>{@code -Dchain.streams=100,1000,5000} sets the numbers of streams, {@code -Dchain.seconds=300}
 * watches for longer, {@code -Dchain.heap=1g} sets the worker's heap, {@code -Dchain.tasks=1} has
 * one task do it all, and {@code -Dchain=write} writes the table into docs/scaling.md. What it
 * measures is printed rather than asserted, since a loaded machine delays everybody.
 */
@Tag("practice")
class ChainIT {

  private static final Duration LASTS = Duration.ofSeconds(Integer.getInteger("chain.seconds", 30));
  private static final String TASKS = System.getProperty("chain.tasks", "2");
  private static final String HEAP = System.getProperty("chain.heap", "512m");
  private static final int INTERVAL_MS = 15_000;
  private static final Duration PATIENCE = Duration.ofMinutes(10);
  private static final String HEADER =
      """
      | streams | heap live MB | threads | requests a second | processors | late ms p50 / p99 / most | offsets KB | restart s | series | scrape ms |
      | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |
      """;
  private static final List<String> TABLE = new ArrayList<>();

  static Stream<Integer> streams() {
    return Arrays.stream(System.getProperty("chain.streams", "1000").split(",", -1))
        .map(Integer::valueOf);
  }

  @AfterAll
  static void report() throws IOException {
    String table = HEADER + String.join("", TABLE);
    System.out.print(table);
    if (System.getProperty("chain", "").equals("write")) {
      ResultsPage.write(Path.of("docs", "scaling.md"), "results", table);
    }
  }

  @ParameterizedTest
  @MethodSource("streams")
  void readsEveryStreamInTurnWithinEveryLimit(int streams) throws Exception {
    List<String> locations =
        IntStream.range(0, streams / Connector.PUBLISHED.length)
            .mapToObj("store%04d"::formatted)
            .toList();
    MetricsAgent agent = MetricsAgent.of(Path.of("config", "monitoring", "jmx-exporter.yml"));
    try (Simulator service = Simulator.builder().withoutHistory().start();
        Cluster cluster =
            Cluster.start(
                ClusterOptions.of("chain").withWorkerHeap(HEAP).withWorkerJvm(agent.option()))) {
      InitialRows sizes = new InitialRows(20, 20, 20, Duration.ofMinutes(50), 20, 0);
      locations.forEach(name -> service.fill(service.location(key(name)), sizes));
      try (Connector connector = connector(cluster, service, locations).start()) {
        await("every stream's snapshot", () -> published(connector) == streams);
        awaitReadAgain(service, streams);
        int from = service.requests().size();
        Duration busy = ClusterInspector.processorTime();
        ChaosRun.pass(LASTS);
        busy = ClusterInspector.processorTime().minus(busy);
        List<LoggedRequest> requests = since(service, from);
        Use use = new ClusterInspector(cluster).use();
        Instant scraped = Instant.now();
        long series = agent.metrics().lines().filter(line -> !line.startsWith("#")).count();
        Duration scrape = Duration.between(scraped, Instant.now());
        long offsets = new Offsets(cluster, connector.name()).storedBytes();
        assertThat(cluster.connect().status(connector.name()).all("RUNNING")).isTrue();
        assertNoLimitWasExceeded(service, locations);
        Duration restart = restart(cluster, connector, service, streams);
        TABLE.add(row(streams, use, requests, busy, offsets, restart, series, scrape.toMillis()));
      }
    }
  }

  private static String row(
      int streams,
      Use use,
      List<LoggedRequest> requests,
      Duration busy,
      long offsets,
      Duration restart,
      long series,
      long scrapeMillis) {
    Delays late = Delays.of(requests, INTERVAL_MS);
    return String.format(
        Locale.ROOT,
        "| %,d | %d | %d | %.0f | %.2f | %d / %d / %d | %,d | %.1f | %,d | %,d |%n",
        streams,
        use.liveBytes() >> 20,
        use.threads(),
        requests.size() / (double) LASTS.toSeconds(),
        busy.toMillis() / (double) LASTS.toMillis(),
        late.percentile(50),
        late.percentile(99),
        late.percentile(100),
        offsets >> 10,
        restart.toMillis() / 1000.0,
        series,
        scrapeMillis);
  }

  private static String key(String location) {
    return "key-of-" + location;
  }

  private static Connector connector(Cluster cluster, Simulator service, List<String> locations) {
    Connector connector =
        new Connector(cluster, "chain", service)
            .resources(Connector.PUBLISHED)
            .set("tasks.max", TASKS)
            .set("start.from", service.now().minus(Duration.ofHours(1)).toString())
            .set("checkpoint.interval.ms", "60000")
            .set("validate.connection", "false");
    locations.forEach(name -> connector.location(name, key(name)));
    for (String resource : Connector.PUBLISHED) {
      connector.set("resources." + resource + ".poll.interval.ms", Integer.toString(INTERVAL_MS));
    }
    return connector;
  }

  /** The number of streams that have completed a fetch. */
  private static int published(Connector connector) {
    Set<String> streams = new HashSet<>();
    connector
        .checkpoints()
        .forEach(
            checkpoint ->
                streams.add(checkpoint.at("location") + "/" + checkpoint.at("resource_name")));
    return streams.size();
  }

  /** From the order to resume after a stop until every stream has been read. */
  private static Duration restart(
      Cluster cluster, Connector connector, Simulator service, int streams) {
    cluster.connect().stop(connector.name());
    Instant from = Instant.now();
    cluster.connect().resume(connector.name());
    awaitReadAgain(service, streams);
    return Duration.between(from, Instant.now());
  }

  private static void awaitReadAgain(Simulator service, int streams) {
    int from = service.requests().size();
    await("every stream is read", () -> read(since(service, from)) == streams);
  }

  private static void await(String what, Callable<Boolean> condition) {
    Awaitility.await(what).atMost(PATIENCE).pollInterval(Duration.ofMillis(700)).until(condition);
  }

  private static List<LoggedRequest> since(Simulator service, int index) {
    List<LoggedRequest> requests = service.requests();
    return requests.subList(index, requests.size());
  }

  private static int read(List<LoggedRequest> requests) {
    Set<String> streams = new HashSet<>();
    requests.forEach(request -> streams.add(request.location() + request.path()));
    return streams.size();
  }

  private static void assertNoLimitWasExceeded(Simulator service, List<String> locations) {
    assertThat(service.requests()).noneMatch(request -> request.status() == 429);
    for (String name : locations) {
      assertThat(service.maxInAnySlidingMinute("/reporting/inventory", service.location(key(name))))
          .isLessThanOrEqualTo(60);
    }
  }
}
