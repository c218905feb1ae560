package io.posconnect.cluster;

import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.common.Uuid;

/** One broker that is its own controller. */
final class ProcessBroker extends ProcessNode implements Broker {

  private static final Duration START = Duration.ofSeconds(90);

  private final String address;
  private final Path settings;

  private ProcessBroker(Run run, List<Integer> ports) {
    super("broker", run);
    this.address = "127.0.0.1:" + ports.get(0);
    Path data = run.folder("broker-" + ports.get(0));
    this.settings =
        run.settings("broker.properties", settings(address, "127.0.0.1:" + ports.get(1), data));
  }

  static Broker start(Run run) {
    return started(() -> formatted(run));
  }

  private static ProcessBroker formatted(Run run) {
    ProcessBroker broker = new ProcessBroker(run, Ports.free(2));
    Jvm.kafka(
            "128m",
            "kafka.tools.StorageTool",
            "format",
            "--standalone",
            "-t",
            Uuid.randomUuid().toString(),
            "-c",
            broker.settings.toString())
        .with("-XX:TieredStopAtLevel=1")
        .start("broker-format", run)
        .awaitSuccess(START);
    return broker;
  }

  private static Map<String, String> settings(String address, String controller, Path data) {
    Map<String, String> settings = new HashMap<>();
    settings.put("process.roles", "broker,controller");
    settings.put("node.id", "1");
    settings.put("listeners", "PLAINTEXT://" + address + ",CONTROLLER://" + controller);
    settings.put("advertised.listeners", "PLAINTEXT://" + address);
    settings.put("controller.listener.names", "CONTROLLER");
    settings.put("listener.security.protocol.map", "PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT");
    settings.put("controller.quorum.bootstrap.servers", controller);
    settings.put("log.dirs", data.toString());
    settings.put("num.partitions", "1");
    settings.put("offsets.topic.replication.factor", "1");
    settings.put("offsets.topic.num.partitions", "5");
    settings.put("transaction.state.log.replication.factor", "1");
    settings.put("transaction.state.log.min.isr", "1");
    settings.put("transaction.state.log.num.partitions", "5");
    settings.put("share.coordinator.state.topic.replication.factor", "1");
    settings.put("share.coordinator.state.topic.min.isr", "1");
    settings.put("group.initial.rebalance.delay.ms", "0");
    return settings;
  }

  @Override
  Jvm jvm() {
    return Jvm.kafka("512m", "kafka.Kafka", settings.toString()).with("-XX:TieredStopAtLevel=1");
  }

  @Override
  void awaitReady(Child started) {
    try (Admin admin =
        Admin.create(
            Map.of(
                "bootstrap.servers",
                address,
                "default.api.timeout.ms",
                "2000",
                "request.timeout.ms",
                "1000",
                "reconnect.backoff.max.ms",
                "100"))) {
      started.awaitReady(START, () -> serves(admin));
    }
  }

  private static boolean serves(Admin admin) throws InterruptedException {
    try {
      return !admin.describeCluster().nodes().get().isEmpty();
    } catch (ExecutionException e) {
      return false;
    }
  }

  @Override
  public String bootstrapServers() {
    return address;
  }
}
