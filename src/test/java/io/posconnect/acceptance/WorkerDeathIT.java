package io.posconnect.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import io.posconnect.cluster.Cluster;
import io.posconnect.cluster.ClusterOptions;
import io.posconnect.cluster.ConnectorStatus;
import io.posconnect.cluster.ConnectorStatus.Task;
import io.posconnect.cluster.TopicRecord;
import io.posconnect.cluster.Worker;
import io.posconnect.simulator.Endpoint;
import io.posconnect.simulator.RequestLog.LoggedRequest;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Of two workers with the shipped settings each is killed, as the leader of its group and not: the
 * other reads its streams on, exactly once. It prints how long that took and what Connect reported
 * meanwhile.
 */
@Tag("practice")
class WorkerDeathIT {

  /** Far below the five minutes that Connect waits by default. */
  private static final Duration PATIENCE = Duration.ofMinutes(2);

  private static final Set<String> PATHS =
      Set.of(
          Endpoint.PRODUCTS,
          Endpoint.CUSTOMERS,
          Endpoint.REGISTER_TRANSACTIONS,
          Endpoint.INVENTORY);

  @Test
  void readsStreamsOfDeadWorkerOnExactlyOnce() {
    try (Cluster cluster =
            Cluster.start(ClusterOptions.of("death").withWorkers(2).withShippedWorkers());
        ChaosRun chaos = new ChaosRun(cluster, "death").begin(5)) {
      chaos.awaitTasksOnEveryWorker();
      // Whoever leads the group at first: the second death is that of a worker which does not.
      for (int index : new int[] {0, 0, 1}) {
        Worker worker = cluster.worker(index);
        chaos.outage(() -> die(cluster, worker, chaos));
        worker.start();
        chaos.awaitTasksOnEveryWorker();
      }
      chaos.assertExactlyOnce();
      List<TopicRecord> states = cluster.topics().read("death.status");
      System.out.println("status topic: " + states.stream().map(r -> r.at("type")).toList());
    }
  }

  private static void die(Cluster cluster, Worker worker, ChaosRun chaos) {
    worker.kill9();
    Instant death = chaos.service.now();
    String address = address(worker.restUrl());
    Map<String, Duration> reported = new LinkedHashMap<>();
    Awaitility.await("every stream is read again")
        .atMost(PATIENCE)
        .pollInterval(Duration.ofMillis(250))
        .until(
            () -> {
              Duration since = Duration.between(death, chaos.service.now());
              reported.putIfAbsent(states(cluster.connect().status("death"), address), since);
              return readAgain(chaos, death).size() == PATHS.size();
            });
    System.out.printf("%s died; its tasks were %s%n", worker.name(), reported);
    readAgain(chaos, death)
        .forEach(
            (path, at) ->
                System.out.printf("%s read after %s%n", path, Duration.between(death, at)));
    assertThat(reported).isNotEmpty();
  }

  /** The first request of each stream after that time. */
  private static Map<String, Instant> readAgain(ChaosRun chaos, Instant death) {
    Map<String, Instant> first = new LinkedHashMap<>();
    for (LoggedRequest request : chaos.service.requests()) {
      if (request.at().isAfter(death) && PATHS.contains(request.path())) {
        first.putIfAbsent(request.path(), request.at());
      }
    }
    return first;
  }

  private static String states(ConnectorStatus status, String address) {
    List<String> ofDead =
        status.tasks().stream()
            .filter(task -> task.worker().equals(address))
            .map(Task::state)
            .toList();
    return ofDead.isEmpty() ? "on another worker" : ofDead.toString();
  }

  private static String address(URI worker) {
    return worker.getHost() + ":" + worker.getPort();
  }
}
