package io.posconnect.fetch;

import io.posconnect.record.Status;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import org.apache.kafka.common.utils.Time;

/**
 * Puts what becomes of one stream on the status topic: a record where its state changes, none while
 * it stays. For the thread that holds the stream.
 */
final class StatusReporter {

  private static final long PROGRESS_NANOS = Duration.ofSeconds(30).toNanos();

  private final StreamOutput output;
  private final Time time;
  private boolean snapshotRuns;
  private long progressNanos;
  private long snapshotRows;
  private String suspension = "";
  private boolean deletesHeld;
  private boolean ceiling;

  StatusReporter(StreamOutput output, Time time) {
    this.output = output;
    this.time = time;
  }

  /** A response of a first full read has brought so many rows. */
  void snapshotRead(long rows) {
    long now = time.nanoseconds();
    if (!snapshotRuns) {
      snapshotRuns = true;
      progressNanos = now;
      report(Status.Type.SNAPSHOT_STARTED, Map.of());
    }
    snapshotRows += rows;
    if (now - progressNanos >= PROGRESS_NANOS) {
      progressNanos = now;
      report(Status.Type.SNAPSHOT_IN_PROGRESS, Map.of("rows", Long.toString(snapshotRows)));
    }
  }

  /** The first full read is complete. */
  void snapshotCompleted() {
    if (snapshotRuns) {
      snapshotRuns = false;
      report(Status.Type.SNAPSHOT_COMPLETED, Map.of("rows", Long.toString(snapshotRows)));
      snapshotRows = 0;
    }
  }

  /** The stream is not read for now, or still not. */
  void suspended(String reason) {
    Status status = Status.of(Status.Type.SUSPENDED, reason, now());
    String code = status.data().getOrDefault("code", "");
    if (!suspension.equals(code)) {
      suspension = code;
      output.status(status);
    }
  }

  /** The stream is read, or still is. */
  void resumed() {
    if (!suspension.isEmpty()) {
      suspension = "";
      report(Status.Type.RESUMED, Map.of());
    }
  }

  /** Deletes wait for a second read, or still do. */
  void deletesHeld(String reason) {
    if (!deletesHeld) {
      deletesHeld = true;
      output.status(Status.of(Status.Type.DELETES_HELD, reason, now()));
    }
  }

  /** No deletes wait. */
  void deletesReleased(int deleted) {
    if (deletesHeld) {
      deletesHeld = false;
      report(Status.Type.DELETES_RELEASED, Map.of("deleted", Integer.toString(deleted)));
    }
  }

  /** The digest is full. */
  void ceilingReached(String reason) {
    if (!ceiling) {
      ceiling = true;
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
