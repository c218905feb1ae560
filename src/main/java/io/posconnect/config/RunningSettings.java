package io.posconnect.config;

import static io.posconnect.config.Setting.Scope.GENERAL;
import static org.apache.kafka.common.config.ConfigDef.Importance.LOW;
import static org.apache.kafka.common.config.ConfigDef.Importance.MEDIUM;

import java.time.Duration;
import java.util.List;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.ConfigDef.Range;

/** Lists the settings of how a task runs and when it fails. */
final class RunningSettings {

  static final SettingTable TABLE = new SettingTable("Running", GENERAL);

  private static final SettingTable TASK = new SettingTable("Task", GENERAL);

  static final Setting<Integer> BATCH_MAX_RECORDS =
      TABLE
          .number("batch.max.records", Range.between(2, 100_000))
          .defaultsTo(4_000)
          .named(LOW, "Batch size")
          .doc("Most records that one poll returns; under exactly-once, those of a transaction.");

  static final Setting<Long> BUFFER_MAX_BYTES =
      TABLE
          .of("buffer.max.bytes", ConfigDef.Type.LONG, Range.atLeast(1), Long.class::cast)
          .defaultsTo(16_777_216L)
          .named(LOW, "Buffer size")
          .doc(
              "Most bytes of rows that a task holds until Connect takes them or, with at-least-once,"
                  + " until they are written.");

  static final Setting<Boolean> ISOLATE_STREAMS =
      TABLE
          .choice("errors.streams", List.of("isolate", "fail"), "isolate"::equals)
          .defaultsTo("isolate")
          .named(MEDIUM, "Broken streams")
          .dependents("errors.fail.after.ms")
          .doc(
              "Whether the other streams of a task continue when one is suspended, or the task fails.");

  static final Setting<Duration> FAIL_AFTER =
      TABLE
          .millis("errors.fail.after.ms", 0)
          .defaultsTo(0L)
          .named(LOW, "Fail after")
          .visibleIf(SettingTable.is("errors.streams", "isolate"))
          .doc(
              "How long all streams of a task must be suspended before the task fails; 0: never. Not"
                  + " with errors.streams=fail.");

  /**
   * The streams of one task, by id; not a setting of a user: the connector passes it to its tasks.
   */
  static final Setting<List<String>> TASK_STREAMS =
      TASK.list("task.streams", null)
          .named(LOW, "Streams")
          .doc("Set by the connector: the streams of this task.");

  /** The number of one task, for the names of its metrics. */
  static final Setting<Integer> TASK_NUMBER =
      TASK.number("task.number", Range.atLeast(0))
          .defaultsTo(0)
          .named(LOW, "Task")
          .doc("Set by the connector: the number of this task.");

  private RunningSettings() {}
}
