package io.posconnect.cluster;

import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Collectors;

/**
 * Brokers, a registry and Connect workers, up and serving. Closing it ends every process and
 * deletes what they stored; their logs stay under {@code target/cluster-logs}.
 */
public final class Cluster implements AutoCloseable {

  private final ClusterOptions options;
  private final Run run;
  private final List<Broker> brokers;
  private final Registry registry;
  private final Path plugins;
  private final Path secrets;
  private final List<Worker> workers = new CopyOnWriteArrayList<>();
  private int named;

  private Cluster(ClusterOptions options, Run run, List<Broker> brokers, Registry registry) {
    this.options = options;
    this.run = run;
    this.brokers = List.copyOf(brokers);
    this.registry = registry;
    this.plugins = Artefacts.pluginPath(run.folder("plugins"), options.plugins());
    this.secrets = run.folder("secrets");
  }

  /** Starts everything and returns once all of it serves. */
  public static Cluster start(ClusterOptions options) {
    Run run = Run.create(options.title());
    CompletableFuture<Registry> registry =
        CompletableFuture.supplyAsync(() -> ProcessRegistry.start(run));
    options.progress().accept("starting the broker and the schema registry");
    List<Broker> brokers;
    try {
      brokers = ProcessBroker.start(run, options.brokers());
      options.progress().accept("broker serves at " + bootstrapServers(brokers));
    } catch (RuntimeException e) {
      closeWhenThere(registry, e);
      throw e;
    }
    return start(options, run, brokers, registry);
  }

  /**
   * Starts registry and workers for a broker that runs already, and that this cluster then owns.
   */
  public static Cluster start(ClusterOptions options, Broker broker) {
    Run run = Run.create(options.title());
    return start(
        options,
        run,
        List.of(broker),
        CompletableFuture.supplyAsync(() -> ProcessRegistry.start(run)));
  }

  private static Cluster start(
      ClusterOptions options, Run run, List<Broker> brokers, CompletableFuture<Registry> registry) {
    Cluster cluster;
    try {
      cluster = new Cluster(options, run, brokers, registry.join());
    } catch (CompletionException e) {
      brokers.forEach(Broker::close);
      throw new IllegalStateException("the registry does not start", e.getCause());
    }
    options.progress().accept("registry serves at " + cluster.registryUrl());
    try {
      for (int i = 0; i < options.workers(); i++) {
        cluster.addWorker();
      }
      return cluster;
    } catch (RuntimeException e) {
      cluster.close();
      throw e;
    }
  }

  private static void closeWhenThere(
      CompletableFuture<Registry> registry, RuntimeException failure) {
    try {
      registry.join().close();
    } catch (CompletionException e) {
      failure.addSuppressed(e);
    }
  }

  /** Starts one more worker of the same group. */
  public synchronized Worker addWorker() {
    String name = "worker-" + named++;
    options.progress().accept("starting " + name);
    Worker worker = ProcessWorker.start(name, run, options.workerHeap(), this::workerSettings);
    options.progress().accept(name + " serves at " + worker.restUrl());
    workers.add(worker);
    return worker;
  }

  private Map<String, String> workerSettings(int port) {
    return WorkerSettings.of(
        options, run.name(), bootstrapServers(), registry, plugins, secrets, port);
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
    return bootstrapServers(brokers);
  }

  private static String bootstrapServers(List<Broker> brokers) {
    return brokers.stream().map(Broker::bootstrapServers).collect(Collectors.joining(","));
  }

  /** Root of the registry; see {@link Registry} for the addresses below it. */
  public URI registryUrl() {
    return registry.url();
  }

  /** Speaks to whichever worker answers. */
  public ConnectClient connect() {
    return new ConnectClient(() -> workers.stream().map(Worker::restUrl).toList());
  }

  public TopicReader topics() {
    return new TopicReader(bootstrapServers(), schemas());
  }

  public RegistryClient schemas() {
    return new RegistryClient(registry.confluentUrl());
  }

  /** Writes a file of secrets and returns what a connector's setting says to get one of them. */
  public String secret(String file, String name, String value) {
    Path path = run.settings("secrets/" + file, Map.of(name, value));
    return "${file:" + path + ":" + name + "}";
  }

  /** Where the processes log. */
  public Path logs() {
    return run.logs();
  }

  @Override
  public void close() {
    workers.forEach(Worker::close);
    registry.close();
    brokers.forEach(Broker::close);
    run.deleteData();
  }
}
