package io.posconnect.cluster;

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
  private final RunFolders run;
  private final List<Broker> brokers;
  private final String bootstrapServers;
  private final Registry registry;
  private final Path secrets;
  private final List<Worker> workers = new CopyOnWriteArrayList<>();
  private int named;

  private Cluster(
      ClusterOptions options,
      RunFolders run,
      List<Broker> brokers,
      String bootstrapServers,
      Registry registry) {
    this.options = options;
    this.run = run;
    this.brokers = List.copyOf(brokers);
    this.bootstrapServers = bootstrapServers;
    this.registry = registry;
    this.secrets = run.folder("secrets");
  }

  /** Starts everything and returns once all of it serves. */
  public static Cluster start(ClusterOptions options) {
    RunFolders run = RunFolders.create(options.title);
    CompletableFuture<Registry> registry = CompletableFuture.supplyAsync(() -> Registry.start(run));
    options.progress.accept("starting the broker and the schema registry");
    List<Broker> brokers;
    try {
      brokers = Broker.start(run, options.brokers, options.guarded);
    } catch (RuntimeException e) {
      closeWhenThere(registry, e);
      throw e;
    }
    String servers =
        brokers.stream().map(Broker::bootstrapServers).collect(Collectors.joining(","));
    options.progress.accept("broker serves at " + servers);
    return start(options, run, brokers, servers, registry);
  }

  /** Starts registry and workers for brokers that run already, and that others will end. */
  public static Cluster start(ClusterOptions options, String bootstrapServers) {
    RunFolders run = RunFolders.create(options.title);
    return start(
        options,
        run,
        List.of(),
        bootstrapServers,
        CompletableFuture.supplyAsync(() -> Registry.start(run)));
  }

  private static Cluster start(
      ClusterOptions options,
      RunFolders run,
      List<Broker> brokers,
      String bootstrapServers,
      CompletableFuture<Registry> registry) {
    Cluster cluster;
    try {
      cluster = new Cluster(options, run, brokers, bootstrapServers, registry.join());
    } catch (CompletionException e) {
      brokers.forEach(Broker::close);
      throw new IllegalStateException("the registry does not start", e.getCause());
    }
    options.progress.accept("registry serves at " + cluster.registry.url());
    try {
      for (int i = 0; i < options.workers; i++) {
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
    options.progress.accept("starting " + name);
    Path plugins = Artefacts.pluginPath(plugins(name));
    Worker worker = Worker.start(name, run, options, port -> workerSettings(plugins, port));
    options.progress.accept(name + " serves at " + worker.restUrl());
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

  private Map<String, String> workerSettings(Path plugins, int port) {
    Map<String, String> settings =
        Worker.settings(run.name(), bootstrapServers, registry.converterUrl(), port);
    settings.put("plugin.path", plugins.toString());
    settings.put("config.providers.file.param.allowed.paths", secrets.toString());
    settings.put("exactly.once.source.support", options.exactlyOnce ? "enabled" : "disabled");
    settings.put("offset.flush.interval.ms", "1000");
    settings.putAll(options.workerSettings);
    if (options.guarded) {
      settings.putAll(brokers.get(0).guardedSettings());
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

  /** Speaks to whichever worker answers. */
  public ConnectClient connect() {
    return new ConnectClient(() -> workers.stream().map(Worker::restUrl).toList());
  }

  public TopicReader topics() {
    return new TopicReader(bootstrapServers, registry);
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
