package io.posconnect.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import io.posconnect.cluster.Cluster;
import io.posconnect.cluster.ClusterOptions;
import io.posconnect.cluster.TopicReader.Follower;
import io.posconnect.cluster.TopicRecord;
import io.posconnect.cluster.Worker.HeapUse;
import io.posconnect.simulator.Endpoint;
import io.posconnect.simulator.SimulatedLocation;
import io.posconnect.simulator.Simulator;
import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.Base64;
import java.util.BitSet;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Measures how fast a snapshot passes the whole chain, and in how much memory: {@code
 * -Dspeed=5000,200000} gives the numbers of rows, {@code -Dspeed.heap=256m} the worker's heap,
 * {@code -Dspeed.exactly-once=false} the other guarantee. The worker's processor time is printed as
 * well, since it depends less on what else the machine does.
 */
@EnabledIfSystemProperty(named = "speed", matches = "[0-9,]+")
class SnapshotSpeedIT {

  private static final String HEAP = System.getProperty("speed.heap", "256m");
  private static final boolean EXACTLY_ONCE =
      Boolean.parseBoolean(System.getProperty("speed.exactly-once", "true"));
  private static final Duration LIMIT = Duration.ofMinutes(10);

  static List<Integer> sizes() {
    return Arrays.stream(System.getProperty("speed").split(",", -1)).map(Integer::valueOf).toList();
  }

  @ParameterizedTest
  @MethodSource("sizes")
  void snapshotStreamsThroughASmallHeap(int rows) throws IOException {
    try (Simulator service = Simulator.builder().unlimited().withoutHistory().start();
        Cluster cluster =
            Cluster.start(
                ClusterOptions.of("speed").withWorkerHeap(HEAP).withExactlyOnce(EXACTLY_ONCE))) {
      service.location().products().generate(rows);
      Instant begun = Instant.now();
      long bytes = download(service);
      Duration alone = Duration.between(begun, Instant.now());
      service.forgetRequests();

      Duration idle = ClusterInspector.processorTime();
      try (Connector connector = new Connector(cluster, "speed", service)) {
        connector
            .resources(SimulatedLocation.PRODUCTS)
            .set("digest.max.keys", "1000000")
            .set("resources.products.requests.per.minute", "600")
            .set("resources.locations.requests.per.minute", "600")
            .set("validate.connection", "false")
            .set("exactly.once.support", EXACTLY_ONCE ? "required" : "requested")
            .start();
        List<TopicRecord> checkpoints =
            cluster
                .topics()
                .await("speed.checkpoints", "a checkpoint", all -> !all.isEmpty(), LIMIT);
        Duration whole =
            Duration.between(
                service.requests(Endpoint.PRODUCTS).get(0).at(), checkpoints.get(0).timestamp());
        Duration used = ClusterInspector.processorTime().minus(idle);
        HeapUse heap = cluster.worker(0).heap();
        System.out.printf(
            "%,d rows, %,d bytes: %,d ms, %,d rows/s; worker's processor time %,d ms; the simulator"
                + " alone %,d ms; peak heap %,d MB of %s, %,d MB live, %d collections%n",
            rows,
            bytes,
            whole.toMillis(),
            rows * 1000L / whole.toMillis(),
            used.toMillis(),
            alone.toMillis(),
            heap.peakBytes() >> 20,
            HEAP,
            heap.peakLiveBytes() >> 20,
            heap.collections());
        assertThat(checkpoints.get(0).at("created")).isEqualTo((long) rows);
        assertEveryRowOnce(cluster, rows);
        System.out.printf(
            "%,d keys: restarted within %,d ms%n", rows, restart(cluster, connector, service));
      }
    }
  }

  /** From the order to go on after a stop until the first request for rows, in milliseconds. */
  private static long restart(Cluster cluster, Connector connector, Simulator service) {
    cluster.connect().stop(connector.name());
    service.forgetRequests();
    Instant from = Instant.now();
    cluster.connect().resume(connector.name());
    Connector.await("a request", () -> !service.requests(Endpoint.PRODUCTS).isEmpty());
    return Duration.between(from, service.requests(Endpoint.PRODUCTS).get(0).at()).toMillis();
  }

  /** Reads the list and drops it, to measure the simulator alone. */
  private static long download(Simulator service) throws IOException {
    HttpURLConnection connection =
        (HttpURLConnection)
            URI.create(service.baseUrl() + Endpoint.PRODUCTS).toURL().openConnection();
    byte[] credentials = (Simulator.KEY + ":").getBytes(StandardCharsets.UTF_8);
    connection.setRequestProperty(
        "Authorization", "Basic " + Base64.getEncoder().encodeToString(credentials));
    try (var body = connection.getInputStream()) {
      byte[] piece = new byte[1 << 16];
      long bytes = 0;
      for (int n = body.read(piece); n >= 0; n = body.read(piece)) {
        bytes += n;
      }
      return bytes;
    }
  }

  private static void assertEveryRowOnce(Cluster cluster, int rows) {
    BitSet seen = new BitSet(rows + 1);
    try (Follower events = cluster.topics().follow(Pattern.compile("speed\\.products"))) {
      while (seen.cardinality() < rows) {
        for (TopicRecord event : events.poll()) {
          int id = ((Number) event.keyAt("productId")).intValue();
          assertThat(seen.get(id)).as("product %s before", id).isFalse();
          seen.set(id);
        }
      }
    }
    assertThat(seen.length()).isEqualTo(rows + 1);
  }
}
