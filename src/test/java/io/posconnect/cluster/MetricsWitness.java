package io.posconnect.cluster;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.apache.kafka.common.metrics.KafkaMetric;
import org.apache.kafka.common.metrics.MetricsReporter;

/** Sees a worker's metrics of plugins as any class of {@code metric.reporters} does. */
public final class MetricsWitness {

  private static final String FILE = "metrics.witness";

  private final Path jar;
  private final Path file;

  private MetricsWitness(Path jar, Path file) {
    this.jar = jar;
    this.file = file;
  }

  /** One that keeps what it sees in that folder. */
  public static MetricsWitness in(Path folder) throws IOException {
    Path jar = Artefacts.write(folder.resolve("witness.jar"), Map.of(), Reporter.class);
    return new MetricsWitness(jar, Files.createFile(folder.resolve("witness.txt")));
  }

  /** Lets the workers report to it, and to JMX as they do by themselves. */
  public ClusterOptions watching(ClusterOptions options) {
    return options
        .withWorkerClasses(jar)
        .withWorkerJvm("-D" + FILE + "=" + file)
        .withWorkerSettings(
            Map.of(
                "metric.reporters",
                "org.apache.kafka.common.metrics.JmxReporter," + Reporter.class.getName()));
  }

  /**
   * What a worker reports now, each with its tags, such as {@code streams{connector=pos,task=0}};
   * an {@link AssertionError} when a name came while it was there, or went while it was not.
   */
  public Set<String> seen(Worker worker) throws IOException {
    Set<String> seen = new TreeSet<>();
    for (String line : Files.readAllLines(file, UTF_8)) {
      String[] parts = line.split(" ", 3);
      boolean came = parts[1].equals("came");
      boolean ours = Long.parseLong(parts[0]) == worker.pid();
      if (ours && !(came ? seen.add(parts[2]) : seen.remove(parts[2]))) {
        throw new AssertionError(line + ", a second time");
      }
    }
    return seen;
  }

  /** Runs in the worker, and needs nothing but Kafka and the JDK. */
  public static final class Reporter implements MetricsReporter {

    private static final Set<String> GROUPS = Set.of("plugins", "stream-metrics", "task-metrics");

    @Override
    public void init(List<KafkaMetric> metrics) {
      metrics.forEach(this::metricChange);
    }

    @Override
    public void metricChange(KafkaMetric metric) {
      write("came", metric);
    }

    @Override
    public void metricRemoval(KafkaMetric metric) {
      write("went", metric);
    }

    private static void write(String what, KafkaMetric metric) {
      if (!GROUPS.contains(metric.metricName().group())) {
        return;
      }
      String tags = new TreeMap<>(metric.metricName().tags()).toString().replace(", ", ",");
      String line =
          ProcessHandle.current().pid()
              + " "
              + what
              + " "
              + metric.metricName().name()
              + tags
              + "\n";
      try {
        Files.writeString(
            Path.of(System.getProperty(FILE)), line, UTF_8, StandardOpenOption.APPEND);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }

    @Override
    public void configure(Map<String, ?> configs) {
      // The file is a property of the JVM.
    }

    @Override
    public void close() {
      // Nothing is open.
    }
  }
}
