package io.posconnect.cluster;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/**
 * The parts of a cluster: one broker, and one worker with exactly-once delivery, unless changed.
 */
public final class ClusterOptions {

  final String title;
  int brokers = 1;
  boolean guarded;
  int workers = 1;
  boolean exactlyOnce = true;
  boolean standalone;
  KafkaRelease workerRelease = KafkaRelease.current();
  String workerHeap = "384m";

  // Most workers of tests live for a minute or two: the second compiler would use more of that
  // than it gives back.
  List<String> workerJvm = List.of("-XX:TieredStopAtLevel=1");
  Map<String, String> workerSettings = Map.of();
  List<Path> workerClasses = List.of();
  boolean shippedWorkers;
  List<Path> plugins = List.of();
  Consumer<String> progress = words -> {};

  private ClusterOptions(String title) {
    this.title = title;
  }

  /**
   * The usual cluster.
   *
   * @param title begins the names of its folders
   */
  public static ClusterOptions of(String title) {
    return new ClusterOptions(title);
  }

  /** Sets the number of brokers; every topic has a replica on each. */
  public ClusterOptions withBrokers(int count) {
    brokers = count;
    return this;
  }

  /** Lets workers do only what access control lists allow; brokers create no topics. */
  public ClusterOptions withGuardedBrokers() {
    guarded = true;
    return this;
  }

  /** Sets the number of workers. */
  public ClusterOptions withWorkers(int count) {
    workers = count;
    return this;
  }

  public ClusterOptions withExactlyOnce(boolean supported) {
    exactlyOnce = supported;
    return this;
  }

  /** Starts workers that belong to no group, and store positions in a file. */
  public ClusterOptions withStandaloneWorkers() {
    standalone = true;
    return this;
  }

  public ClusterOptions withWorkerRelease(KafkaRelease release) {
    workerRelease = release;
    return this;
  }

  /** Sets {@code -Xmx} of a worker. */
  public ClusterOptions withWorkerHeap(String heap) {
    workerHeap = heap;
    return this;
  }

  /**
   * Sets further options of a worker's JVM, such as an agent; with none it is the JVM of
   * production, which compiles twice.
   */
  public ClusterOptions withWorkerJvm(String... options) {
    workerJvm = List.of(options);
    return this;
  }

  /** Sets further settings of a worker, which win over those that tests change. */
  public ClusterOptions withWorkerSettings(Map<String, String> settings) {
    workerSettings = Map.copyOf(settings);
    return this;
  }

  /** Gives a worker classes that are no plugins, in jars on its class path. */
  public ClusterOptions withWorkerClasses(Path... jars) {
    workerClasses = List.of(jars);
    return this;
  }

  /** Runs the workers with the shipped settings, of which only addresses and folders differ. */
  public ClusterOptions withShippedWorkers() {
    shippedWorkers = true;
    return this;
  }

  /** Gives the workers further plugins, each a folder of jars. */
  public ClusterOptions withPlugins(Path... folders) {
    plugins = List.of(folders);
    return this;
  }

  /** Reports in words what is being started and what serves. */
  public ClusterOptions withProgress(Consumer<String> listener) {
    progress = listener;
    return this;
  }
}
