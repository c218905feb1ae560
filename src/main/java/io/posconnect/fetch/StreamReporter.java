package io.posconnect.fetch;

import io.posconnect.client.ApiException;
import io.posconnect.client.ApiException.Refused;
import io.posconnect.client.ApiException.Throttled;
import io.posconnect.fetch.Checkpoints.Completed;
import io.posconnect.fetch.ServerTime.Skew;
import io.posconnect.metrics.StreamMetrics;
import io.posconnect.metrics.StreamMetrics.State;
import io.posconnect.problem.Incident;
import io.posconnect.problem.Problem;
import io.posconnect.problem.Text;
import io.posconnect.record.Checkpoint;
import io.posconnect.record.Status;
import io.posconnect.resource.Counts;
import io.posconnect.resource.Counts.Count;
import io.posconnect.resource.Stream;
import io.posconnect.resource.StreamSettings;
import io.posconnect.resource.Window;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.kafka.common.utils.Time;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reports what happens to one stream, each thing once: to the log, to the metrics, and to the
 * status and checkpoints topics. For the thread that holds the stream.
 */
final class StreamReporter {

  private static final Logger log = LoggerFactory.getLogger(StreamReporter.class);
  private static final Duration FIRST_PROGRESS = Duration.ofSeconds(30);
  private static final Duration NEVER = Duration.ofNanos(Long.MAX_VALUE);

  /** A service may use data as names. */
  private static final int MOST_UNLISTED = 1_000;

  private final Stream stream;
  private final StreamOutput output;
  private final Checkpoints checkpoints;
  private final StreamMetrics metrics;
  private final Time time;
  private final FailureLog failures;
  private final Reminder rejections = new Reminder();
  private boolean snapshotStarted;
  private boolean snapshotRuns;
  private long snapshotBeganNanos;
  private long progressNanos;
  private long snapshotRows;

  // Of the last report: a snapshot that waits or fails has no progress.
  private long reportedRows;
  private Window reportedWindow = Window.ALL;
  private final ReportedState suspension = new ReportedState();
  private final ReportedState hold = new ReportedState();
  private final Reminder listEnds = new Reminder();
  private final Reminder renames = new Reminder();
  private final Set<String> absentPaths = new HashSet<>();
  private final Set<String> unlistedFields = new HashSet<>();
  private final Set<Problem> warned = EnumSet.noneOf(Problem.class);
  private Map<String, String> snapshotMode = Map.of();

  StreamReporter(StreamSettings settings, StreamOutput output, StreamMetrics metrics, Time time) {
    this.stream = settings.stream();
    this.output = output;
    this.metrics = metrics;
    this.time = time;
    checkpoints = new Checkpoints(settings, output);
    failures = new FailureLog(log, time);
  }

  // Requests.

  /** A fetch is about to be requested: a snapshot starts with its first one. */
  void begins(Fetch fetch) {
    if (fetch.source().snapshot() && !snapshotStarted) {
      snapshotStarted = true;
      snapshotMode = output.isSilent(fetch.source()) ? Map.of("mode", "baseline") : Map.of();
      publish(Status.Type.SNAPSHOT_STARTED, snapshotMode);
    }
  }

  void requested() {
    metrics.add(State.SENT, 1);
  }

  /** The limit keeps the next request waiting for so long. */
  void limited(long nanos) {
    metrics.add(State.WAITED, nanos);
  }

  void answered(Duration after, Optional<Skew> skew) {
    metrics.answered(after);
    skew.ifPresent(this::dated);
    if (skew.isEmpty()) {
      warnOnce(
          Problem.NO_SERVER_TIME.incident(
              stream.id(),
              "responses have no readable Date header; the watermark follows the local clock minus "
                  + Text.duration(ServerTime.DISTRUST)));
    }
  }

  private void dated(Skew skew) {
    if (!skew.setAside()) {
      metrics.set(State.SKEW, skew.ahead());
    } else {
      warnOnce(
          Problem.ODD_SERVER_TIME.incident(
              stream.id(),
              "the Date of a response is %s behind the worker's clock, those before it are not"
                  .formatted(Text.duration(skew.ahead().negated()))));
    }
  }

  void requestFailed(ApiException e) {
    if (e instanceof Throttled) {
      metrics.add(State.THROTTLED, 1);
    } else {
      metrics.add(e instanceof Refused ? State.REFUSED : State.FAILED, 1);
    }
  }

  /**
   * A body of the fetch was read, as far as it came.
   *
   * @param keys in the digest since then, also while new rows wait for room
   */
  void read(Fetch fetch, int keys, long bytes, long replacedBytes) {
    metrics.set(State.DIGEST_KEYS, keys);
    metrics.add(State.BYTES, bytes);
    metrics.add(State.REPLACED, replacedBytes);
    if (replacedBytes > 0) {
      warnOnce(Problem.TEXT_REPLACED.incident(stream.id()));
    }
    progressed(fetch);
    reportRejections(fetch.rejection());
  }

  /** The service answers, or has sent more rows. A snapshot runs from its first answer on. */
  void progressed(Fetch fetch) {
    count(fetch);
    if (fetch.source().snapshot()) {
      snapshotProgressed(fetch);
    }
  }

  /** Adds to the metrics what the fetch has counted since the last time. */
  private void count(Fetch fetch) {
    Counts news = fetch.takeNews();
    metrics.counted(news);
    rejections.add(news.get(Count.DEAD_LETTERS));
    snapshotRows += fetch.source().snapshot() ? news.get(Count.RECEIVED) : 0;
  }

  private void reportRejections(String reason) {
    long rows = rejections.takeDue(Reminder.HOURLY, time.nanoseconds());
    if (rows > 0) {
      String what =
          rows == 1 ? "a row cannot become an event" : rows + " rows cannot become events";
      String why = reason.isEmpty() ? "" : " (" + (rows == 1 ? "" : "the last: ") + reason + ")";
      Incident incident = Problem.ROW_BROKEN.incident(stream.id(), what + why);
      warn(Status.Type.ROWS_REJECTED, incident);
    }
  }

  // Fetches.

  void completed(Completed event) {
    count(event.fetch());
    metrics.set(State.RECONCILED, event.position().lastReconciliation());
    // Nobody has what brokers do not take.
    Instant watermark = event.position().watermark();
    output.whenWritten(() -> metrics.set(State.WATERMARK, watermark));
    Checkpoint checkpoint = checkpoints.publish(event, time.nanoseconds());
    metrics.completed(event.fetch().rows(), checkpoint.duration());
  }

  private void snapshotProgressed(Fetch fetch) {
    long now = time.nanoseconds();
    Window window = fetch.window();
    if (!snapshotRuns) {
      snapshotRuns = true;
      snapshotBeganNanos = now;
      progressReported(window, now);
      log.info("{}: the snapshot begins{}", stream, place(window));
    }
    metrics.set(State.SNAPSHOT_ROWS, snapshotRows);
    metrics.set(State.BACKFILL_REMAINING, remaining(window));
    boolean hasProgress =
        snapshotRows > reportedRows || !window.from().equals(reportedWindow.from());
    if (hasProgress && now - progressNanos >= progressPauseNanos()) {
      progressReported(window, now);
      log.info("{}: the snapshot continues{}, {}", stream, place(window), snapshotProgress(now));
      publish(Status.Type.SNAPSHOT_IN_PROGRESS, Map.of("rows", Long.toString(snapshotRows)));
    }
  }

  /** As long again as the snapshot had lasted at the last report. */
  private long progressPauseNanos() {
    long lasted = progressNanos - snapshotBeganNanos;
    return Math.min(Math.max(lasted, FIRST_PROGRESS.toNanos()), Reminder.HOURLY.toNanos());
  }

  private void progressReported(Window window, long now) {
    progressNanos = now;
    reportedRows = snapshotRows;
    reportedWindow = window;
  }

  /** The position of a backfill and how much remains; the length of a list is not known. */
  private String place(Window window) {
    return window.hasFrom()
        ? " at %s, %s remain".formatted(window.from(), Text.duration(remaining(window)))
        : "";
  }

  private Duration remaining(Window window) {
    Instant now = now();
    return window.hasFrom() && window.from().isBefore(now)
        ? Duration.between(window.from(), now)
        : Duration.ZERO;
  }

  private String snapshotProgress(long now) {
    Duration since = Duration.ofNanos(now - snapshotBeganNanos);
    return Text.count(snapshotRows, "row") + " in " + Text.duration(since);
  }

  void snapshotCompleted() {
    if (snapshotRuns) {
      snapshotStarted = false;
      snapshotRuns = false;
      metrics.set(State.SNAPSHOT_ROWS, StreamMetrics.UNKNOWN);
      metrics.set(State.BACKFILL_REMAINING, 0);
      log.info("{}: the snapshot is complete, {}", stream, snapshotProgress(time.nanoseconds()));
      Map<String, String> data = new HashMap<>(snapshotMode);
      data.put("rows", Long.toString(snapshotRows));
      publish(Status.Type.SNAPSHOT_COMPLETED, data);
      snapshotRows = 0;
    }
  }

  void keysEvicted(Incident incident) {
    if (warnOnce(incident)) {
      publish(Status.Type.CEILING_REACHED, incident);
    }
  }

  /** No row of a full read has a field of these private paths; reported once for each path. */
  void privateFieldsAbsent(List<String> paths) {
    List<String> unseen = paths.stream().filter(absentPaths::add).toList();
    if (!unseen.isEmpty()) {
      warn(
          Status.Type.PRIVATE_FIELD_ABSENT,
          Problem.PRIVATE_FIELD_ABSENT.incident(
              stream.id(), "no row of a full read has the field " + String.join(", ", unseen)));
    }
  }

  /** Rows have fields that include.fields does not name; each path is reported once. */
  void fieldsUnlisted(Set<String> names) {
    List<String> unseen = names.stream().filter(name -> !unlistedFields.contains(name)).toList();
    if (!unseen.isEmpty() && unlistedFields.size() < MOST_UNLISTED) {
      unlistedFields.addAll(unseen);
      metrics.set(State.UNLISTED_FIELDS, unlistedFields.size());
      warn(
          Status.Type.FIELD_UNLISTED,
          Problem.FIELD_UNLISTED.incident(
              stream.id(), "rows have the field " + String.join(", ", unseen)));
    }
  }

  // Failures.

  void retried(Incident incident, int attempt, Duration delay) {
    failures.failed(
        "%s Attempt %s follows in %s.".formatted(incident, attempt, Text.duration(delay)));
  }

  void fetchRestarted(Incident incident) {
    failures.failed(incident + " The fetch starts again.");
  }

  void endDoubted(Incident incident) {
    log.debug("{} A second try shows whether the list ends there.", incident);
  }

  void listEnded(Incident incident) {
    listEnds.add(1);
    if (listEnds.takeDue(Reminder.HOURLY, time.nanoseconds()) > 0) {
      String reason = incident.subject() + " twice: the list ends before this page";
      log.info("{}", reason);
      publish(Status.Type.LIST_ENDED, Map.of("reason", reason));
    }
  }

  void windowShortened(Incident incident, Window window) {
    log.info(
        "{} {}; a window shorter than {} follows, from {} on",
        incident.code(),
        incident.observed(),
        Text.duration(window.length()),
        window.from());
  }

  void identityMissing(Incident incident, Duration pause) {
    failures.failed(
        "%s Nothing of %s is deleted until /whoami names the location. The next request follows in %s."
            .formatted(incident, stream, Text.duration(pause)));
  }

  /**
   * The stream is suspended, or still is. One that is suspended and resumed in turns for one reason
   * shows some of them; a suspension that lasts is shown by a later probe at the latest.
   *
   * @param line to log, if any
   */
  void suspended(Incident incident, Optional<String> line) {
    boolean isDue = suspension.takeDue(incident.problem(), NEVER, time.nanoseconds());
    line.ifPresent(each -> failures.suspended(each, isDue));
    metrics.suspended(incident);
    if (isDue) {
      publish(Status.Type.SUSPENDED, incident);
    }
  }

  void keyAccepted() {
    failures.recovered(
        stream.location()
            + ": the service accepts the key again; its streams resume where they were");
  }

  void resumed() {
    metrics.resumed();
    if (suspension.end()) {
      publish(Status.Type.RESUMED, Map.of());
    }
  }

  void recovered() {
    failures.recovered(stream + ": the service answers again; the stream resumes where it was");
  }

  /** The configuration has another key, which its location has logged. */
  void keyRotated() {
    publish(Status.Type.KEY_ROTATED, Map.of());
  }

  /** Its names may alternate. */
  void storeRenamed() {
    renames.add(1);
    if (renames.takeDue(Reminder.HOURLY, time.nanoseconds()) > 0) {
      log.info("{}: the store was renamed; its rows are those of before", stream);
    }
  }

  // Deletes.

  /**
   * Deletes wait; reported every hour while they do. A hold is reported at once, unless one for the
   * same reason was within ten minutes, or as soon as it was: what else held deletes before must
   * not hide that too many keys vanished until they are deleted.
   */
  void deletesHeld(Incident incident, int keys) {
    metrics.set(State.DELETES_PENDING, keys);
    if (hold.takeDue(incident.problem(), Reminder.HOURLY, time.nanoseconds())) {
      warn(Status.Type.DELETES_HELD, incident);
    }
  }

  void passCompleted(int unreadable, int heldKeys) {
    metrics.set(State.UNREADABLE_ROWS, unreadable);
    metrics.set(State.DELETES_UNCERTAIN, heldKeys);
  }

  void deletesReleased(int deleted) {
    metrics.set(State.DELETES_PENDING, 0);
    if (hold.end()) {
      log.info("{}: deletes wait no longer, {} deleted", stream, Text.count(deleted, "key"));
      publish(Status.Type.DELETES_RELEASED, Map.of("deleted", Integer.toString(deleted)));
    }
  }

  /** Rows in the topic keep their former contract. */
  void contractChanged(Incident incident) {
    warn(Status.Type.CONTRACT_CHANGED, incident);
  }

  /** Warns of something that does not change while the task runs; returns false for a repeat. */
  boolean warnOnce(Incident incident) {
    boolean isFirst = warned.add(incident.problem());
    if (isFirst) {
      log.warn("{}", incident);
    }
    return isFirst;
  }

  private void warn(Status.Type type, Incident incident) {
    log.warn("{}", incident);
    publish(type, incident);
  }

  private void publish(Status.Type type, Incident incident) {
    output.status(Status.of(type, incident, now()));
  }

  private void publish(Status.Type type, Map<String, String> data) {
    output.status(new Status(type, data, now()));
  }

  private Instant now() {
    return Instant.ofEpochMilli(time.milliseconds());
  }
}
