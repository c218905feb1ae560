package io.posconnect.config;

import static io.posconnect.config.Setting.Scope.GENERAL;
import static io.posconnect.config.Setting.Scope.LOCATION;
import static io.posconnect.config.Setting.Scope.RESOURCE;
import static org.apache.kafka.common.config.ConfigDef.Importance.HIGH;
import static org.apache.kafka.common.config.ConfigDef.Importance.LOW;
import static org.apache.kafka.common.config.ConfigDef.Importance.MEDIUM;

import io.posconnect.record.Destination.EventFormat;
import io.posconnect.record.RowSchema.DecimalMode;
import io.posconnect.record.SchemaNames;
import io.posconnect.resource.Retrieval.Style;
import io.posconnect.resource.StreamSettings.RowErrors;
import java.time.Duration;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.ConfigDef.Range;

/** Lists the settings of change detection and of the records. */
final class RecordSettings {

  static final SettingTable CHANGES = new SettingTable("Changes", GENERAL, RESOURCE, LOCATION);

  static final SettingTable RECORDS = new SettingTable("Records", GENERAL);

  static final Setting<String> TOPIC_PREFIX =
      RECORDS
          .text("topic.prefix", Validators.TOPIC_PREFIX)
          .defaultsTo(ConfigDef.NO_DEFAULT_VALUE)
          .named(HIGH, "Topic prefix")
          .doc("Beginning of the names of all topics.");

  static final Setting<String> TOPIC_TEMPLATE =
      RECORDS
          .text("topic.template", Validators.TOPIC_TEMPLATE)
          .defaultsTo("{prefix}.{resource}")
          .named(MEDIUM, "Topic template")
          .doc("Name of a resource's topic; it may also contain {location}.");

  static final Setting<String> SCHEMA_NAMESPACE =
      RECORDS
          .text("schema.namespace", Validators.NAMESPACE)
          .defaultsTo(SchemaNames.DEFAULT_NAMESPACE)
          .named(LOW, "Schema namespace")
          .doc(
              "Namespace of the resources' schemas, and so of generated classes. Every key contains"
                  + " it: after a change, set a new snapshot.id.");

  static final Setting<EventFormat> EVENT_FORMAT =
      RECORDS
          .choice("event.format", EventFormat.class)
          .defaultsTo(EventFormat.ENVELOPE.spelling())
          .named(MEDIUM, "Event format")
          .dependents("tombstones.on.delete")
          .doc("An envelope of before, after, source and op, or only the row.");

  static final Setting<Boolean> TOMBSTONES =
      RECORDS
          .flag("tombstones.on.delete")
          .defaultsTo(true)
          .named(LOW, "Tombstones")
          .visibleIf(SettingTable.is("event.format", EventFormat.ENVELOPE.spelling()))
          .doc("Whether a tombstone follows a delete, so that compaction removes the key.");

  static final Setting<DecimalMode> DECIMALS =
      RECORDS
          .choice("decimal.handling.mode", DecimalMode.class)
          .defaultsTo(DecimalMode.PRECISE.spelling())
          .named(LOW, "Decimals")
          .doc("How the connector writes decimals: exactly, as text, or as binary floating point.");

  static final Setting<String> CHECKPOINTS_TOPIC =
      RECORDS
          .text("checkpoints.topic", Validators.TOPIC)
          .defaultText("`<topic.prefix>.checkpoints`")
          .named(LOW, "Topic of checkpoints")
          .doc(
              "Topic of checkpoints: each reports a complete read, with the position in its offset.");

  static final Setting<String> STATUS_TOPIC =
      RECORDS
          .text("status.topic", Validators.TOPIC)
          .defaultText("`<topic.prefix>.status`")
          .named(LOW, "Topic of status events")
          .doc(
              "Topic of status events: suspended and resumed streams, the progress of snapshots,"
                  + " and other events for an operator.");

  static final Setting<Duration> CHECKPOINT_INTERVAL =
      RECORDS
          .millis("checkpoint.interval.ms", 0)
          .defaultsTo(60_000L)
          .named(LOW, "Interval of checkpoints")
          .in(GENERAL, RESOURCE, LOCATION)
          .doc("Shortest time between two checkpoints of reads that found nothing new.");

  static final Setting<Integer> ROW_MAX_BYTES =
      RECORDS
          .number("row.max.bytes", Range.between(1_024, 16_777_216))
          .defaultsTo(900_000)
          .named(LOW, "Largest row")
          .doc(
              "Largest row, in bytes; a larger one becomes a dead letter. To raise it, raise"
                  + " the worker's producer.max.request.size as well, and the broker's limit.");

  static final Setting<RowErrors> ROW_ERRORS =
      RECORDS
          .choice("errors.rows", RowErrors.class)
          .defaultsTo(RowErrors.DEAD_LETTER.spelling())
          .named(MEDIUM, "Broken rows")
          .in(GENERAL, RESOURCE, LOCATION)
          .doc(
              "What becomes of a row that has no key or the key of another row, is not an object, or"
                  + " is too large: a dead letter; a failed task; or nothing but a count and a line in"
                  + " the log.");

  static final Setting<String> DEAD_LETTERS_TOPIC =
      RECORDS
          .text("dead.letters.topic", Validators.TOPIC)
          .defaultText("`<topic.prefix>.dead-letters`")
          .named(LOW, "Topic of dead letters")
          .doc("Topic of dead letters: broken rows as the service sent them.");

  static final Setting<Double> DELETES_MAX_RATIO =
      CHANGES
          .share("deletes.max.ratio", Validators.SHARE)
          .defaultsTo(0.3)
          .named(MEDIUM, "Share of deletes")
          .usedBy(Style::provesAbsence)
          .doc(
              "If more than this share of at least 20 keys vanish within an hour, the connector holds"
                  + " the deletes until a later read confirms them.");

  static final Setting<Duration> DELETES_CONFIRM =
      CHANGES
          .millis("deletes.confirm.ms", 0)
          .defaultsTo(600_000L)
          .named(LOW, "Delay of the confirmation")
          .usedBy(Style::provesAbsence)
          .doc(
              "Time from the read that first lacks the keys to the one that confirms their deletes.");

  static final Setting<Integer> DIGEST_MAX_KEYS =
      CHANGES
          .number("digest.max.keys", Range.atLeast(1))
          .defaultsTo(1_000_000)
          .named(MEDIUM, "Keys in the digest")
          .doc(
              "Most keys that the digest of a stream holds: for each key that exists, about 13 bytes"
                  + " of the heap of every worker, and 35 more of the one that reads the stream.");

  private RecordSettings() {}
}
