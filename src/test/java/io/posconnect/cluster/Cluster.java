package io.posconnect.cluster;

import static java.util.Objects.requireNonNull;
import static java.util.stream.Collectors.joining;

import java.net.URI;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/**
 * Brokers, a registry and Connect workers, up and serving. Closing it ends every process and
 * deletes what they stored; their logs stay under {@code target/cluster-logs}.
 */
public final class Cluster implements AutoCloseable {

  private static final int ATTEMPTS = 3;

  private final ClusterOptions options;
  private final RunFolders run;
  private final List<Broker> brokers;
  private final String bootstrapServers;
  private final Registry registry;
  private final Path secrets;
  private final List<Worker> workers = new CopyOnWriteArrayList<>();

  private Cluster(ClusterOptions options, Optional<Cluster> neighbour) {
    this.options = options;
    run = RunFolders.create(options.title);
    brokers =
        neighbour.isPresent() ? List.of() : Broker.create(run, options.brokers, options.guarded);
    bootstrapServers =
        neighbour
            .map(Cluster::bootstrapServers)
            .orElseGet(() -> brokers.stream().map(Broker::bootstrapServers).collect(joining(",")));
    registry = neighbour.map(Cluster::registry).orElseGet(() -> new Registry(run));
    secrets = run.folder("secrets");
    for (int i = 0; i < options.workers; i++) {
      createWorker();
    }
  }

  /** Starts everything and returns once all of it serves. */
  public static Cluster start(ClusterOptions options) {
    return start(options, Optional.empty());
  }

  /** Starts workers of a group of their own for the brokers and the registry of another cluster. */
  public static Cluster startBeside(Cluster neighbour, ClusterOptions options) {
    return start(options, Optional.of(neighbour));
  }

  /** Begins again with other ports when another process was faster to take one. */
  private static Cluster start(ClusterOptions options, Optional<Cluster> neighbour) {
    for (int attempt = 1; ; attempt++) {
      Cluster cluster = new Cluster(options, neighbour);
      try {
        cluster.startAll();
        return cluster;
      } catch (RuntimeException e) {
        boolean portTaken = cluster.nodes().anyMatch(Node::foundPortTaken);
        cluster.close();
        if (!portTaken || attempt == ATTEMPTS) {
          throw e;
        }
      }
    }
  }

  /** Workers need brokers, but no registry to start. */
  private void startAll() {
    options.progress.accept("starting broker, schema registry and worker");
    CompletableFuture<Void> registryServes =
        CompletableFuture.runAsync(() -> Node.startAll(registries(), options.progress));
    try {
      Node.startAll(brokers, options.progress);
      Node.startAll(workers, options.progress);
    } finally {
      registryServes.join();
    }
  }

  /** Beside a neighbour both are its own. */
  private List<Registry> registries() {
    return brokers.isEmpty() ? List.of() : List.of(registry);
  }

  private Stream<Node> nodes() {
    return Stream.of(workers, registries(), brokers).flatMap(List::stream);
  }

  /** Starts one more worker of the same group. */
  public synchronized Worker addWorker() {
    Worker worker = createWorker();
    worker.start();
    return worker;
  }

  private Worker createWorker() {
    String name = "worker-" + workers.size();
    Path plugins = Artefacts.pluginPath(plugins(name), options.plugins);
    Worker worker = new Worker(name, run, options, port -> workerSettings(name, plugins, port));
    workers.add(worker);
    return worker;
  }

  /** Each worker has its own, as on a machine of its own. */
  private Path plugins(String worker) {
    return run.folder(worker + "-plugins");
  }

  /** Replaces the connector's folder in the plugin path of a worker, which is not running. */
  public void install(Path archive, Worker worker) {
    Artefacts.replaceConnector(plugins(worker.name()), archive);
  }

  private Map<String, String> workerSettings(String worker, Path plugins, int port) {
    Map<String, String> settings = Worker.shipped(bootstrapServers, registry.converterUrl(), port);
    settings.put("plugin.path", plugins.toString());
    settings.put("config.providers.file.param.allowed.paths", secrets.toString());
    if (!options.shippedWorkers) {
      Artefacts.describeConverter(plugins, settings.get("value.converter"));
      settings.putAll(Worker.hastened(run.name()));
    }
    if (!options.exactlyOnce) {
      settings.put("exactly.once.source.support", "disabled");
    }
    if (options.standalone) {
      Path folder = run.folder(worker + "-offsets");
      settings.put("offset.storage.file.filename", folder.resolve("offsets").toString());
    }
    if (options.guarded) {
      settings.putAll(brokers.get(0).guardedSettings());
    }
    settings.putAll(options.workerSettings);
    return settings;
  }

  /** The shipped converters as settings of a connector, with the registry at this address. */
  public Map<String, String> converters(URI address) {
    Map<String, String> settings = Worker.shipped(bootstrapServers, address, 0);
    settings.keySet().removeIf(name -> !name.matches("(key|value)\\.converter.*"));
    return settings;
  }

  /**
   * Settings of a connector whose converters register nothing, and write with the latest schemas.
   */
  public Map<String, String> preregisteredConverters() {
    Map<String, String> settings = converters(registry.converterUrl());
    for (String side : List.of("key", "value")) {
      settings.put(side + ".converter.apicurio.registry.auto-register", "false");
      settings.put(side + ".converter.apicurio.registry.find-latest", "true");
    }
    return settings;
  }

  /** The first one is the controller too. */
  public Broker broker(int index) {
    return brokers.get(index);
  }

  public Registry registry() {
    return registry;
  }

  /** The workers in the order in which they came, dead ones too. */
  public List<Worker> workers() {
    return List.copyOf(workers);
  }

  public Worker worker(int index) {
    return workers.get(index);
  }

  public String bootstrapServers() {
    return bootstrapServers;
  }

  /**
   * Where workers that are not as shipped keep positions; other groups have topics of their own.
   */
  public String offsetsTopic() {
    return requireNonNull(Worker.hastened(run.name()).get("offset.storage.topic"));
  }

  /** A client of the first worker that answers. */
  public ConnectClient connect() {
    return new ConnectClient(() -> workers.stream().map(Worker::restUrl).toList());
  }

  public TopicReader topics() {
    return new TopicReader(bootstrapServers, registry);
  }

  /** A producer of raw records, which has those settings too. */
  public KafkaProducer<byte[], byte[]> producer(Map<String, Object> more) {
    Map<String, Object> settings = new HashMap<>(more);
    settings.put("bootstrap.servers", bootstrapServers);
    return new KafkaProducer<>(settings, new ByteArraySerializer(), new ByteArraySerializer());
  }

  /** Writes a file of secrets and returns what a connector's setting says to get one of them. */
  public String secret(String file, String name, String value) {
    Path path = run.settings("secrets/" + file, Map.of(name, value));
    return "${file:" + path + ":" + name + "}";
  }

  /** The folder of the logs. */
  public Path logs() {
    return run.logs();
  }

  @Override
  public void close() {
    nodes().forEach(Node::close);
    run.deleteData();
  }
}
