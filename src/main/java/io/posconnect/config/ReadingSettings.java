package io.posconnect.config;

import static io.posconnect.config.Setting.Scope.GENERAL;
import static io.posconnect.config.Setting.Scope.LOCATION;
import static io.posconnect.config.Setting.Scope.RESOURCE;
import static io.posconnect.resource.Retrieval.Style.DATE_RANGE;
import static org.apache.kafka.common.config.ConfigDef.Importance.HIGH;
import static org.apache.kafka.common.config.ConfigDef.Importance.LOW;
import static org.apache.kafka.common.config.ConfigDef.Importance.MEDIUM;

import io.posconnect.resource.Catalog;
import io.posconnect.resource.Retrieval.Style;
import io.posconnect.resource.StartFrom;
import java.time.Duration;
import java.util.List;

/** Lists the settings of how often and how far back the connector reads. */
final class ReadingSettings {

  static final SettingTable TABLE = new SettingTable("Reading", GENERAL, RESOURCE, LOCATION);

  static final Setting<Duration> POLL_INTERVAL =
      TABLE
          .millis("poll.interval.ms", 1)
          .defaultsTo(Catalog.POLL_INTERVAL.toMillis())
          .catalogDefault(Catalog.Entry::pollInterval)
          .named(HIGH, "Poll interval")
          .doc(
              "Time from the start of one read to the start of the next. If the rate limit does not"
                  + " allow it, the connector reads as often as the limit allows.");

  static final Setting<Duration> LOOKBACK =
      TABLE
          .millis("lookback.ms", 0)
          .defaultsTo(Catalog.LOOKBACK.toMillis())
          .catalogDefault(Catalog.Entry::lookback)
          .named(MEDIUM, "Lookback")
          .doc(
              "How far an increment reaches back, since data reach the service late. An answer"
                  + " that is older than this is not used, whatever the retrieval.");

  static final Setting<StartFrom> START_FROM =
      TABLE
          .text("start.from", Validators.START, StartFrom::of)
          .defaultsTo("earliest")
          .named(MEDIUM, "Start from")
          .usedBy(DATE_RANGE)
          .recommending("earliest", "now")
          .doc(
              "Where a date range begins: earliest (2000-01-01), now, a past instant in UTC, or a"
                  + " duration back from now, such as P30D. The position keeps the instant of the"
                  + " first start; a new value counts once snapshot.id changes.");

  static final Setting<Duration> WINDOW_MAX =
      TABLE
          .millis("window.max.ms", 60_000)
          .defaultsTo(31_536_000_000L)
          .named(LOW, "Longest window")
          .usedBy(DATE_RANGE)
          .doc(
              "Longest span of one request of a date range. Spans begin with a day, double while they"
                  + " hold few rows, and are halved when the service refuses them. If the service has"
                  + " a limit, such as 31 days, set it here. It must be longer than the time between two"
                  + " requests, or the stream would never reach the present.");

  static final Setting<Duration> RECONCILE_INTERVAL =
      TABLE
          .millis("reconcile.interval.ms", 0)
          .defaultsTo(86_400_000L)
          .named(MEDIUM, "Reconciliation interval")
          .usedBy(Style::filtered)
          .doc("Time between two reconciliations, which detect deletes and late rows; 0: never.");

  static final Setting<Duration> RECONCILE_WINDOW =
      TABLE
          .millis("reconcile.window.ms", 0)
          .defaultsTo(604_800_000L)
          .named(MEDIUM, "Reconciliation window")
          .usedBy(DATE_RANGE)
          .doc("How far back the reconciliation of a date range reaches; 0: no reconciliation.");

  static final Setting<String> SNAPSHOT_ID =
      TABLE
          .text("snapshot.id", Validators.SNAPSHOT_ID)
          .defaultsTo("")
          .named(LOW, "Snapshot's id")
          .doc("A new value starts one more snapshot, which emits every row again.");

  static final Setting<Boolean> BASELINE =
      TABLE
          .choice("snapshot.mode", List.of("initial", "baseline"), "baseline"::equals)
          .defaultsTo("initial")
          .named(LOW, "Snapshot's mode")
          .doc(
              "What the first read of a stream does: initial emits every row; baseline only learns"
                  + " what is there, and each later change is an event. Without effect on a stream"
                  + " that has begun; a new snapshot.id emits every row.");

  private ReadingSettings() {}
}
