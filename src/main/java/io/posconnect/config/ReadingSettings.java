package io.posconnect.config;

import static io.posconnect.config.RetrievalStyle.CURSOR;
import static io.posconnect.config.RetrievalStyle.DATE_RANGE;
import static io.posconnect.config.RetrievalStyle.MODIFIED_SINCE;
import static io.posconnect.config.RetrievalStyle.PAGES;
import static io.posconnect.config.Setting.Group.READING;
import static io.posconnect.config.Setting.Group.RESOURCES;
import static io.posconnect.config.Setting.Scope.GENERAL;
import static io.posconnect.config.Setting.Scope.LOCATION;
import static io.posconnect.config.Setting.Scope.RESOURCE;
import static org.apache.kafka.common.config.ConfigDef.Importance.HIGH;
import static org.apache.kafka.common.config.ConfigDef.Importance.LOW;
import static org.apache.kafka.common.config.ConfigDef.Importance.MEDIUM;

import io.posconnect.resource.Catalog;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.apache.kafka.common.config.ConfigDef.Importance;

/** What is read, how, and how often. */
final class ReadingSettings {

  private static final String CATALOG = "the catalog's";

  static final Setting<List<String>> RESOURCE_NAMES =
      SettingBuilder.list("resources", Check.RESOURCES)
          .by(
              Catalog.entries().stream()
                  .filter(Catalog.Entry::published)
                  .map(entry -> entry.resource().name())
                  .toList())
          .in(RESOURCES, HIGH, "Resources")
          .scopes(GENERAL, LOCATION)
          .advised(
              Advice.of(Catalog.entries().stream().map(entry -> entry.resource().name()).toArray()))
          .doc(
              "What to read. By default everything whose path is published, or configured as"
                  + " resources.<name>.path for a name that the catalog has.");

  static final Setting<String> PATH =
      resource(SettingBuilder.text("path", Check.PATH), HIGH, "Path")
          .byText(CATALOG)
          .doc("Path behind the base address; required for a resource that the catalog lacks.");

  static final Setting<RetrievalStyle> RETRIEVAL =
      resource(
              SettingBuilder.choice("retrieval", RetrievalStyle.class, RetrievalStyle::spelling),
              HIGH,
              "Retrieval")
          .byText(CATALOG)
          .doc(
              "How it is read: the whole list, what changed since a time or between two times,"
                  + " numbered pages, or pages found by a key.");

  static final Setting<List<String>> KEY_FIELDS =
      resource(SettingBuilder.list("key.fields", Check.KEY_FIELDS), HIGH, "Key fields")
          .byText(CATALOG)
          .doc(
              "Fields that identify a row, in order; a|b means b where a is null or absent. Changed"
                  + " later, it needs a new snapshot.id.");

  static final Setting<Boolean> OCCURRENCES =
      resource(SettingBuilder.flag("occurrences"), LOW, "Occurrences")
          .byText(CATALOG)
          .doc(
              "Whether several rows may have the same key; each then also has its number among"
                  + " them.");

  static final Setting<List<String>> IGNORE_FIELDS =
      resource(SettingBuilder.list("ignore.fields", Check.FIELDS), LOW, "Ignored fields")
          .byText("none")
          .doc("Fields whose change alone is no update; they are still written.");

  static final Setting<Integer> REQUESTS_PER_MINUTE =
      resource(
              SettingBuilder.number("requests.per.minute", Check.between(1, 60_000)),
              LOW,
              "Rate limit")
          .byText("the catalog's, or " + Catalog.REQUESTS_PER_MINUTE)
          .doc(
              "The service's limit for one key on this path; where several resources or connectors"
                  + " state different ones, the lowest holds.");

  static final Setting<Integer> ROWS_PER_PAGE =
      resource(SettingBuilder.number("page.size", Check.between(1, 1_000_000)), LOW, "Page size")
          .shownAs(Integer.toString(Catalog.ROWS_PER_PAGE))
          .only(PAGES, CURSOR, MODIFIED_SINCE)
          .doc("Rows asked for in a page.");

  static final Setting<Integer> FIRST_PAGE =
      resource(SettingBuilder.number("first.page", Check.between(0, 1)), LOW, "First page")
          .shownAs(Integer.toString(Catalog.FIRST_PAGE))
          .only(PAGES, MODIFIED_SINCE)
          .doc("Number of the first page.");

  static final Setting<SnapshotStyle> SNAPSHOT =
      resource(
              SettingBuilder.choice("snapshot", SnapshotStyle.class, SnapshotStyle::spelling),
              LOW,
              "Snapshot")
          .shownAs(SnapshotStyle.LIST.spelling())
          .only(MODIFIED_SINCE)
          .doc("How everything is read: in one response, or in numbered pages.");

  static final Setting<String> SNAPSHOT_PATH =
      resource(SettingBuilder.text("snapshot.path", Check.PATH), LOW, "Path of the pages")
          .byText("the catalog's, or path")
          .only(MODIFIED_SINCE)
          .doc("Where the numbered pages of a snapshot are read.");

  static final Setting<String> SCHEMA =
      resource(SettingBuilder.text("schema", Check.AVRO), LOW, "Schema")
          .byText(CATALOG)
          .doc("Avro schema of type record: the typed fields. All others stay in extra.");

  static final Setting<Path> SCHEMA_FILE =
      resource(
              SettingBuilder.text("schema.file", Check.NOT_BLANK, Path::of),
              LOW,
              "File of the schema")
          .byText("none")
          .doc("The same as a file on every worker.");

  static final Setting<String> FROM =
      parameter("from", Catalog.FROM, "lower bound", MODIFIED_SINCE, DATE_RANGE);

  static final Setting<String> TO = parameter("to", Catalog.TO, "upper bound", DATE_RANGE);

  static final Setting<String> PAGE_NUMBER =
      parameter("page.number", Catalog.PAGE_NUMBER, "page's number", PAGES, MODIFIED_SINCE);

  static final Setting<String> PAGE_SIZE =
      parameter("page.size", Catalog.PAGE_SIZE, "numbered page's size", PAGES, MODIFIED_SINCE);

  static final Setting<String> PAGE_KEY =
      parameter("page.key", Catalog.PAGE_KEY, "next page's key", CURSOR);

  static final Setting<String> MAX_PAGE_SIZE =
      parameter("max.page.size", Catalog.MAX_PAGE_SIZE, "size of a page found by its key", CURSOR);

  static final Setting<Duration> POLL_INTERVAL =
      SettingBuilder.millis("poll.interval.ms", 1)
          .byText("the catalog's, or " + Catalog.POLL_INTERVAL.toMillis())
          .in(READING, HIGH, "Poll interval")
          .everywhere()
          .doc(
              "From the start of one read to the start of the next; less than the rate limit"
                  + " allows means as often as it allows.");

  static final Setting<Duration> LOOKBACK =
      SettingBuilder.millis("lookback.ms", 0)
          .by(Catalog.LOOKBACK.toMillis())
          .byText("the catalog's, or " + Catalog.LOOKBACK.toMillis())
          .in(READING, MEDIUM, "Lookback")
          .everywhere()
          .only(MODIFIED_SINCE, DATE_RANGE)
          .doc("How far an increment reaches back: data reach the service late.");

  static final Setting<StartFrom> START_FROM =
      SettingBuilder.text("start.from", Check.START, StartFrom::parse)
          .by("earliest")
          .in(READING, MEDIUM, "Start from")
          .everywhere()
          .only(DATE_RANGE)
          .advised(Advice.of("earliest", "now"))
          .doc("Where a date range begins: earliest (2000-01-01), now, or an instant in UTC.");

  static final Setting<Duration> WINDOW_MAX =
      SettingBuilder.millis("window.max.ms", 60_000)
          .by(86_400_000L)
          .in(READING, LOW, "Longest window")
          .everywhere()
          .only(DATE_RANGE)
          .doc("Longest span that one request of a date range asks for, unless spans are empty.");

  static final Setting<Duration> RECONCILE_INTERVAL =
      SettingBuilder.millis("reconcile.interval.ms", 0)
          .by(86_400_000L)
          .in(READING, MEDIUM, "Reconciliation interval")
          .everywhere()
          .only(MODIFIED_SINCE, DATE_RANGE)
          .doc("From one deeper read, which finds deletes and late rows, to the next; 0: never.");

  static final Setting<Duration> RECONCILE_WINDOW =
      SettingBuilder.millis("reconcile.window.ms", 0)
          .by(604_800_000L)
          .in(READING, MEDIUM, "Reconciliation window")
          .everywhere()
          .only(DATE_RANGE)
          .doc("How far back the reconciliation of a date range reaches; 0: no reconciliation.");

  static final Setting<String> SNAPSHOT_ID =
      SettingBuilder.text("snapshot.id", Check.ANY)
          .by("")
          .byText("empty")
          .in(READING, LOW, "Snapshot's id")
          .everywhere()
          .doc("A new value asks for one more snapshot, which emits every row again.");

  static final List<Setting<?>> ALL =
      List.of(
          RESOURCE_NAMES,
          PATH,
          RETRIEVAL,
          KEY_FIELDS,
          OCCURRENCES,
          IGNORE_FIELDS,
          REQUESTS_PER_MINUTE,
          ROWS_PER_PAGE,
          FIRST_PAGE,
          SNAPSHOT,
          SNAPSHOT_PATH,
          SCHEMA,
          SCHEMA_FILE,
          FROM,
          TO,
          PAGE_NUMBER,
          PAGE_SIZE,
          PAGE_KEY,
          MAX_PAGE_SIZE,
          POLL_INTERVAL,
          LOOKBACK,
          START_FROM,
          WINDOW_MAX,
          RECONCILE_INTERVAL,
          RECONCILE_WINDOW,
          SNAPSHOT_ID);

  private ReadingSettings() {}

  private static <T> SettingBuilder<T> resource(
      SettingBuilder<T> setting, Importance importance, String title) {
    return setting.in(RESOURCES, importance, title).scopes(RESOURCE);
  }

  private static Setting<String> parameter(
      String name, String by, String what, RetrievalStyle first, RetrievalStyle... more) {
    return resource(
            SettingBuilder.text("parameter." + name, Check.PARAMETER), LOW, "Parameter: " + what)
        .shownAs(by)
        .only(first, more)
        .doc("Name of the query parameter for the " + what + ".");
  }
}
