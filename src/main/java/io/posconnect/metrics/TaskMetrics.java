package io.posconnect.metrics;

import io.posconnect.resource.Stream;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.IntSupplier;
import java.util.function.LongSupplier;
import org.apache.kafka.common.utils.Time;

/**
 * The metrics of a task and of its streams, in JMX from construction until {@link #close}. Where
 * JMX refuses a bean, that is logged and the task goes on without it; nothing here throws for it.
 */
public final class TaskMetrics implements TaskMetricsMXBean, AutoCloseable {

  private final Map<Stream, StreamMetrics> streams;
  private final List<Registration> registrations = new ArrayList<>();
  private volatile IntSupplier bufferRecords = () -> 0;
  private volatile LongSupplier bufferBytes = () -> 0;

  /**
   * @param connector the connector's name
   * @param task the task's number
   * @param streams those that the task owns
   * @param time what tells how long ago something was
   */
  public TaskMetrics(String connector, int task, Set<Stream> streams, Time time) {
    Map<Stream, StreamMetrics> metrics = new TreeMap<>();
    streams.forEach(stream -> metrics.put(stream, new StreamMetrics(time)));
    this.streams = Collections.unmodifiableMap(metrics);
    Registration.register(
            BeanName.task(connector, task), this, TaskMetricsMXBean.class, MetricTemplate.TASK)
        .ifPresent(registrations::add);
    this.streams.forEach(
        (stream, bean) ->
            Registration.register(
                    BeanName.stream(connector, task, stream),
                    bean,
                    StreamMetricsMXBean.class,
                    MetricTemplate.STREAM)
                .ifPresent(registrations::add));
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
  public void buffer(IntSupplier records, LongSupplier bytes) {
    bufferRecords = Objects.requireNonNull(records, "records is null");
    bufferBytes = Objects.requireNonNull(bytes, "bytes is null");
  }

  Map<Stream, StreamMetrics> byStream() {
    return streams;
  }

  @Override
  public int getStreams() {
    return streams.size();
  }

  @Override
  public int getStreamsSuspended() {
    return streams.values().stream().mapToInt(StreamMetrics::getSuspended).sum();
  }

  @Override
  public int getBufferRecords() {
    return bufferRecords.getAsInt();
  }

  @Override
  public long getBufferBytes() {
    return bufferBytes.getAsLong();
  }

  /** Takes out of JMX what is there of this task, and nothing of a newer one. */
  @Override
  public void close() {
    registrations.forEach(Registration::close);
  }
}
