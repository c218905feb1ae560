package io.posconnect.acceptance;

import io.posconnect.cluster.Cluster;
import io.posconnect.cluster.ClusterOptions;
import io.posconnect.cluster.Node;
import io.posconnect.cluster.Worker;
import io.posconnect.simulator.RequestLog.LoggedRequest;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.function.Consumer;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.TopicDescription;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Restarts three brokers and two workers with the shipped settings, one after the other as an
 * upgrade does, and kills one of each, while the store is busy. It prints how long a stream was not
 * read.
 */
@Tag("practice")
class RollingRestartIT {

  private static final Duration PATIENCE = Duration.ofMinutes(3);
  private static final String NAME = "rolling";

  @Test
  void losesAndRepeatsNothing() {
    try (Cluster cluster =
            Cluster.start(
                ClusterOptions.of(NAME).withBrokers(3).withWorkers(2).withShippedWorkers());
        ChaosRun chaos = new ChaosRun(cluster, NAME).begin(10)) {
      for (int i = 0; i < 3; i++) {
        interrupt(chaos, cluster.broker(i), "restarted", Node::stop, () -> awaitReplicas(cluster));
      }
      for (Worker worker : cluster.workers()) {
        interrupt(chaos, worker, "restarted", Node::stop, chaos::awaitTasksOnEveryWorker);
      }
      interrupt(chaos, cluster.broker(1), "killed", Node::kill9, () -> awaitReplicas(cluster));
      interrupt(chaos, cluster.worker(1), "killed", Node::kill9, chaos::awaitTasksOnEveryWorker);
      chaos.assertExactlyOnce();
    }
  }

  private static void interrupt(
      ChaosRun chaos, Node node, String how, Consumer<Node> end, Runnable settled) {
    Instant from = chaos.service.now();
    chaos.outage(
        () -> {
          end.accept(node);
          node.start();
          settled.run();
        });
    chaos.revive();
    ChaosRun.pass(Duration.ofSeconds(5));
    System.out.printf(
        "%s %s; longest time without a read: %s%n", node.name(), how, gap(chaos, from));
  }

  /** The longest time between two requests of a stream, of all streams. */
  private static Duration gap(ChaosRun chaos, Instant from) {
    Map<String, Instant> last = new HashMap<>();
    Duration longest = Duration.ZERO;
    for (LoggedRequest request : chaos.service.requests()) {
      Instant before = last.put(request.path(), request.at());
      if (before != null && request.at().isAfter(from)) {
        Duration gap = Duration.between(before, request.at());
        longest = gap.compareTo(longest) > 0 ? gap : longest;
      }
    }
    return longest;
  }

  private static void awaitReplicas(Cluster cluster) {
    try (Admin admin = Admin.create(Map.of("bootstrap.servers", cluster.bootstrapServers()))) {
      Awaitility.await("every replica is in sync")
          .atMost(PATIENCE)
          .pollInterval(Duration.ofMillis(500))
          .until(() -> inSync(admin));
    }
  }

  private static boolean inSync(Admin admin) throws InterruptedException {
    try {
      Set<String> topics = admin.listTopics().names().get();
      return admin.describeTopics(topics).allTopicNames().get().values().stream()
          .map(TopicDescription::partitions)
          .flatMap(List::stream)
          .allMatch(partition -> partition.isr().size() == partition.replicas().size());
    } catch (ExecutionException e) {
      return false;
    }
  }
}
