package io.posconnect.config;

import static io.posconnect.config.Setting.Scope.GENERAL;
import static org.apache.kafka.common.config.ConfigDef.Importance.LOW;
import static org.apache.kafka.common.config.ConfigDef.Importance.MEDIUM;

import java.time.Duration;
import java.util.List;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.ConfigDef.Range;

/** Lists the settings of how a task runs, and when it fails. */
final class RunningSettings {

  static final SettingTable TABLE = new SettingTable("Running", GENERAL);

  private static final SettingTable TASK = new SettingTable("Task", GENERAL);

  static final Setting<Integer> BATCH_MAX_RECORDS =
      TABLE
          .number("batch.max.records", Range.between(2, 100_000))
          .by(2_000)
          .named(LOW, "Batch size")
          .doc("Most records handed over at once; under exactly-once, a transaction.");

  static final Setting<Long> BUFFER_MAX_BYTES =
      TABLE
          .of("buffer.max.bytes", ConfigDef.Type.LONG, Range.atLeast(1), Long.class::cast)
          .by(33_554_432L)
          .named(LOW, "Buffer size")
          .doc(
              "Most bytes of rows that a task holds until handed over, or written if at-least-once.");

  static final Setting<Boolean> ISOLATE_STREAMS =
      TABLE
          .choice("errors.streams", List.of("isolate", "fail"), "isolate"::equals)
          .by("isolate")
          .named(MEDIUM, "Broken streams")
          .dependents("errors.fail.after.ms")
          .doc("Whether the others go on when one stream is suspended, or the task fails.");

  static final Setting<Duration> FAIL_AFTER =
      TABLE
          .millis("errors.fail.after.ms", 0)
          .by(0L)
          .named(LOW, "Fail after")
          .shown(SettingTable.is("errors.streams", "isolate"))
          .doc(
              "How long all streams of a task must have been suspended before it fails; 0: it never does.");

  /**
   * The streams of one task, by id; not a setting of a user, but what the connector tells its
   * tasks.
   */
  static final Setting<List<String>> TASK_STREAMS =
      TASK.list("task.streams", null)
          .named(LOW, "Streams")
          .doc("Set by the connector: the streams of this task.");

  /** The number of one task, for its metrics' names. */
  static final Setting<Integer> TASK_NUMBER =
      TASK.number("task.number", Range.atLeast(0))
          .by(0)
          .named(LOW, "Task")
          .doc("Set by the connector: the number of this task.");

  private RunningSettings() {}
}
