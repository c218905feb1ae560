package io.posconnect.cluster;

import static java.util.stream.Collectors.joining;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.common.Uuid;

/** A broker. The first of its cluster is a controller too, and of three or more every one is. */
public final class Broker extends Node {

  private static final Duration START = Duration.ofSeconds(90);

  /** The fewest of which one can be missing. */
  private static final int MAJORITY_OF = 3;

  /** The principal of the workers at guarded brokers. */
  static final String PRINCIPAL = "connect";

  private static final String PLAIN =
      "org.apache.kafka.common.security.plain.PlainLoginModule required ";
  private static final String PASSWORD = "guarded";

  private final int index;
  private final Quorum quorum;
  private final String address;
  private final String guardedAddress;
  private final Path settings;

  /**
   * The common values of the brokers of a cluster.
   *
   * @param id of the cluster
   * @param controllers of those that are controllers, in order
   * @param brokers how many there are to be
   * @param guarded whether they have a second listener that asks who calls and what he may do
   */
  private record Quorum(String id, List<Controller> controllers, int brokers, boolean guarded) {

    boolean controls(int index) {
      return index < controllers.size();
    }

    String addresses() {
      return controllers.stream().map(Controller::address).collect(joining(","));
    }

    /** As the storage tool wants them: {@code 1@127.0.0.1:20001:<directory>,…}. */
    String voters() {
      return IntStream.range(0, controllers.size())
          .mapToObj(
              i ->
                  (i + 1)
                      + "@"
                      + controllers.get(i).address()
                      + ":"
                      + controllers.get(i).directory())
          .collect(joining(","));
    }
  }

  /**
   * A member of the quorum.
   *
   * @param directory the id of its folder of data
   */
  private record Controller(String address, Uuid directory) {

    static Controller create() {
      return new Controller("127.0.0.1:" + freePort(), Uuid.randomUuid());
    }
  }

  private Broker(RunFolders run, int index, int port, Quorum quorum) {
    super("broker-" + index, run);
    this.index = index;
    this.quorum = quorum;
    this.address = "127.0.0.1:" + port;
    this.guardedAddress = "127.0.0.1:" + freePort();
    Path data = run.folder(name() + "-" + port);
    Map<String, String> all = settings(index, address, quorum, data);
    if (quorum.guarded()) {
      guard(all, guardedAddress);
    }
    this.settings = run.settings(name() + ".properties", all);
  }

  /** Brokers of one cluster, not yet started; a topic has a replica on each by default. */
  static List<Broker> create(RunFolders run, int count, boolean guarded) {
    int controllers = count < MAJORITY_OF ? 1 : count;
    Quorum quorum =
        new Quorum(
            Uuid.randomUuid().toString(),
            Stream.generate(Controller::create).limit(controllers).toList(),
            count,
            guarded);
    return IntStream.range(0, count)
        .mapToObj(index -> new Broker(run, index, freePort(), quorum))
        .toList();
  }

  @Override
  void prepare() {
    List<String> arguments =
        new ArrayList<>(List.of("format", "-t", quorum.id(), "-c", settings.toString()));
    if (quorum.controls(index)) {
      arguments.addAll(List.of("--initial-controllers", quorum.voters()));
    }
    Child.Command.kafka("128m", "kafka.tools.StorageTool", arguments.toArray(String[]::new))
        .with("-XX:TieredStopAtLevel=1")
        .start(name() + "-format", run)
        .awaitSuccess(START);
  }

  private static Map<String, String> settings(int index, String address, Quorum quorum, Path data) {
    Map<String, String> settings = new HashMap<>();
    boolean controls = quorum.controls(index);
    String replicas = Integer.toString(quorum.brokers());
    settings.put("process.roles", controls ? "broker,controller" : "broker");
    settings.put("node.id", Integer.toString(index + 1));
    settings.put(
        "listeners",
        "PLAINTEXT://"
            + address
            + (controls ? ",CONTROLLER://" + quorum.controllers().get(index).address() : ""));
    settings.put("advertised.listeners", "PLAINTEXT://" + address);
    settings.put("controller.listener.names", "CONTROLLER");
    settings.put("listener.security.protocol.map", "PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT");
    settings.put("controller.quorum.bootstrap.servers", quorum.addresses());
    settings.put("log.dirs", data.toString());
    settings.put("num.partitions", "1");
    settings.put("default.replication.factor", replicas);
    settings.put("offsets.topic.replication.factor", replicas);
    settings.put("offsets.topic.num.partitions", "5");
    settings.put("transaction.state.log.replication.factor", replicas);
    settings.put("transaction.state.log.min.isr", "1");
    settings.put("transaction.state.log.num.partitions", "5");
    settings.put("share.coordinator.state.topic.replication.factor", replicas);
    settings.put("share.coordinator.state.topic.min.isr", "1");
    settings.put("group.initial.rebalance.delay.ms", "0");
    if (quorum.brokers() >= MAJORITY_OF) {
      settings.put("min.insync.replicas", "2");
    }
    return settings;
  }

  /** Clients of the first listener are the test, which may do everything. */
  private static void guard(Map<String, String> settings, String address) {
    String listener = ",GUARDED://" + address;
    settings.merge("listeners", listener, String::concat);
    settings.merge("advertised.listeners", listener, String::concat);
    settings.merge("listener.security.protocol.map", ",GUARDED:SASL_PLAINTEXT", String::concat);
    settings.put("sasl.enabled.mechanisms", "PLAIN");
    settings.put(
        "listener.name.guarded.plain.sasl.jaas.config",
        PLAIN + "user_" + PRINCIPAL + "=\"" + PASSWORD + "\";");
    settings.put(
        "authorizer.class.name", "org.apache.kafka.metadata.authorizer.StandardAuthorizer");
    settings.put("super.users", "User:ANONYMOUS");
    settings.put("auto.create.topics.enable", "false");
  }

  /** The settings with which workers and their connectors reach the guarded listener. */
  Map<String, String> guardedSettings() {
    Map<String, String> settings = new HashMap<>();
    settings.put("bootstrap.servers", guardedAddress);
    for (String client : List.of("", "producer.", "consumer.", "admin.")) {
      settings.put(client + "security.protocol", "SASL_PLAINTEXT");
      settings.put(client + "sasl.mechanism", "PLAIN");
      settings.put(
          client + "sasl.jaas.config",
          PLAIN + "username=\"" + PRINCIPAL + "\" password=\"" + PASSWORD + "\";");
    }
    return settings;
  }

  @Override
  Child.Command command() {
    return Child.Command.kafka("512m", "kafka.Kafka", settings.toString())
        .with("-XX:TieredStopAtLevel=1");
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
  String address() {
    return address;
  }

  /** Host and port, as clients want them. */
  public String bootstrapServers() {
    return address;
  }
}
