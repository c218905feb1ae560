package io.posconnect.cluster;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/**
 * What a cluster is made of.
 *
 * @param title begins the names of its folders
 * @param workers how many Connect workers there are from the start
 * @param exactlyOnce whether the workers support exactly-once delivery
 * @param offsetFlushInterval how often offsets are committed without exactly-once
 * @param workerHeap {@code -Xmx} of a worker
 * @param plugins folders or jars that the workers load beside our archive and the converter
 * @param workerSettings settings of the workers that replace what the harness says
 */
public record ClusterOptions(
    String title,
    int workers,
    boolean exactlyOnce,
    Duration offsetFlushInterval,
    String workerHeap,
    List<Path> plugins,
    Map<String, String> workerSettings) {

  public ClusterOptions {
    plugins = List.copyOf(plugins);
    workerSettings = Map.copyOf(workerSettings);
  }

  /** One worker with exactly-once delivery. */
  public static ClusterOptions of(String title) {
    return new ClusterOptions(title, 1, true, Duration.ofSeconds(1), "384m", List.of(), Map.of());
  }

  public ClusterOptions withWorkers(int count) {
    return new ClusterOptions(
        title, count, exactlyOnce, offsetFlushInterval, workerHeap, plugins, workerSettings);
  }

  public ClusterOptions withExactlyOnce(boolean supported) {
    return new ClusterOptions(
        title, workers, supported, offsetFlushInterval, workerHeap, plugins, workerSettings);
  }

  public ClusterOptions withOffsetFlushInterval(Duration interval) {
    return new ClusterOptions(
        title, workers, exactlyOnce, interval, workerHeap, plugins, workerSettings);
  }

  public ClusterOptions withWorkerHeap(String heap) {
    return new ClusterOptions(
        title, workers, exactlyOnce, offsetFlushInterval, heap, plugins, workerSettings);
  }

  public ClusterOptions withPlugins(Path... paths) {
    return new ClusterOptions(
        title,
        workers,
        exactlyOnce,
        offsetFlushInterval,
        workerHeap,
        List.of(paths),
        workerSettings);
  }

  public ClusterOptions withWorkerSettings(Map<String, String> settings) {
    return new ClusterOptions(
        title, workers, exactlyOnce, offsetFlushInterval, workerHeap, plugins, settings);
  }
}
