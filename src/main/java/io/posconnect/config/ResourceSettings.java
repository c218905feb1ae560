package io.posconnect.config;

import static io.posconnect.config.RetrievalStyle.CURSOR;
import static io.posconnect.config.RetrievalStyle.DATE_RANGE;
import static io.posconnect.config.RetrievalStyle.MODIFIED_SINCE;
import static io.posconnect.config.RetrievalStyle.PAGES;
import static io.posconnect.config.Setting.Scope.GENERAL;
import static io.posconnect.config.Setting.Scope.LOCATION;
import static io.posconnect.config.Setting.Scope.RESOURCE;
import static org.apache.kafka.common.config.ConfigDef.Importance.HIGH;
import static org.apache.kafka.common.config.ConfigDef.Importance.LOW;
import static org.apache.kafka.common.config.ConfigDef.Importance.MEDIUM;

import io.posconnect.problem.Problem;
import io.posconnect.resource.Catalog;
import io.posconnect.resource.Resource;
import io.posconnect.resource.Retrieval.Full;
import io.posconnect.resource.Stream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.apache.kafka.common.config.ConfigDef.Range;
import org.apache.kafka.common.config.ConfigException;

/**
 * Lists the settings of a resource, and describes one as the catalog and the configuration together
 * do.
 */
final class ResourceSettings {

  static final SettingTable NAMES = new SettingTable("Resources", GENERAL);

  static final SettingTable TABLE = new SettingTable("A resource", RESOURCE);

  private static final long MOST_SCHEMA_BYTES = 1 << 20;
  private static final String CATALOG = "the catalog's";

  static final Setting<List<String>> RESOURCE_NAMES =
      NAMES
          .list("resources", Validators.RESOURCES)
          .by(
              Catalog.entries().stream()
                  .filter(Catalog.Entry::published)
                  .map(entry -> entry.resource().name())
                  .toList())
          .named(HIGH, "Resources")
          .alsoForLocations()
          .offered(Catalog.entries().stream().map(entry -> entry.resource().name()).toArray())
          .doc(
              "What to read. By default everything whose path is published, or configured as"
                  + " resources.<name>.path for a name that the catalog has.");

  static final Setting<String> PATH =
      TABLE
          .text("path", Validators.PATH)
          .named(HIGH, "Path")
          .byText(CATALOG)
          .doc("Path behind the base address; required for a resource that the catalog lacks.");

  static final Setting<RetrievalStyle> RETRIEVAL =
      TABLE
          .choice("retrieval", RetrievalStyle.class, RetrievalStyle::spelling)
          .named(HIGH, "Retrieval")
          .catalog(entry -> RetrievalStyle.of(entry.resource().retrieval()))
          .doc(
              "How it is read: the whole list, what changed since a time or between two times,"
                  + " numbered pages, or pages found by a key.");

  static final Setting<List<String>> KEY_FIELDS =
      TABLE
          .list("key.fields", Validators.KEY_FIELDS)
          .named(HIGH, "Key fields")
          .catalog(entry -> entry.resource().keyFields())
          .doc(
              "Fields that identify a row, in order; a|b are two names of one field: the first row"
                  + " decides; a? may be null, beside others. Changed later, it needs a new"
                  + " snapshot.id.");

  static final Setting<Boolean> OCCURRENCES =
      TABLE
          .flag("occurrences")
          .named(LOW, "Occurrences")
          .by(false)
          .catalog(entry -> entry.resource().occurrences())
          .byText(CATALOG)
          .doc(
              "Whether several rows may have the same key; each then also has its number among"
                  + " them. Not for what is read by modified-since or date-range.");

  static final Setting<List<String>> IGNORE_FIELDS =
      TABLE
          .list("ignore.fields", Validators.FIELDS)
          .named(LOW, "Ignored fields")
          .by(List.of())
          .catalog(entry -> List.copyOf(entry.resource().ignoreFields()))
          .byText("none")
          .doc("Fields whose change alone is no update; they are still written.");

  static final Setting<Integer> REQUESTS_PER_MINUTE =
      TABLE
          .number("requests.per.minute", Range.between(1, 60_000))
          .named(LOW, "Rate limit")
          .by(Catalog.REQUESTS_PER_MINUTE)
          .catalog(entry -> entry.resource().requestsPerMinute())
          .doc(
              "The service's limit for one key on this path; where several resources or connectors"
                  + " state different ones, the lowest holds.");

  static final Setting<Integer> ROWS_PER_PAGE =
      TABLE
          .number("page.size", Range.between(1, 1_000_000))
          .named(LOW, "Page size")
          .by(Catalog.ROWS_PER_PAGE)
          .only(PAGES, CURSOR, MODIFIED_SINCE)
          .doc("Rows asked for in a page.");

  static final Setting<Integer> FIRST_PAGE =
      TABLE
          .number("first.page", Range.between(0, 1))
          .named(LOW, "First page")
          .by(Catalog.FIRST_PAGE)
          .only(PAGES, MODIFIED_SINCE)
          .doc("Number of the first page.");

  static final Setting<Boolean> SNAPSHOT_IN_PAGES =
      TABLE
          .choice("snapshot", List.of("list", "pages"), "pages"::equals)
          .named(LOW, "Snapshot")
          .by("list")
          .only(MODIFIED_SINCE)
          .doc("How everything is read: in one response, or in numbered pages.");

  static final Setting<String> SNAPSHOT_PATH =
      TABLE
          .text("snapshot.path", Validators.PATH)
          .named(LOW, "Path of the pages")
          .catalog(Catalog.Entry::pagesPath)
          .byText("the catalog's, or path")
          .only(MODIFIED_SINCE)
          .doc("Where the numbered pages of a snapshot are read.");

  static final Setting<String> SCHEMA =
      TABLE
          .text("schema", Validators.AVRO)
          .named(LOW, "Schema")
          .byText(CATALOG)
          .doc("Avro schema of type record: the typed fields. All others stay in extra.");

  static final Setting<Path> SCHEMA_FILE =
      TABLE
          .text("schema.file", Validators.FILE, Path::of)
          .named(LOW, "File of the schema")
          .doc("The same as a file on every worker.");

  static final Setting<List<String>> TYPED_FIELDS =
      TABLE
          .list("fields", Validators.TYPED_FIELDS)
          .named(MEDIUM, "Typed fields")
          .by(List.of())
          .byText("none")
          .doc(
              "Fields to be typed beside those of the schema, such as"
                  + " productId:long,quantity:decimal,details:json.");

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

  /** The names of all query parameters. */
  static final List<Setting<String>> PARAMETERS =
      List.of(FROM, TO, PAGE_NUMBER, PAGE_SIZE, PAGE_KEY, MAX_PAGE_SIZE);

  private ResourceSettings() {}

  private static Setting<String> parameter(
      String name, String by, String what, RetrievalStyle first, RetrievalStyle... more) {
    return TABLE
        .text("parameter." + name, Validators.PARAMETER)
        .named(LOW, "Parameter: " + what)
        .by(by)
        .only(first, more)
        .doc("Name of the query parameter for the " + what + ".");
  }

  /** Names of the resources that a location is read for. */
  static List<String> names(LayeredConfig config, String location) {
    if (config.own(RESOURCE_NAMES, LOCATION, location).isPresent()
        || config.given(RESOURCE_NAMES.name())) {
      return config.ofLocation(RESOURCE_NAMES, location).orElseThrow();
    }
    return Catalog.entries().stream()
        .map(entry -> entry.resource().name())
        .filter(name -> !path(config, name).isEmpty())
        .toList();
  }

  /** Where a resource is read; empty when neither catalog nor configuration says so. */
  static String path(LayeredConfig config, String resource) {
    boolean inPages =
        config.ofResource(RETRIEVAL, resource).equals(Optional.of(RetrievalStyle.PAGES));
    return config
        .own(PATH, RESOURCE, resource)
        .or(() -> Catalog.find(resource).map(entry -> path(entry, inPages)))
        .orElse("");
  }

  private static String path(Catalog.Entry entry, boolean inPages) {
    return inPages && !entry.pagesPath().isEmpty() ? entry.pagesPath() : entry.resource().path();
  }

  /** Whether a resource is one object, which needs no key. */
  static boolean single(LayeredConfig config, String resource) {
    return config.own(RETRIEVAL, RESOURCE, resource).isEmpty()
        && Catalog.find(resource)
            .filter(entry -> entry.resource().retrieval().equals(new Full(true)))
            .isPresent();
  }

  /** The stream's resource, of a configuration that is consistent. */
  static Resource resource(LayeredConfig config, Stream stream) {
    String name = stream.resource();
    return new Resource(
        name,
        path(config, name),
        config.value(RETRIEVAL, stream).build(config, stream),
        config.ofResource(KEY_FIELDS, name).orElse(List.of()),
        config.value(OCCURRENCES, stream),
        Set.copyOf(config.value(IGNORE_FIELDS, stream)),
        config.value(REQUESTS_PER_MINUTE, stream),
        config.find(ReadingSettings.POLL_INTERVAL, stream).orElse(Catalog.POLL_INTERVAL),
        config.value(ReadingSettings.LOOKBACK, stream));
  }

  /** The declared schema's text. */
  static Optional<String> schema(LayeredConfig config, String resource) {
    Optional<Path> file = config.ofResource(SCHEMA_FILE, resource);
    return config.ofResource(SCHEMA, resource).or(() -> file.map(path -> read(path, resource)));
  }

  /**
   * The text of a schema's file.
   *
   * @throws ConfigException in the same words whatever the reason, since whoever may post a
   *     configuration shall not learn from it which files there are
   */
  static String read(Path file, String resource) {
    try {
      // A device or a pipe could go on for ever.
      if (Files.isRegularFile(file) && Files.size(file) <= MOST_SCHEMA_BYTES) {
        String text = Files.readString(file);
        if (Validators.avroRecord(text)) {
          return text;
        }
      }
    } catch (IOException e) {
      // Told below, in the same words.
    }
    String setting = RESOURCE.key(resource, SCHEMA_FILE.name());
    String demand = "cannot be read on this worker as a file of at most 1 MiB with ";
    throw new ConfigException(
        Fault.of(Problem.UNREADABLE_FILE, setting, file + " " + demand + Validators.AVRO_DEMAND)
            .message());
  }
}
