package io.posconnect.metrics;

import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.function.Function;

/**
 * One metric: its name, what it means, and how to read it.
 *
 * @param <B> the bean that has it
 * @param name in the worker's metrics, in kebab case and with its unit
 * @param description one line that says what is counted or measured
 * @param value reads it: a whole number, or text
 */
record MetricTemplate<B>(String name, String description, Function<B, Object> value) {

  /** Every metric of a stream, in the order in which a person reads them. */
  static final List<MetricTemplate<StreamMetricsMXBean>> STREAM =
      List.of(
          new MetricTemplate<>(
              "requests-total",
              "Requests sent, repeated ones included.",
              StreamMetricsMXBean::getRequestsTotal),
          new MetricTemplate<>(
              "retries-total",
              "Requests that failed and were to be made again.",
              StreamMetricsMXBean::getRetriesTotal),
          new MetricTemplate<>(
              "fetches-total", "Complete fetches.", StreamMetricsMXBean::getFetchesTotal),
          new MetricTemplate<>(
              "rows-received-total",
              "Rows that the service sent in complete fetches.",
              StreamMetricsMXBean::getRowsReceivedTotal),
          new MetricTemplate<>(
              "events-created-total",
              "Events of new rows (`c`).",
              StreamMetricsMXBean::getEventsCreatedTotal),
          new MetricTemplate<>(
              "events-updated-total",
              "Events of changed rows (`u`).",
              StreamMetricsMXBean::getEventsUpdatedTotal),
          new MetricTemplate<>(
              "events-deleted-total",
              "Events of vanished rows (`d`), tombstones not counted.",
              StreamMetricsMXBean::getEventsDeletedTotal),
          new MetricTemplate<>(
              "events-read-total",
              "Events of rows that a snapshot or a first backfill found (`r`).",
              StreamMetricsMXBean::getEventsReadTotal),
          new MetricTemplate<>(
              "suppressed-total",
              "Rows of complete fetches that brought no news.",
              StreamMetricsMXBean::getSuppressedTotal),
          new MetricTemplate<>(
              "type-mismatches-total",
              "Values of complete fetches that did not fit their declared type and went to `extra`.",
              StreamMetricsMXBean::getTypeMismatchesTotal),
          new MetricTemplate<>(
              "dead-letters-total",
              "Rows of complete fetches that could not become events.",
              StreamMetricsMXBean::getDeadLettersTotal),
          new MetricTemplate<>(
              "last-fetch-duration-ms",
              "From the first request to the last row of the last complete fetch; -1 before it.",
              StreamMetricsMXBean::getLastFetchDurationMs),
          new MetricTemplate<>(
              "last-fetch-rows",
              "Rows that the last complete fetch received; -1 before it.",
              StreamMetricsMXBean::getLastFetchRows),
          new MetricTemplate<>(
              "millis-since-last-fetch",
              "Since the last complete fetch ended; before it, since the task started.",
              StreamMetricsMXBean::getMillisSinceLastFetch),
          new MetricTemplate<>(
              "watermark-epoch-ms",
              "Server time up to which the stream is complete; -1 while unknown.",
              StreamMetricsMXBean::getWatermarkEpochMs),
          new MetricTemplate<>(
              "watermark-lag-ms",
              "How far the watermark is behind the server's clock; -1 while unknown.",
              StreamMetricsMXBean::getWatermarkLagMs),
          new MetricTemplate<>(
              "clock-skew-ms",
              "How far the server's clock is ahead of the worker's; negative: behind; 0 until measured.",
              StreamMetricsMXBean::getClockSkewMs),
          new MetricTemplate<>(
              "digest-keys",
              "Keys whose contents are remembered; their ceiling is a setting.",
              StreamMetricsMXBean::getDigestKeys),
          new MetricTemplate<>(
              "deletes-pending",
              "Keys that vanished at once, too many to believe, and wait for a confirming read.",
              StreamMetricsMXBean::getDeletesPending),
          new MetricTemplate<>(
              "full-retention",
              "1: every key is remembered; 0: only those of the last window, so no deletes are seen.",
              StreamMetricsMXBean::getFullRetention),
          new MetricTemplate<>(
              "suspended",
              "1: the stream is suspended until a probe succeeds; 0: it is read.",
              StreamMetricsMXBean::getSuspended),
          new MetricTemplate<>(
              "suspension-reason",
              "Why it is suspended, in one line; empty when it is not.",
              StreamMetricsMXBean::getSuspensionReason),
          new MetricTemplate<>(
              "suspended-since-epoch-ms",
              "Since when it has been suspended without a break; -1 when it is not.",
              StreamMetricsMXBean::getSuspendedSinceEpochMs));

  /** Every metric of a task. */
  static final List<MetricTemplate<TaskMetricsMXBean>> TASK =
      List.of(
          new MetricTemplate<>(
              "streams", "Streams that the task owns.", TaskMetricsMXBean::getStreams),
          new MetricTemplate<>(
              "streams-suspended",
              "Streams of the task that are suspended.",
              TaskMetricsMXBean::getStreamsSuspended),
          new MetricTemplate<>(
              "buffer-records",
              "Records that wait for the worker to take them.",
              TaskMetricsMXBean::getBufferRecords),
          new MetricTemplate<>(
              "buffer-bytes",
              "Estimated size of those records; its ceiling is a setting.",
              TaskMetricsMXBean::getBufferBytes));

  MetricTemplate {
    Objects.requireNonNull(name, "name is null");
    Objects.requireNonNull(description, "description is null");
    Objects.requireNonNull(value, "value is null");
  }

  /** The metric's name in JMX: {@code RequestsTotal} for {@code requests-total}. */
  String attribute() {
    StringBuilder attribute = new StringBuilder(name.length());
    for (String word : name.split("-", -1)) {
      attribute.append(word.substring(0, 1).toUpperCase(Locale.ROOT)).append(word.substring(1));
    }
    return attribute.toString();
  }

  /** The metric as it stands in that bean now. */
  Object read(B bean) {
    return value.apply(bean);
  }
}
