package io.posconnect.config;

import static io.posconnect.config.Setting.Scope.GENERAL;
import static org.apache.kafka.common.config.ConfigDef.Importance.HIGH;
import static org.apache.kafka.common.config.ConfigDef.Importance.LOW;
import static org.apache.kafka.common.config.ConfigDef.Importance.MEDIUM;

import io.posconnect.record.Destination.EventFormat;
import io.posconnect.record.RowSchema.DecimalMode;
import io.posconnect.record.SchemaNames;
import io.posconnect.resource.StreamSettings.RowErrors;
import java.time.Duration;
import org.apache.kafka.common.config.ConfigDef.Range;

/** Lists the settings of what counts as a change, and of what is written of it. */
final class RecordSettings {

  static final SettingTable CHANGES = new SettingTable("Changes", GENERAL);

  static final SettingTable RECORDS = new SettingTable("Records", GENERAL);

  static final Setting<String> TOPIC_PREFIX =
      RECORDS
          .text("topic.prefix", Validators.TOPIC_PREFIX)
          .required()
          .named(HIGH, "Topic prefix")
          .doc("Begins the names of all topics.");

  static final Setting<String> TOPIC_TEMPLATE =
      RECORDS
          .text("topic.template", Validators.TOPIC_TEMPLATE)
          .by("{prefix}.{resource}")
          .named(MEDIUM, "Topic template")
          .doc("Name of a resource's topic; it may also hold {location}.");

  static final Setting<String> SCHEMA_NAMESPACE =
      RECORDS
          .text("schema.namespace", Validators.NAMESPACE)
          .by(SchemaNames.DEFAULT_NAMESPACE)
          .named(LOW, "Schema namespace")
          .doc(
              "Begins the names of the resources' schemas, and so of generated classes. It stands"
                  + " in every key: changed later, it needs a new snapshot.id.");

  static final Setting<EventFormat> EVENT_FORMAT =
      RECORDS
          .choice("event.format", EventFormat.class, EventFormat::spelling)
          .by(EventFormat.ENVELOPE.spelling())
          .named(MEDIUM, "Event format")
          .dependents("tombstones.on.delete")
          .doc("An envelope of before, after, source and op, or the row alone.");

  static final Setting<Boolean> TOMBSTONES =
      RECORDS
          .flag("tombstones.on.delete")
          .by(true)
          .named(LOW, "Tombstones")
          .shown(SettingTable.is("event.format", EventFormat.ENVELOPE.spelling()))
          .doc("Whether a tombstone follows a delete, so that compaction forgets the key.");

  static final Setting<DecimalMode> DECIMALS =
      RECORDS
          .choice("decimal.handling.mode", DecimalMode.class, DecimalMode::spelling)
          .by(DecimalMode.PRECISE.spelling())
          .named(LOW, "Decimals")
          .doc("How decimals are written: exactly, as text, or as binary floating point.");

  static final Setting<String> CHECKPOINTS_TOPIC =
      RECORDS
          .text("checkpoints.topic", Validators.TOPIC)
          .byText("`<topic.prefix>.checkpoints`")
          .named(LOW, "Topic of checkpoints")
          .doc("Where each complete read is reported; its records carry the position.");

  static final Setting<String> STATUS_TOPIC =
      RECORDS
          .text("status.topic", Validators.TOPIC)
          .byText("`<topic.prefix>.status`")
          .named(LOW, "Topic of the streams' states")
          .doc(
              "Where it is told that a stream is suspended or resumed, that a snapshot goes on, and"
                  + " what else an operator would look for in a log.");

  static final Setting<Duration> CHECKPOINT_INTERVAL =
      RECORDS
          .millis("checkpoint.interval.ms", 0)
          .by(60_000L)
          .named(LOW, "Interval of checkpoints")
          .everywhere()
          .doc("Shortest time between two checkpoints of reads that found nothing new.");

  static final Setting<Integer> ROW_MAX_BYTES =
      RECORDS
          .number("row.max.bytes", Range.between(1_024, 16_777_216))
          .by(900_000)
          .named(LOW, "Largest row")
          .doc(
              "Largest row, in bytes; a larger one becomes a dead letter. To raise it, raise"
                  + " producer.override.max.request.size as well, and the broker's limit.");

  static final Setting<RowErrors> ROW_ERRORS =
      RECORDS
          .choice("errors.rows", RowErrors.class, RowErrors::spelling)
          .by(RowErrors.DEAD_LETTER.spelling())
          .named(MEDIUM, "Broken rows")
          .everywhere()
          .doc(
              "What becomes of a row without a key, with another's key, that is no object, or that"
                  + " is too large.");

  static final Setting<String> DEAD_LETTERS_TOPIC =
      RECORDS
          .text("dead.letters.topic", Validators.TOPIC)
          .byText("`<topic.prefix>.dead-letters`")
          .named(LOW, "Topic of broken rows")
          .doc("Where broken rows go, as they were sent.");

  static final Setting<Double> DELETES_MAX_RATIO =
      CHANGES
          .share("deletes.max.ratio", Validators.SHARE)
          .by(0.3)
          .named(MEDIUM, "Share of deletes")
          .everywhere()
          .doc(
              "If more than this share of the keys vanish at once, a second read must confirm it.");

  static final Setting<Duration> DELETES_CONFIRM =
      CHANGES
          .millis("deletes.confirm.ms", 0)
          .by(600_000L)
          .named(LOW, "Delay of the confirmation")
          .everywhere()
          .doc("When that second read comes.");

  static final Setting<Integer> DIGEST_MAX_KEYS =
      CHANGES
          .number("digest.max.keys", Range.atLeast(1))
          .by(1_000_000)
          .named(MEDIUM, "Keys remembered")
          .everywhere()
          .doc(
              "Most keys that the digest of a stream holds: about ten bytes of the heap of every"
                  + " worker for each key that exists, none for the others.");

  private RecordSettings() {}
}
