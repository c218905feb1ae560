package io.posconnect.cluster;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/**
 * What a cluster is made of.
 *
 * @param title begins the names of its folders
 * @param brokers how many there are; every topic has a replica on each
 * @param workers how many Connect workers there are from the start
 * @param exactlyOnce whether the workers support exactly-once delivery
 * @param offsetFlushInterval how often offsets are committed without exactly-once
 * @param workerHeap {@code -Xmx} of a worker
 * @param plugins folders or jars that the workers load beside our archive and the converter
 * @param workerSettings settings of the workers that replace what the harness says
 * @param progress told in words what is being started and what serves
 */
public record ClusterOptions(
    String title,
    int brokers,
    int workers,
    boolean exactlyOnce,
    Duration offsetFlushInterval,
    String workerHeap,
    List<Path> plugins,
    Map<String, String> workerSettings,
    Consumer<String> progress) {

  public ClusterOptions {
    plugins = List.copyOf(plugins);
    workerSettings = Map.copyOf(workerSettings);
  }

  /** One broker, and one worker with exactly-once delivery. */
  public static ClusterOptions of(String title) {
    return new ClusterOptions(
        title, 1, 1, true, Duration.ofSeconds(1), "384m", List.of(), Map.of(), words -> {});
  }

  public ClusterOptions withBrokers(int count) {
    return new ClusterOptions(
        title,
        count,
        workers,
        exactlyOnce,
        offsetFlushInterval,
        workerHeap,
        plugins,
        workerSettings,
        progress);
  }

  public ClusterOptions withWorkers(int count) {
    return new ClusterOptions(
        title,
        brokers,
        count,
        exactlyOnce,
        offsetFlushInterval,
        workerHeap,
        plugins,
        workerSettings,
        progress);
  }

  public ClusterOptions withExactlyOnce(boolean supported) {
    return new ClusterOptions(
        title,
        brokers,
        workers,
        supported,
        offsetFlushInterval,
        workerHeap,
        plugins,
        workerSettings,
        progress);
  }

  public ClusterOptions withOffsetFlushInterval(Duration interval) {
    return new ClusterOptions(
        title,
        brokers,
        workers,
        exactlyOnce,
        interval,
        workerHeap,
        plugins,
        workerSettings,
        progress);
  }

  public ClusterOptions withWorkerHeap(String heap) {
    return new ClusterOptions(
        title,
        brokers,
        workers,
        exactlyOnce,
        offsetFlushInterval,
        heap,
        plugins,
        workerSettings,
        progress);
  }

  public ClusterOptions withPlugins(Path... paths) {
    return new ClusterOptions(
        title,
        brokers,
        workers,
        exactlyOnce,
        offsetFlushInterval,
        workerHeap,
        List.of(paths),
        workerSettings,
        progress);
  }

  public ClusterOptions withWorkerSettings(Map<String, String> settings) {
    return new ClusterOptions(
        title,
        brokers,
        workers,
        exactlyOnce,
        offsetFlushInterval,
        workerHeap,
        plugins,
        settings,
        progress);
  }

  public ClusterOptions withProgress(Consumer<String> listener) {
    return new ClusterOptions(
        title,
        brokers,
        workers,
        exactlyOnce,
        offsetFlushInterval,
        workerHeap,
        plugins,
        workerSettings,
        listener);
  }
}
