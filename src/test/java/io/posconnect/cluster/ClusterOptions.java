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
 * @param guarded whether the brokers let workers do only what access control lists say, and create
 *     no topics by themselves
 * @param workers how many Connect workers there are from the start
 * @param exactlyOnce whether the workers support exactly-once delivery
 * @param offsetFlushInterval how often offsets are committed without exactly-once
 * @param workerRelease the Kafka and the Java of the workers
 * @param workerHeap {@code -Xmx} of a worker
 * @param workerJvm further options of a worker's JVM, such as an agent
 * @param plugins folders or jars that the workers load beside our archive and the converter
 * @param workerSettings settings of the workers that replace what the harness says
 * @param progress told in words what is being started and what serves
 */
public record ClusterOptions(
    String title,
    int brokers,
    boolean guarded,
    int workers,
    boolean exactlyOnce,
    Duration offsetFlushInterval,
    KafkaRelease workerRelease,
    String workerHeap,
    List<String> workerJvm,
    List<Path> plugins,
    Map<String, String> workerSettings,
    Consumer<String> progress) {

  public ClusterOptions {
    workerJvm = List.copyOf(workerJvm);
    plugins = List.copyOf(plugins);
    workerSettings = Map.copyOf(workerSettings);
  }

  /** One broker, and one worker with exactly-once delivery. */
  public static ClusterOptions of(String title) {
    return new ClusterOptions(
        title,
        1,
        false,
        1,
        true,
        Duration.ofSeconds(1),
        KafkaRelease.current(),
        "384m",
        List.of(),
        List.of(),
        Map.of(),
        words -> {});
  }

  public ClusterOptions withBrokers(int count) {
    return with(draft -> draft.brokers = count);
  }

  public ClusterOptions withGuardedBrokers() {
    return with(draft -> draft.guarded = true);
  }

  public ClusterOptions withWorkers(int count) {
    return with(draft -> draft.workers = count);
  }

  public ClusterOptions withExactlyOnce(boolean supported) {
    return with(draft -> draft.exactlyOnce = supported);
  }

  public ClusterOptions withOffsetFlushInterval(Duration interval) {
    return with(draft -> draft.offsetFlushInterval = interval);
  }

  public ClusterOptions withWorkerRelease(KafkaRelease release) {
    return with(draft -> draft.workerRelease = release);
  }

  public ClusterOptions withWorkerHeap(String heap) {
    return with(draft -> draft.workerHeap = heap);
  }

  public ClusterOptions withWorkerJvm(String... options) {
    return with(draft -> draft.workerJvm = List.of(options));
  }

  public ClusterOptions withPlugins(Path... paths) {
    return with(draft -> draft.plugins = List.of(paths));
  }

  public ClusterOptions withWorkerSettings(Map<String, String> settings) {
    return with(draft -> draft.workerSettings = settings);
  }

  public ClusterOptions withProgress(Consumer<String> listener) {
    return with(draft -> draft.progress = listener);
  }

  private ClusterOptions with(Consumer<Draft> change) {
    Draft draft = new Draft(this);
    change.accept(draft);
    return draft.finished();
  }

  /** The options while one of them changes. */
  private static final class Draft {
    private final String title;
    private int brokers;
    private boolean guarded;
    private int workers;
    private boolean exactlyOnce;
    private Duration offsetFlushInterval;
    private KafkaRelease workerRelease;
    private String workerHeap;
    private List<String> workerJvm;
    private List<Path> plugins;
    private Map<String, String> workerSettings;
    private Consumer<String> progress;

    Draft(ClusterOptions options) {
      title = options.title;
      brokers = options.brokers;
      guarded = options.guarded;
      workers = options.workers;
      exactlyOnce = options.exactlyOnce;
      offsetFlushInterval = options.offsetFlushInterval;
      workerRelease = options.workerRelease;
      workerHeap = options.workerHeap;
      workerJvm = options.workerJvm;
      plugins = options.plugins;
      workerSettings = options.workerSettings;
      progress = options.progress;
    }

    ClusterOptions finished() {
      return new ClusterOptions(
          title,
          brokers,
          guarded,
          workers,
          exactlyOnce,
          offsetFlushInterval,
          workerRelease,
          workerHeap,
          workerJvm,
          plugins,
          workerSettings,
          progress);
    }
  }
}
