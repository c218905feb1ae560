package io.posconnect.fetch;

import io.posconnect.metrics.StreamMetrics;
import io.posconnect.problem.Problem;
import io.posconnect.record.Status;
import io.posconnect.resource.Stream;
import io.posconnect.resource.Window;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.common.utils.Time;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells the status topic and the log what becomes of one stream: where its state changes, and
 * nothing while it stays. For the thread that holds the stream.
 */
final class StatusReporter {

  private static final Logger log = LoggerFactory.getLogger(StatusReporter.class);

  private static final long PROGRESS_NANOS = Duration.ofSeconds(30).toNanos();

  private final Stream stream;
  private final StreamOutput output;
  private final StreamMetrics metrics;
  private final Time time;
  private boolean snapshotRuns;
  private long progressNanos;
  private long snapshotBeganNanos;
  private long snapshotRows;
  private String suspension = "";
  private String deletesHeld = "";
  private boolean ceiling;

  StatusReporter(Stream stream, StreamOutput output, StreamMetrics metrics, Time time) {
    this.stream = stream;
    this.metrics = metrics;
    this.output = output;
    this.time = time;
  }

  /**
   * A response of a first full read has brought so many rows.
   *
   * @param window of the fetch that it belongs to
   */
  void snapshotRead(long rows, Window window) {
    long now = time.nanoseconds();
    if (!snapshotRuns) {
      snapshotRuns = true;
      progressNanos = now;
      snapshotBeganNanos = now;
      log.info("{}: the snapshot begins{}", stream, place(window));
      report(Status.Type.SNAPSHOT_STARTED, Map.of());
    }
    snapshotRows += rows;
    metrics.snapshotProgressed(snapshotRows, remaining(window));
    if (now - progressNanos >= PROGRESS_NANOS) {
      progressNanos = now;
      log.info("{}: the snapshot goes on{}, {}", stream, place(window), snapshotProgress(now));
      report(Status.Type.SNAPSHOT_IN_PROGRESS, Map.of("rows", Long.toString(snapshotRows)));
    }
  }

  /** Where a backfill is, and what remains; of a list nobody knows how long it is. */
  private String place(Window window) {
    return window.hasFrom()
        ? " at " + window.from() + ", " + remaining(window).toDays() + " days remain"
        : "";
  }

  private Duration remaining(Window window) {
    Instant now = now();
    return window.hasFrom() && window.from().isBefore(now)
        ? Duration.between(window.from(), now)
        : Duration.ZERO;
  }

  private String snapshotProgress(long now) {
    long millis = Math.max(1, TimeUnit.NANOSECONDS.toMillis(now - snapshotBeganNanos));
    return "%d rows in %d s, %d rows/s"
        .formatted(snapshotRows, millis / 1000, snapshotRows * 1000 / millis);
  }

  /** The first full read is complete. */
  void snapshotCompleted() {
    if (snapshotRuns) {
      snapshotRuns = false;
      metrics.snapshotCompleted();
      log.info("{}: the snapshot is complete, {}", stream, snapshotProgress(time.nanoseconds()));
      report(Status.Type.SNAPSHOT_COMPLETED, Map.of("rows", Long.toString(snapshotRows)));
      snapshotRows = 0;
    }
  }

  /** The stream is not read for now, or still not. */
  void suspended(String reason) {
    String code = Problem.codeOf(reason);
    if (!suspension.equals(code)) {
      suspension = code;
      output.status(Status.of(Status.Type.SUSPENDED, reason, now()));
    }
  }

  /** The stream is read, or still is. */
  void resumed() {
    if (!suspension.isEmpty()) {
      suspension = "";
      report(Status.Type.RESUMED, Map.of());
    }
  }

  /** Deletes wait, or still do; told once for each code that the reason begins with. */
  void deletesHeld(String reason) {
    String code = Problem.codeOf(reason);
    if (!deletesHeld.equals(code)) {
      deletesHeld = code;
      log.warn(reason);
      output.status(Status.of(Status.Type.DELETES_HELD, reason, now()));
    }
  }

  /** No deletes wait. */
  void deletesReleased(int deleted) {
    if (!deletesHeld.isEmpty()) {
      deletesHeld = "";
      log.info("{}: deletes wait no more, {} of the keys are deleted", stream, deleted);
      report(Status.Type.DELETES_RELEASED, Map.of("deleted", Integer.toString(deleted)));
    }
  }

  /** The digest is full. */
  void ceilingReached(String reason) {
    if (!ceiling) {
      ceiling = true;
      log.warn(reason);
      output.status(Status.of(Status.Type.CEILING_REACHED, reason, now()));
    }
  }

  /** The key was refused, and there is another one. */
  void keyRotated() {
    report(Status.Type.KEY_ROTATED, Map.of());
  }

  /** Rows are told in another form from now on. */
  void contractChanged(String reason) {
    output.status(Status.of(Status.Type.CONTRACT_CHANGED, reason, now()));
  }

  private void report(Status.Type type, Map<String, String> data) {
    output.status(new Status(type, data, now()));
  }

  private Instant now() {
    return Instant.ofEpochMilli(time.milliseconds());
  }
}
