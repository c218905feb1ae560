package io.posconnect.metrics;

import io.posconnect.metrics.StreamMetrics.State;
import io.posconnect.resource.Counts.Count;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.apache.kafka.common.MetricName;
import org.apache.kafka.common.MetricNameTemplate;
import org.apache.kafka.common.metrics.Gauge;

/**
 * Names, documents and reads one metric. The two lists are all metrics of the connector, in the
 * order in which a person reads them; a new metric is one line here, and a place in the files that
 * name metrics ({@code docs/development.md} lists them).
 *
 * @param <S> what is measured
 * @param template its name in kebab case with its unit, group, meaning and tags
 * @param value reads it: a number, or text
 */
record Metric<S>(MetricNameTemplate template, Function<S, Object> value) {

  static final List<Metric<StreamMetrics>> OF_STREAM =
      List.of(
          stream(
              "requests-total",
              "Requests sent; retries, redirects and requests for `/whoami` count too.",
              m -> m.get(State.SENT)),
          stream(
              "requests-throttled-total",
              "Requests that the service answered with 429.",
              m -> m.get(State.THROTTLED)),
          stream(
              "requests-refused-total",
              "Requests that the service refused with another 4xx, or with a redirect that is not"
                  + " followed.",
              m -> m.get(State.REFUSED)),
          stream(
              "requests-failed-total",
              "Requests that failed for another reason: 5xx, a lost connection, an unusable body.",
              m -> m.get(State.FAILED)),
          stream(
              "retries-total",
              "Requests of these three kinds together; the connector repeats them.",
              m -> m.get(State.THROTTLED) + m.get(State.REFUSED) + m.get(State.FAILED)),
          stream(
              "limit-wait-ms-total",
              "Time that requests waited for the rate limit.",
              m -> TimeUnit.NANOSECONDS.toMillis(m.get(State.WAITED))),
          stream(
              "bytes-received-total",
              "Bytes of bodies, after decompression.",
              m -> m.get(State.BYTES)),
          stream(
              "response-time-p50-ms",
              "Half of the responses of the last minutes began within this time; -1 without any.",
              m -> m.responseTimeMs(0.5)),
          stream(
              "response-time-p99-ms",
              "99 % of the responses of the last minutes began within this time; -1 without any.",
              m -> m.responseTimeMs(0.99)),
          stream("fetches-total", "Complete fetches.", m -> m.get(State.FETCHES)),
          stream("rows-received-total", "Rows received.", m -> m.count(Count.RECEIVED)),
          stream("events-created-total", "Events of new rows (`c`).", m -> m.count(Count.CREATED)),
          stream(
              "events-updated-total", "Events of changed rows (`u`).", m -> m.count(Count.UPDATED)),
          stream(
              "events-deleted-total",
              "Events of deleted rows (`d`), without their tombstones.",
              m -> m.count(Count.DELETED)),
          stream(
              "events-read-total",
              "Events of rows in a snapshot or a first backfill, or of an earlier snapshot (`r`).",
              m -> m.count(Count.READ)),
          stream(
              "suppressed-total",
              "Rows without an event: unchanged ones, those in doubt, and those of a baseline.",
              m -> m.count(Count.SUPPRESSED)),
          stream(
              "type-mismatches-total",
              "Values that did not fit their declared type and went to `extra`.",
              m -> m.count(Count.TYPE_MISMATCHES)),
          stream(
              "dead-letters-total",
              "Rows that could not become events; a row counts once as long as it stays the same.",
              m -> m.count(Count.DEAD_LETTERS)),
          stream(
              "unlisted-fields",
              "Fields, removed since include.fields lacks them, that rows had since the task"
                  + " started.",
              m -> m.get(State.UNLISTED_FIELDS)),
          stream(
              "unreadable-rows",
              "Rows of the last complete read of the whole list whose key cannot be read; 0 of a"
                  + " date range.",
              m -> m.get(State.UNREADABLE_ROWS)),
          stream(
              "replaced-bytes-total",
              "Bytes that were not UTF-8, now U+FFFD.",
              m -> m.get(State.REPLACED)),
          stream(
              "last-fetch-duration-ms",
              "Time from the first request to the last row of the last complete fetch; -1 before it.",
              m -> m.lastFetch.durationMs()),
          stream(
              "last-fetch-rows",
              "Rows of the last complete fetch; -1 before it.",
              m -> m.lastFetch.rows()),
          stream(
              "millis-since-last-fetch",
              "Time since the last complete fetch ended; before it, since the task started.",
              StreamMetrics::sinceLastFetchMs),
          stream(
              "interval-ms",
              "The stream's interval, or the shortest one that its rate limit allows each stream that"
                  + " shares it.",
              m -> m.get(State.INTERVAL)),
          stream(
              "overdue-ms",
              "Time since the last complete fetch beyond the interval.",
              m -> Math.max(0, m.sinceLastFetchMs() - m.get(State.INTERVAL))),
          stream(
              "snapshot-running",
              "1: the snapshot is running; 0: it is complete, or has not begun.",
              m -> m.get(State.SNAPSHOT_ROWS) == StreamMetrics.UNKNOWN ? 0 : 1),
          stream(
              "snapshot-rows",
              "Rows that all reads of the running snapshot brought since the task started; -1 without one.",
              m -> m.get(State.SNAPSHOT_ROWS)),
          stream(
              "backfill-remaining-ms",
              "Time from the window that the backfill reads until now; 0 without a backfill.",
              m -> m.get(State.BACKFILL_REMAINING)),
          stream(
              "watermark-epoch-ms",
              "Server time up to which the stream is complete and its records are written; -1 while"
                  + " unknown.",
              m -> m.get(State.WATERMARK)),
          stream(
              "watermark-lag-ms",
              "Time from the watermark to the server's clock; -1 while unknown.",
              m -> m.ageMs(State.WATERMARK)),
          stream(
              "reconcile-interval-ms",
              "Interval of the reconciliations beside increments; 0 if the stream has none.",
              m -> m.get(State.RECONCILE_INTERVAL)),
          stream(
              "reconciliation-age-ms",
              "Time since the last accepted reconciliation began; before it, since the task started.",
              StreamMetrics::reconciliationAgeMs),
          stream(
              "clock-skew-ms",
              "The server's clock minus the worker's; negative if it is behind; 0 until measured.",
              m -> m.get(State.SKEW)),
          stream("digest-keys", "Keys in the digest.", m -> m.get(State.DIGEST_KEYS)),
          stream(
              "digest-keys-max",
              "Their ceiling, `digest.max.keys`.",
              m -> m.get(State.DIGEST_KEYS_MAX)),
          stream(
              "deletes-pending",
              "Vanished keys whose deletes are held (`POS-502`, `POS-503`, `POS-504`).",
              m -> m.get(State.DELETES_PENDING)),
          stream(
              "deletes-uncertain",
              "Those of them that wait for a row that cannot be read (`POS-504`).",
              m -> m.get(State.DELETES_UNCERTAIN)),
          stream(
              "suspended",
              "1: the stream is suspended until a probe succeeds; 0: it is read.",
              m -> m.isSuspended() ? 1 : 0),
          stream(
              "suspension-code",
              "The digits of the reason's code, such as 201 of POS-201; 0 if not suspended.",
              m -> m.suspension.code()),
          stream(
              "suspension-reason",
              "The reason in one line; empty if not suspended.",
              m -> m.suspension.reason()),
          stream(
              "suspended-since-epoch-ms",
              "Start of the suspension; -1 if not suspended.",
              m -> m.suspension.sinceEpochMs()));

  static final List<Metric<TaskMetrics>> OF_TASK =
      List.of(
          task("streams", "Streams that the task owns.", m -> m.streams.size()),
          task(
              "streams-suspended",
              "Streams of the task that are suspended.",
              TaskMetrics::streamsSuspended),
          task(
              "streams-waiting",
              "Streams that are due and wait, since all threads of the task are busy.",
              m -> m.waiting.getAsInt()),
          task(
              "buffer-records",
              "Records that wait for the worker to take them.",
              m -> m.buffer.get().records()),
          task(
              "buffer-bytes",
              "Estimated size of those records; its ceiling is `buffer.max.bytes`.",
              m -> m.buffer.get().bytes()),
          task(
              "records-total",
              "Records of all topics that the worker has taken or that wait for it.",
              m -> m.buffer.get().recordsTotal()),
          task(
              "record-bytes-total",
              "Estimated size of all of them.",
              m -> m.buffer.get().bytesTotal()),
          task(
              "buffer-blocked-ms-total",
              "Time that streams waited for room in the buffer, added up.",
              m -> m.buffer.get().blockedMs()));

  private static Metric<StreamMetrics> stream(
      String name, String meaning, Function<StreamMetrics, Object> value) {
    return new Metric<>(
        new MetricNameTemplate(
            name, "stream-metrics", meaning, "connector", "task", "location", "resource"),
        value);
  }

  private static Metric<TaskMetrics> task(
      String name, String meaning, Function<TaskMetrics, Object> value) {
    return new Metric<>(
        new MetricNameTemplate(name, "task-metrics", meaning, "connector", "task"), value);
  }

  /** Adds the metric of that subject, which is evaluated at each reading. */
  void addTo(Map<MetricName, Gauge<Object>> metrics, S subject, Map<String, String> tags) {
    metrics.put(
        new MetricName(
            template.name(), template.group(), template.description(), new LinkedHashMap<>(tags)),
        (config, now) -> value.apply(subject));
  }
}
