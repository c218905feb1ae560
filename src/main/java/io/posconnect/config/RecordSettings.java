package io.posconnect.config;

import static io.posconnect.config.Setting.Group.CHANGES;
import static io.posconnect.config.Setting.Group.RECORDS;
import static org.apache.kafka.common.config.ConfigDef.Importance.HIGH;
import static org.apache.kafka.common.config.ConfigDef.Importance.LOW;
import static org.apache.kafka.common.config.ConfigDef.Importance.MEDIUM;

import io.posconnect.record.Destination.EventFormat;
import io.posconnect.record.RowSchema.DecimalMode;
import io.posconnect.resource.StreamSettings.RowErrors;
import java.time.Duration;
import java.util.List;

/** What counts as a change, and what is written of it. */
final class RecordSettings {

  static final Setting<String> TOPIC_PREFIX =
      SettingBuilder.text("topic.prefix", Check.TOPIC_PREFIX)
          .required()
          .in(RECORDS, HIGH, "Topic prefix")
          .doc("Begins the names of all topics.");

  static final Setting<String> TOPIC_TEMPLATE =
      SettingBuilder.text("topic.template", Check.TOPIC_TEMPLATE)
          .by("{prefix}.{resource}")
          .in(RECORDS, MEDIUM, "Topic template")
          .doc("Name of a resource's topic; it may also hold {location}.");

  static final Setting<EventFormat> EVENT_FORMAT =
      SettingBuilder.choice("event.format", EventFormat.class, EventFormat::spelling)
          .by(EventFormat.ENVELOPE.spelling())
          .in(RECORDS, MEDIUM, "Event format")
          .dependents("tombstones.on.delete")
          .doc("An envelope of before, after, source and op, or the row alone.");

  static final Setting<Boolean> TOMBSTONES =
      SettingBuilder.flag("tombstones.on.delete")
          .by(true)
          .in(RECORDS, LOW, "Tombstones")
          .shown(advice -> advice.when("event.format", EventFormat.ENVELOPE.spelling()))
          .doc("Whether a tombstone follows a delete, so that compaction forgets the key.");

  static final Setting<DecimalMode> DECIMALS =
      SettingBuilder.choice("decimal.handling.mode", DecimalMode.class, DecimalMode::spelling)
          .by(DecimalMode.PRECISE.spelling())
          .in(RECORDS, LOW, "Decimals")
          .doc("How decimals are written: exactly, as text, or as binary floating point.");

  static final Setting<String> CHECKPOINTS_TOPIC =
      SettingBuilder.text("checkpoints.topic", Check.TOPIC)
          .shownAs("<topic.prefix>.checkpoints")
          .in(RECORDS, LOW, "Topic of checkpoints")
          .doc("Where each complete read is reported; its records carry the position.");

  static final Setting<Duration> CHECKPOINT_INTERVAL =
      SettingBuilder.millis("checkpoint.interval.ms", 0)
          .by(60_000L)
          .in(RECORDS, LOW, "Interval of checkpoints")
          .everywhere()
          .doc("Shortest time between two checkpoints of reads that found nothing new.");

  static final Setting<RowErrors> ROW_ERRORS =
      SettingBuilder.choice("errors.rows", RowErrors.class, RowErrors::spelling)
          .by(RowErrors.DEAD_LETTER.spelling())
          .in(RECORDS, MEDIUM, "Broken rows")
          .everywhere()
          .doc("What becomes of a row without a key, with another's key, or that is no object.");

  static final Setting<String> DEAD_LETTERS_TOPIC =
      SettingBuilder.text("dead.letters.topic", Check.TOPIC)
          .shownAs("<topic.prefix>.dead-letters")
          .in(RECORDS, LOW, "Topic of broken rows")
          .doc("Where broken rows go, as they were sent.");

  static final Setting<Double> DELETES_MAX_RATIO =
      SettingBuilder.share("deletes.max.ratio", Check.share())
          .by(0.5)
          .in(CHANGES, MEDIUM, "Share of deletes")
          .everywhere()
          .doc(
              "If more than this share of the keys vanish at once, a second read must confirm it.");

  static final Setting<Duration> DELETES_CONFIRM =
      SettingBuilder.millis("deletes.confirm.ms", 0)
          .by(600_000L)
          .in(CHANGES, LOW, "Delay of the confirmation")
          .everywhere()
          .doc("When that second read comes.");

  static final Setting<Integer> DIGEST_MAX_KEYS =
      SettingBuilder.number("digest.max.keys", Check.atLeast(1))
          .by(100_000)
          .in(CHANGES, MEDIUM, "Keys remembered")
          .everywhere()
          .doc(
              "Most keys that a stream remembers, at about ten bytes each in the memory of every"
                  + " worker.");

  static final Setting<Integer> DIGEST_BUCKETS =
      SettingBuilder.number("digest.buckets", Check.between(1, 1024))
          .by(64)
          .in(CHANGES, LOW, "Buckets")
          .everywhere()
          .doc("Into how many offsets a stream's keys are spread; fixed for the stream's life.");

  static final List<Setting<?>> ALL =
      List.of(
          DELETES_MAX_RATIO,
          DELETES_CONFIRM,
          DIGEST_MAX_KEYS,
          DIGEST_BUCKETS,
          TOPIC_PREFIX,
          TOPIC_TEMPLATE,
          EVENT_FORMAT,
          TOMBSTONES,
          DECIMALS,
          CHECKPOINTS_TOPIC,
          CHECKPOINT_INTERVAL,
          ROW_ERRORS,
          DEAD_LETTERS_TOPIC);

  private RecordSettings() {}
}
