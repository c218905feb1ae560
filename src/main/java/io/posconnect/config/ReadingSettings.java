package io.posconnect.config;

import static io.posconnect.config.RetrievalStyle.DATE_RANGE;
import static io.posconnect.config.RetrievalStyle.MODIFIED_SINCE;
import static io.posconnect.config.Setting.Scope.GENERAL;
import static org.apache.kafka.common.config.ConfigDef.Importance.HIGH;
import static org.apache.kafka.common.config.ConfigDef.Importance.LOW;
import static org.apache.kafka.common.config.ConfigDef.Importance.MEDIUM;

import io.posconnect.resource.Catalog;
import java.time.Duration;
import java.time.Instant;

/** Lists the settings of how often and how far back streams are read. */
final class ReadingSettings {

  static final SettingTable TABLE = new SettingTable("Reading", GENERAL);

  static final Setting<Duration> POLL_INTERVAL =
      TABLE
          .millis("poll.interval.ms", 1)
          .catalog(entry -> entry.resource().pollInterval())
          .byText("the catalog's, or `%d`".formatted(Catalog.POLL_INTERVAL.toMillis()))
          .named(HIGH, "Poll interval")
          .everywhere()
          .doc(
              "From the start of one read to the start of the next; less than the rate limit"
                  + " allows means as often as it allows.");

  static final Setting<Duration> LOOKBACK =
      TABLE
          .millis("lookback.ms", 0)
          .by(Catalog.LOOKBACK.toMillis())
          .catalog(entry -> entry.resource().lookback())
          .named(MEDIUM, "Lookback")
          .everywhere()
          .only(MODIFIED_SINCE, DATE_RANGE)
          .doc("How far an increment reaches back: data reach the service late.");

  static final Setting<Instant> START_FROM =
      TABLE
          .text("start.from", Validators.START, ReadingSettings::instant)
          .by("earliest")
          .named(MEDIUM, "Start from")
          .everywhere()
          .only(DATE_RANGE)
          .offered("earliest", "now")
          .doc("Where a date range begins: earliest (2000-01-01), now, or a past instant in UTC.");

  static final Setting<Duration> WINDOW_MAX =
      TABLE
          .millis("window.max.ms", 60_000)
          .by(86_400_000L)
          .named(LOW, "Longest window")
          .everywhere()
          .only(DATE_RANGE)
          .doc("Longest span that one request of a date range asks for, unless spans are empty.");

  static final Setting<Duration> RECONCILE_INTERVAL =
      TABLE
          .millis("reconcile.interval.ms", 0)
          .by(86_400_000L)
          .named(MEDIUM, "Reconciliation interval")
          .everywhere()
          .only(MODIFIED_SINCE, DATE_RANGE)
          .doc("From one deeper read, which finds deletes and late rows, to the next; 0: never.");

  static final Setting<Duration> RECONCILE_WINDOW =
      TABLE
          .millis("reconcile.window.ms", 0)
          .by(604_800_000L)
          .named(MEDIUM, "Reconciliation window")
          .everywhere()
          .only(DATE_RANGE)
          .doc("How far back the reconciliation of a date range reaches; 0: no reconciliation.");

  static final Setting<String> SNAPSHOT_ID =
      TABLE
          .text("snapshot.id", Validators.SNAPSHOT_ID)
          .by("")
          .named(LOW, "Snapshot's id")
          .everywhere()
          .doc("A new value asks for one more snapshot, which emits every row again.");

  private ReadingSettings() {}

  /** Where a date range begins: {@link Instant#MAX} for the time of the first read. */
  static Instant instant(String text) {
    return switch (text) {
      case "earliest" -> Instant.parse("2000-01-01T00:00:00Z");
      case "now" -> Instant.MAX;
      default -> Instant.parse(text);
    };
  }
}
