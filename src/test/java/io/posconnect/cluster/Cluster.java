package io.posconnect.cluster;

import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * A broker, a registry and Connect workers, up and serving. Closing it ends every process and
 * deletes what they stored; their logs stay under {@code target/cluster-logs}.
 */
public final class Cluster implements AutoCloseable {

  private final ClusterOptions options;
  private final Run run;
  private final Broker broker;
  private final Registry registry;
  private final Path plugins;
  private final Path secrets;
  private final List<Worker> workers = new CopyOnWriteArrayList<>();
  private int named;

  private Cluster(ClusterOptions options, Run run, Broker broker, Registry registry) {
    this.options = options;
    this.run = run;
    this.broker = broker;
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
    Broker broker;
    try {
      broker = ProcessBroker.start(run);
      options.progress().accept("broker serves at " + broker.bootstrapServers());
    } catch (RuntimeException e) {
      closeWhenThere(registry, e);
      throw e;
    }
    return start(options, run, broker, registry);
  }

  /**
   * Starts registry and workers for a broker that runs already, and that this cluster then owns.
   */
  public static Cluster start(ClusterOptions options, Broker broker) {
    Run run = Run.create(options.title());
    return start(
        options, run, broker, CompletableFuture.supplyAsync(() -> ProcessRegistry.start(run)));
  }

  private static Cluster start(
      ClusterOptions options, Run run, Broker broker, CompletableFuture<Registry> registry) {
    Cluster cluster;
    try {
      cluster = new Cluster(options, run, broker, registry.join());
    } catch (CompletionException e) {
      broker.close();
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
    return WorkerSettings.of(options, run.name(), broker, registry, plugins, secrets, port);
  }

  public Broker broker() {
    return broker;
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
    return broker.bootstrapServers();
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
    return new TopicReader(broker.bootstrapServers(), schemas());
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
    broker.close();
    run.deleteData();
  }
}
