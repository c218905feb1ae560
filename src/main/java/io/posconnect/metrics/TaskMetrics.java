package io.posconnect.metrics;

import io.posconnect.problem.Problem;
import io.posconnect.resource.Stream;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.IntSupplier;
import java.util.function.Supplier;
import org.apache.kafka.common.MetricName;
import org.apache.kafka.common.metrics.Gauge;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Shows the metrics of a task and of its streams, from construction until {@link #close}. If the
 * worker refuses them, this class logs it and the task goes on without.
 */
public final class TaskMetrics implements AutoCloseable {

  /**
   * The load of the buffer between the streams and the worker, and its totals.
   *
   * @param blockedMs how long streams have waited for room
   */
  public record BufferUse(
      int records, long bytes, long recordsTotal, long bytesTotal, long blockedMs) {}

  private static final Logger log = LoggerFactory.getLogger(TaskMetrics.class);

  /**
   * The newest of each name, which alone is shown. Kafka's reporter removes whatever has the name,
   * so an older task that closes late would remove the metrics of its successor; a worker refuses a
   * name that is there.
   */
  private static final Map<String, TaskMetrics> SHOWN = new HashMap<>();

  private final String name;
  final Map<Stream, StreamMetrics> streams;
  final Supplier<BufferUse> buffer;
  final IntSupplier waiting;
  private final Display display;

  /**
   * @param connector the connector's name
   * @param task the task's number
   * @param streams those of the streams that the task owns
   * @param buffer the buffer's load
   * @param waiting the number of due streams that wait for a thread
   */
  public TaskMetrics(
      String connector,
      int task,
      Map<Stream, StreamMetrics> streams,
      Supplier<BufferUse> buffer,
      IntSupplier waiting,
      Display display) {
    this.name = connector + "/" + task;
    this.streams = Map.copyOf(streams);
    this.buffer = buffer;
    this.waiting = waiting;
    this.display = display;
    show(all(connector, task));
  }

  private Map<MetricName, Gauge<Object>> all(String connector, int task) {
    Map<MetricName, Gauge<Object>> all = new LinkedHashMap<>();
    Map<String, String> tags = new LinkedHashMap<>();
    tags.put("connector", connector);
    tags.put("task", Integer.toString(task));
    Metric.OF_TASK.forEach(metric -> metric.addTo(all, this, tags));
    streams.forEach(
        (stream, metrics) -> {
          tags.put("location", stream.location());
          tags.put("resource", stream.resource());
          Metric.OF_STREAM.forEach(metric -> metric.addTo(all, metrics, tags));
        });
    return all;
  }

  private void show(Map<MetricName, Gauge<Object>> all) {
    synchronized (SHOWN) {
      TaskMetrics older = SHOWN.put(name, this);
      if (older != null) {
        log.info("{}: a newer task takes over these metrics", name);
        older.hide();
      }
      try {
        display.show(all);
      } catch (RuntimeException | Error e) {
        SHOWN.remove(name);
        hide();
        if (e instanceof Error error) {
          // Memory may have run out: the task does not start, so nobody closes these metrics.
          throw error;
        }
        log.warn("{}", Problem.METRICS_REFUSED.at(name), e);
      }
    }
  }

  private void hide() {
    try {
      display.hide();
    } catch (RuntimeException e) {
      log.debug("{}: some of these metrics stay, or the worker has removed them", name, e);
    }
  }

  long streamsSuspended() {
    return streams.values().stream().filter(StreamMetrics::isSuspended).count();
  }

  /** Hides this task's metrics, and nothing of a newer task with the same name. */
  @Override
  public void close() {
    synchronized (SHOWN) {
      if (SHOWN.remove(name, this)) {
        hide();
      }
    }
  }
}
