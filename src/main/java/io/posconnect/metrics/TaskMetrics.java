package io.posconnect.metrics;

import io.posconnect.problem.Problem;
import io.posconnect.resource.Stream;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.IntSupplier;
import java.util.function.Supplier;
import org.apache.kafka.common.metrics.JmxReporter;
import org.apache.kafka.common.metrics.KafkaMetricsContext;
import org.apache.kafka.common.metrics.Metrics;
import org.apache.kafka.common.utils.Time;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Shows the metrics of a task and of its streams in JMX, from construction until {@link #close}. If
 * JMX refuses them, this class logs it and the task goes on without.
 */
public final class TaskMetrics implements AutoCloseable {

  /** The domain of our names in JMX. */
  static final String DOMAIN = "kafka.connect.pos";

  /**
   * The load of the buffer between the streams and the worker, and its totals.
   *
   * @param blockedMs how long streams have waited for room
   */
  public record BufferUse(
      int records, long bytes, long recordsTotal, long bytesTotal, long blockedMs) {
    static final BufferUse NONE = new BufferUse(0, 0, 0, 0, 0);
  }

  private static final Logger log = LoggerFactory.getLogger(TaskMetrics.class);

  /**
   * The newest of each name, which alone is in JMX. Kafka's reporter removes whatever has the name,
   * so an older task that closes late would remove the metrics of its successor.
   */
  private static final Map<String, TaskMetrics> SHOWN = new HashMap<>();

  private final String name;
  final Map<Stream, StreamMetrics> streams;
  private final Metrics registry;
  volatile Supplier<BufferUse> buffer = () -> BufferUse.NONE;
  volatile IntSupplier waiting = () -> 0;

  /**
   * @param connector the connector's name
   * @param task the task's number
   * @param streams those that the task owns
   * @param time the clock that measures ages
   */
  public TaskMetrics(String connector, int task, Set<Stream> streams, Time time) {
    Map<Stream, StreamMetrics> each = new TreeMap<>();
    streams.forEach(stream -> each.put(stream, new StreamMetrics(time)));
    this.name = connector + "/" + task;
    this.streams = Collections.unmodifiableMap(each);
    this.registry = registry(connector, task, time);
    show();
  }

  private Metrics registry(String connector, int task, Time time) {
    Metrics all = new Metrics(time);
    // Kafka's own count has no tags, so the tasks of a worker would compete for its name.
    Set.copyOf(all.metrics().keySet()).forEach(all::removeMetric);
    Map<String, String> tags = new LinkedHashMap<>();
    tags.put("connector", connector);
    tags.put("task", Integer.toString(task));
    Metric.OF_TASK.forEach(metric -> metric.register(all, this, tags));
    streams.forEach(
        (stream, metrics) -> {
          tags.put("location", stream.location());
          tags.put("resource", stream.resource());
          Metric.OF_STREAM.forEach(metric -> metric.register(all, metrics, tags));
        });
    return all;
  }

  private void show() {
    synchronized (SHOWN) {
      TaskMetrics older = SHOWN.put(name, this);
      if (older != null) {
        log.info("{}: a newer task takes over these metrics", name);
        older.registry.close();
      }
      JmxReporter reporter = new JmxReporter();
      try {
        reporter.contextChange(new KafkaMetricsContext(DOMAIN));
        // After the metrics, so that each bean is registered once and not again for each metric.
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

  /** Sets the source of the buffer's load; any thread may call it. */
  public void buffer(Supplier<BufferUse> use) {
    buffer = use;
  }

  /**
   * Sets the source of the number of due streams that wait for a thread; any thread may call it.
   */
  public void waiting(IntSupplier streamsWaiting) {
    waiting = streamsWaiting;
  }

  long streamsSuspended() {
    return streams.values().stream().filter(StreamMetrics::isSuspended).count();
  }

  /** Removes this task's metrics from JMX, and nothing of a newer task with the same name. */
  @Override
  public void close() {
    synchronized (SHOWN) {
      if (SHOWN.remove(name, this)) {
        registry.close();
      }
    }
  }
}
