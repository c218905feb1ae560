package io.posconnect.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import io.posconnect.cluster.Cluster;
import io.posconnect.cluster.ClusterOptions;
import io.posconnect.cluster.SharedCluster;
import io.posconnect.hostile.Answer;
import io.posconnect.hostile.Call;
import io.posconnect.hostile.Certificates;
import io.posconnect.hostile.HostileService;
import io.posconnect.hostile.Hostility;
import io.posconnect.simulator.Endpoint;
import io.posconnect.simulator.SimulatedLocation;
import io.posconnect.simulator.Simulator;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/**
 * In a worker with little heap, a connector whose service answers in every hostile way disturbs
 * nothing: a neighbour publishes each change of its store, and the worker obeys its operator.
 *
 * <p>{@code -Dhostile.seconds=600} lasts longer, {@code -Dhostile.heap=128m} gives another heap,
 * {@code -Dseed} replays the order of the answers.
 */
@Tag("practice")
@ExtendWith(SharedCluster.class)
class HostileResponsesIT {

  private static final String HEAP = System.getProperty("hostile.heap", "64m");
  private static final Duration LASTS =
      Duration.ofSeconds(Integer.getInteger("hostile.seconds", 20));
  private static final long SEED = Long.getLong("seed", System.nanoTime());
  private static final String PASSWORD = "changeit";

  @TempDir private Path folder;

  @Test
  void hostileServiceDisturbsNoNeighbour(Cluster shared) throws Exception {
    Certificates certificates = new Certificates(folder, PASSWORD);
    try (Simulator service = Simulator.builder().unlimited().start();
        Script script = new Script(certificates);
        Cluster cluster =
            Cluster.startBeside(shared, ClusterOptions.of("hostile").withWorkerHeap(HEAP))) {
      service.location().products().generate(20);
      Connector healthy =
          new Connector(cluster, "healthy", service).eager(SimulatedLocation.PRODUCTS).start();
      Connector.await("rows", () -> healthy.events(SimulatedLocation.PRODUCTS).size() == 20);
      Connector hostile = script.connector(cluster, certificates, service).start();
      service.forgetRequests();

      attack(cluster, service, healthy, script);

      cluster.connect().delete(hostile.name());
      assertThat(cluster.connect().connectors()).containsExactly(healthy.name());
      assertThat(cluster.connect().status(healthy.name()).all("RUNNING")).isTrue();
      assertThat(Files.readString(cluster.worker(0).log())).doesNotContain("OutOfMemoryError");
    }
  }

  /** Changes the neighbour's store during the attack. */
  private static void attack(Cluster cluster, Simulator service, Connector healthy, Script script) {
    int events = healthy.events(SimulatedLocation.PRODUCTS).size();
    Instant end = Instant.now().plus(LASTS);
    while (Instant.now().isBefore(end) || !script.isComplete()) {
      service.location().products().update(1);
      int expected = ++events;
      Connector.await(
          "an event, seed " + SEED,
          () -> healthy.events(SimulatedLocation.PRODUCTS).size() == expected);
      assertThat(cluster.connect().status(Script.NAME).all("RUNNING")).as("seed %d", SEED).isTrue();
    }
  }

  /** Two services, one with TLS, that answer in every way by turns. */
  private static final class Script implements AutoCloseable {

    static final String NAME = "hostile";

    private final List<Hostility> kinds = new ArrayList<>(List.of(Hostility.values()));
    private int answers;
    private final HostileService plain;
    private final HostileService tls;

    Script(Certificates certificates) throws Exception {
      Collections.shuffle(kinds, new Random(SEED));
      // A stream that is refused rests for a while.
      kinds.sort(Comparator.comparing(Script::isRefusal));
      plain = HostileService.start(null, SEED, this::answer);
      tls = HostileService.start(certificates.context(), SEED, this::answer);
    }

    private static boolean isRefusal(Hostility kind) {
      return kind.name().matches("(REDIRECT|REFUSAL|STATUS|EMPTY)_.*");
    }

    private synchronized Answer answer(Call call) {
      if (call.path().equals(Endpoint.WHOAMI)) {
        return Answer.json("{\"locationName\":\"Main Street\",\"lspName\":\"Shop\"}");
      }
      Hostility kind = kinds.get(answers % kinds.size());
      if (call.head().isEmpty() && !kind.isBelowTls()) {
        return Answer.json("");
      }
      answers++;
      return kind;
    }

    synchronized boolean isComplete() {
      return answers >= kinds.size();
    }

    Connector connector(Cluster cluster, Certificates certificates, Simulator service) {
      String[] resources = {
        SimulatedLocation.PRODUCTS, SimulatedLocation.INVENTORY, SimulatedLocation.CUSTOMERS
      };
      return new Connector(cluster, NAME, service)
          .location("plain", "key-of-plain")
          .location("tls", "key-of-tls")
          .eager(resources)
          .set("base.url", plain.baseUrl().toString())
          .set("locations.tls.base.url", tls.baseUrl().toString())
          .set("ssl.truststore.location", certificates.trusted().toString())
          .set("ssl.truststore.password", PASSWORD)
          .set("validate.connection", "false")
          .set("request.timeout.ms", "3000")
          .set("stall.timeout.ms", "2000")
          .set("retry.backoff.ms", "50")
          .set("retry.backoff.max.ms", "200");
    }

    @Override
    public void close() {
      plain.close();
      tls.close();
    }
  }
}
