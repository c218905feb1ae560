package io.posconnect.metrics;

import io.posconnect.problem.Problem;
import io.posconnect.resource.Stream;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.Supplier;
import org.apache.kafka.common.MetricNameTemplate;
import org.apache.kafka.common.metrics.JmxReporter;
import org.apache.kafka.common.metrics.KafkaMetricsContext;
import org.apache.kafka.common.metrics.Metrics;
import org.apache.kafka.common.utils.Time;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Shows the metrics of a task and of its streams in JMX, from construction until {@link #close}.
 * Where JMX refuses them, that is logged and the task goes on; nothing here throws for it.
 */
public final class TaskMetrics implements AutoCloseable {

  /** The part of a name in JMX that all of ours have in common. */
  static final String DOMAIN = "kafka.connect.pos";

  /** Every metric of a task. */
  static final List<Metric<TaskMetrics>> METRICS =
      List.of(
          metric("streams", "Streams that the task owns.", m -> m.streams.size()),
          metric(
              "streams-suspended",
              "Streams of the task that are suspended.",
              TaskMetrics::streamsSuspended),
          metric(
              "buffer-records",
              "Records that wait for the worker to take them.",
              m -> m.buffer.get().records()),
          metric(
              "buffer-bytes",
              "Estimated size of those records; its ceiling is a setting.",
              m -> m.buffer.get().bytes()),
          metric(
              "records-total",
              "Records of all topics that were given to the worker or wait for it.",
              m -> m.buffer.get().recordsTotal()),
          metric(
              "record-bytes-total",
              "Estimated size of all of them.",
              m -> m.buffer.get().bytesTotal()),
          metric(
              "buffer-blocked-ms-total",
              "Time for which reading waited for the worker to take records, of all fetch threads.",
              m -> m.buffer.get().blockedMs()));

  /**
   * What the buffer between reading and the worker holds, and what has gone through it.
   *
   * @param blockedMs for how long reading has waited for room
   */
  public record BufferUse(
      int records, long bytes, long recordsTotal, long bytesTotal, long blockedMs) {
    static final BufferUse NONE = new BufferUse(0, 0, 0, 0, 0);
  }

  private static final Logger log = LoggerFactory.getLogger(TaskMetrics.class);

  /**
   * The newest of each name, which alone is in JMX. Kafka's reporter takes out whatever has the
   * name, so an older task that closes late would take out its successor's.
   */
  private static final Map<String, TaskMetrics> SHOWN = new HashMap<>();

  private final String name;
  private final Map<Stream, StreamMetrics> streams;
  private final Metrics registry;
  private volatile Supplier<BufferUse> buffer = () -> BufferUse.NONE;

  /**
   * @param connector the connector's name
   * @param task the task's number
   * @param streams those that the task owns
   * @param time what tells how long ago something was
   */
  public TaskMetrics(String connector, int task, Set<Stream> streams, Time time) {
    Map<Stream, StreamMetrics> each = new TreeMap<>();
    streams.forEach(stream -> each.put(stream, new StreamMetrics(time)));
    this.name = connector + "/" + task;
    this.streams = Collections.unmodifiableMap(each);
    this.registry = registry(connector, task, time);
    show();
  }

  private static Metric<TaskMetrics> metric(
      String name, String meaning, Function<TaskMetrics, Object> value) {
    return new Metric<>(
        new MetricNameTemplate(name, "task-metrics", meaning, "connector", "task"), value);
  }

  private Metrics registry(String connector, int task, Time time) {
    Metrics all = new Metrics(time);
    // Kafka's count of them has no tags: every task of a worker would claim its name.
    Set.copyOf(all.metrics().keySet()).forEach(all::removeMetric);
    Map<String, String> tags = new LinkedHashMap<>();
    tags.put("connector", connector);
    tags.put("task", Integer.toString(task));
    METRICS.forEach(metric -> metric.register(all, this, tags));
    streams.forEach(
        (stream, metrics) -> {
          tags.put("location", stream.location());
          tags.put("resource", stream.resource());
          StreamMetrics.METRICS.forEach(metric -> metric.register(all, metrics, tags));
        });
    return all;
  }

  private void show() {
    synchronized (SHOWN) {
      TaskMetrics older = SHOWN.put(name, this);
      if (older != null) {
        log.info("{}: a newer task takes over the names of these metrics", name);
        older.registry.close();
      }
      JmxReporter reporter = new JmxReporter();
      try {
        reporter.contextChange(new KafkaMetricsContext(DOMAIN));
        // After the metrics, so that each bean is registered once and not anew for each of them.
        registry.addReporter(reporter);
      } catch (RuntimeException e) {
        log.warn("{}", Problem.METRICS_REFUSED.at(name), e);
        hide(reporter);
      }
    }
  }

  private void hide(JmxReporter reporter) {
    try {
      reporter.close();
    } catch (RuntimeException e) {
      log.debug("{}: some of these metrics stay in JMX", name, e);
    }
  }

  /**
   * The metrics of that stream.
   *
   * @throws IllegalArgumentException when the task does not own it
   */
  public StreamMetrics stream(Stream stream) {
    StreamMetrics metrics = streams.get(stream);
    if (metrics == null) {
      throw new IllegalArgumentException(stream + " is not a stream of this task");
    }
    return metrics;
  }

  /** From now on the buffer is asked for its load, on whichever thread reads the metric. */
  public void buffer(Supplier<BufferUse> use) {
    buffer = Objects.requireNonNull(use, "use is null");
  }

  private long streamsSuspended() {
    return streams.values().stream().filter(StreamMetrics::isSuspended).count();
  }

  /** Takes out of JMX what is there of this task, and nothing of a newer one. */
  @Override
  public void close() {
    synchronized (SHOWN) {
      if (SHOWN.remove(name, this)) {
        registry.close();
      }
    }
  }
}
