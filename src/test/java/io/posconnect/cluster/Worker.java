package io.posconnect.cluster;

import io.posconnect.Io;
import io.posconnect.StrictFiles;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntFunction;

/** A worker, on the same port for its whole life. */
public final class Worker extends Node {

  private static final Path SHIPPED = Path.of("config", "worker-distributed.properties");
  private static final Duration START = Duration.ofMinutes(4);

  private final int port;
  private final KafkaRelease release;
  private final String heap;
  private final List<String> jvm;
  private final List<Path> classes;
  private final String main;
  private final Path settings;

  /** A worker that has not been started, and whose settings depend on its port. */
  Worker(
      String name,
      RunFolders run,
      ClusterOptions options,
      IntFunction<Map<String, String>> settings) {
    super(name, run);
    this.port = freePort();
    this.release = options.workerRelease;
    this.heap = options.workerHeap;
    this.jvm = options.workerJvm;
    this.classes = options.workerClasses;
    this.main = options.standalone ? "ConnectStandalone" : "ConnectDistributed";
    this.settings = run.settings(name + ".properties", settings.apply(port));
  }

  /**
   * The settings of {@code config/worker-distributed.properties} at this place.
   *
   * @param registry the address for the converters
   */
  static Map<String, String> shipped(String bootstrapServers, URI registry, int port) {
    Map<String, String> settings = Io.unchecked(() -> StrictFiles.properties(SHIPPED));
    settings.replaceAll(
        (name, value) -> {
          if (name.endsWith(".registry.url")) {
            return registry.toString();
          }
          return name.endsWith(".replication.factor") ? "-1" : value; // The brokers decide.
        });
    settings.put("bootstrap.servers", bootstrapServers);
    settings.put("listeners", "http://127.0.0.1:" + port);
    return settings;
  }

  /**
   * What tests of one group change: plugins are found by their service files; a dead worker is
   * missed after six seconds, the least that a broker allows, and replaced at once; and connectors
   * may set everything.
   */
  static Map<String, String> hastened(String group) {
    Map<String, String> settings = new HashMap<>();
    settings.put("group.id", group);
    settings.put("plugin.discovery", "service_load");
    for (String topic : List.of("config", "offset", "status")) {
      settings.put(topic + ".storage.topic", group + "-" + topic);
    }
    settings.put("offset.storage.partitions", "5");
    settings.put("status.storage.partitions", "1");
    settings.put("session.timeout.ms", "6000");
    settings.put("heartbeat.interval.ms", "1500");
    settings.put("scheduled.rebalance.max.delay.ms", "0");
    settings.put("offset.flush.interval.ms", "1000");
    settings.put("connector.client.config.override.policy", "All");
    return settings;
  }

  @Override
  Child.Command command() {
    return Child.Command.kafka(
            release, heap, "org.apache.kafka.connect.cli." + main, settings.toString())
        .with(jvm.toArray(String[]::new))
        .seeing(classes);
  }

  @Override
  void awaitReady(Child started) {
    Rest rest = new Rest(restUrl());
    started.awaitReady(
        START,
        () -> {
          Rest.Answer health = rest.get("/health");
          // Before 3.9 a worker does not say that it is well, but answers once it has joined.
          return health.status() == 404 ? rest.get("/connectors").ok() : health.ok();
        });
  }

  @Override
  String address() {
    return restUrl().toString();
  }

  /** Root of its REST interface. */
  public URI restUrl() {
    return URI.create("http://127.0.0.1:" + port);
  }

  /** Its log, to which later starts append. */
  public Path log() {
    return run.logs().resolve(name() + ".log");
  }
}
