package io.posconnect.config;

import static io.posconnect.config.Setting.Group.RUNNING;
import static org.apache.kafka.common.config.ConfigDef.Importance.LOW;
import static org.apache.kafka.common.config.ConfigDef.Importance.MEDIUM;

import java.time.Duration;
import java.util.List;

/** How a task runs, and when it fails. */
final class RunningSettings {

  static final Setting<Integer> FETCH_THREADS =
      SettingBuilder.number("fetch.threads", Check.between(1, 64))
          .by(2)
          .in(RUNNING, LOW, "Fetch threads")
          .doc(
              "Threads with which a task reads its streams; up to 16 more stand in for those that"
                  + " wait for a slow location.");

  static final Setting<Integer> BATCH_MAX_RECORDS =
      SettingBuilder.number("batch.max.records", Check.between(2, 100_000))
          .by(2_000)
          .in(RUNNING, LOW, "Batch size")
          .doc("Most records handed over at once; under exactly-once, a transaction.");

  static final Setting<Long> BUFFER_MAX_BYTES =
      SettingBuilder.bytes("buffer.max.bytes")
          .by(33_554_432L)
          .in(RUNNING, LOW, "Buffer size")
          .doc(
              "Most bytes of rows that a task holds until handed over, or written if at-least-once.");

  static final Setting<StreamErrors> STREAM_ERRORS =
      SettingBuilder.choice("errors.streams", StreamErrors.class, StreamErrors::spelling)
          .by(StreamErrors.ISOLATE.spelling())
          .in(RUNNING, MEDIUM, "Broken streams")
          .dependents("errors.fail.after.ms")
          .doc("Whether the others go on when one stream is refused, or the task fails.");

  static final Setting<Duration> FAIL_AFTER =
      SettingBuilder.millis("errors.fail.after.ms", 0)
          .by(900_000L)
          .in(RUNNING, LOW, "Fail after")
          .shown(advice -> advice.when("errors.streams", StreamErrors.ISOLATE.spelling()))
          .doc("How long all streams of a task must have been refused before it fails.");

  static final List<Setting<?>> ALL =
      List.of(FETCH_THREADS, BATCH_MAX_RECORDS, BUFFER_MAX_BYTES, STREAM_ERRORS, FAIL_AFTER);

  /**
   * The streams of one task, by id; not a setting of a user, but what the connector tells its
   * tasks.
   */
  static final Setting<List<String>> TASK_STREAMS =
      SettingBuilder.list("task.streams", Check.ANY)
          .in(RUNNING, LOW, "Streams")
          .doc("Set by the connector: the streams of this task.");

  /** The number of one task, for its metrics' names. */
  static final Setting<Integer> TASK_NUMBER =
      SettingBuilder.number("task.number", Check.atLeast(0))
          .by(0)
          .in(RUNNING, LOW, "Task")
          .doc("Set by the connector: the number of this task.");

  private RunningSettings() {}
}
