package io.posconnect.metrics;

/**
 * The metrics of one task, in JMX under {@code kafka.connect.pos:type=task-metrics}.
 *
 * <p>{@link MetricTemplate#TASK} says what each of them means; JMX shows the same text as the
 * attribute's description.
 */
public interface TaskMetricsMXBean {

  int getStreams();

  int getStreamsSuspended();

  int getBufferRecords();

  long getBufferBytes();
}
