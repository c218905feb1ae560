package io.posconnect.config;

import static io.posconnect.config.Setting.Scope.GENERAL;
import static io.posconnect.config.Setting.Scope.LOCATION;
import static io.posconnect.config.Setting.Scope.RESOURCE;
import static io.posconnect.resource.Retrieval.Style.CURSOR;
import static io.posconnect.resource.Retrieval.Style.DATE_RANGE;
import static io.posconnect.resource.Retrieval.Style.MODIFIED_SINCE;
import static io.posconnect.resource.Retrieval.Style.PAGES;
import static org.apache.kafka.common.config.ConfigDef.Importance.HIGH;
import static org.apache.kafka.common.config.ConfigDef.Importance.LOW;
import static org.apache.kafka.common.config.ConfigDef.Importance.MEDIUM;

import io.posconnect.problem.Incident;
import io.posconnect.problem.Problem;
import io.posconnect.problem.Text;
import io.posconnect.record.DeclaredSchemas;
import io.posconnect.resource.Catalog;
import io.posconnect.resource.Request.Parameter;
import io.posconnect.resource.Retrieval;
import io.posconnect.resource.Retrieval.Cursor;
import io.posconnect.resource.Retrieval.DateRange;
import io.posconnect.resource.Retrieval.Full;
import io.posconnect.resource.Retrieval.ModifiedSince;
import io.posconnect.resource.Retrieval.Pages;
import io.posconnect.resource.Retrieval.Style;
import io.posconnect.resource.Stream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.ConfigDef.Range;
import org.apache.kafka.common.config.types.Password;

/** Lists the settings of a resource, and combines them with the catalog. */
final class ResourceSettings {

  static final SettingTable NAMES = new SettingTable("Resources", GENERAL);

  static final SettingTable TABLE = new SettingTable("A resource", RESOURCE);

  static final SettingTable PRIVACY = new SettingTable("Privacy", RESOURCE);

  private static final long MOST_SCHEMA_BYTES = 1 << 20;
  private static final String CATALOG = "the catalog's";
  private static final String PARAMETER = "parameter.";

  static final Setting<List<String>> RESOURCE_NAMES =
      NAMES
          .list("resources", Validators.RESOURCES)
          .defaultsTo(
              Catalog.entries().stream()
                  .filter(Catalog.Entry::published)
                  .map(Catalog.Entry::name)
                  .toList())
          .named(HIGH, "Resources")
          .in(GENERAL, LOCATION)
          .recommending(Catalog.entries().stream().map(Catalog.Entry::name).toArray())
          .doc(
              "Resources to read. By default, every resource of the catalog whose path is published"
                  + " or configured as resources.<name>.path.");

  static final Setting<String> PATH =
      TABLE
          .text("path", Validators.PATH)
          .named(HIGH, "Path")
          .defaultText(CATALOG)
          .doc("Path below the base address; required for a resource that the catalog lacks.");

  static final Setting<Style> RETRIEVAL =
      TABLE
          .choice("retrieval", Style.class)
          .named(HIGH, "Retrieval")
          .catalogDefault(Catalog.Entry::style)
          .doc(
              "How the connector reads the resource: the whole list, the changes since a time or"
                  + " between two times, numbered pages, or pages that follow a key.");

  static final Setting<List<String>> KEY_FIELDS =
      TABLE
          .list("key.fields", Validators.KEY_FIELDS)
          .named(HIGH, "Key fields")
          .catalogDefault(Catalog.Entry::keyFields)
          .doc(
              "Fields that identify a row, in order. Of a|b each row's first that has a value"
                  + " counts, and the key calls it a. a? may be null if other fields identify the row."
                  + " After a change, set a new snapshot.id.");

  static final Setting<Boolean> OCCURRENCES =
      TABLE
          .flag("occurrences")
          .named(LOW, "Occurrences")
          .defaultsTo(false)
          .catalogDefault(Catalog.Entry::occurrences)
          .doc(
              "Whether several rows may have the same key; the connector then adds an occurrence"
                  + " number to the key. Not possible with modified-since and date-range.");

  static final Setting<List<String>> IGNORE_FIELDS =
      TABLE
          .list("ignore.fields", Validators.FIELDS)
          .named(LOW, "Ignored fields")
          .doc(
              "Fields that are written but not compared: their change alone is not an update. For a"
                  + " nested field, name the one that holds it.");

  static final Setting<Integer> REQUESTS_PER_MINUTE =
      TABLE
          .number("requests.per.minute", Range.between(1, 60_000))
          .named(LOW, "Rate limit")
          .defaultsTo(Catalog.REQUESTS_PER_MINUTE)
          .catalogDefault(Catalog.Entry::requestsPerMinute)
          .doc(
              "The service's limit for one key on this path. If resources or connectors state"
                  + " different limits for it, the lowest one applies.");

  static final Setting<Integer> ROWS_PER_PAGE =
      TABLE
          .number("page.size", Range.between(1, 1_000_000))
          .named(LOW, "Page size")
          .defaultsTo(100) // the most that the numbered pages allow
          .usedBy(PAGES, CURSOR, MODIFIED_SINCE)
          .doc("Rows requested in a page.");

  static final Setting<Integer> FIRST_PAGE =
      TABLE
          .number("first.page", Range.between(0, 1))
          .named(LOW, "First page")
          .defaultsTo(1)
          .usedBy(PAGES, MODIFIED_SINCE)
          .doc(
              "Number of the first page. If it is too high, the rows of the pages before it count as"
                  + " deleted.");

  static final Setting<Boolean> SNAPSHOT_IN_PAGES =
      TABLE
          .choice("snapshot", List.of("list", "pages"), "pages"::equals)
          .named(LOW, "Snapshot")
          .defaultsTo("list")
          .usedBy(MODIFIED_SINCE)
          .doc("How the connector reads the whole list: in one response, or in numbered pages.");

  static final Setting<Boolean> INCREMENTS_IN_PAGES =
      TABLE
          .choice("increments", List.of("list", "pages"), "pages"::equals)
          .named(LOW, "Increments")
          .defaultsTo("list")
          .usedBy(MODIFIED_SINCE)
          .doc(
              "How the connector reads the changes since a time: in one response, or in numbered"
                  + " pages of path.");

  static final Setting<String> SNAPSHOT_PATH =
      TABLE
          .text("snapshot.path", Validators.PATH)
          .named(LOW, "Path of the pages")
          .catalogDefault(Catalog.Entry::pagesPath)
          .defaultText("the catalog's, or path")
          .usedBy(MODIFIED_SINCE)
          .doc("Path of the numbered pages of a snapshot.");

  static final Setting<String> SCHEMA =
      TABLE
          .text("schema", Validators.AVRO)
          .named(LOW, "Schema")
          .defaultText(CATALOG)
          .doc("Avro schema of type record with the typed fields. All others stay in extra.");

  static final Setting<Path> SCHEMA_FILE =
      TABLE
          .text("schema.file", Validators.FILE, Path::of)
          .named(LOW, "File of the schema")
          .doc("File with such a schema, on every worker.");

  static final Setting<List<String>> TYPED_FIELDS =
      TABLE
          .list("fields", Validators.TYPED_FIELDS)
          .named(MEDIUM, "Typed fields")
          .doc(
              "Typed fields in addition to those of the schema, such as"
                  + " productId:long,quantity:decimal,details:json.");

  static final Setting<String> FROM =
      parameter("from", "fromLastModifiedDateUTC", "lower bound", MODIFIED_SINCE, DATE_RANGE);

  static final Setting<String> TO =
      parameter("to", "toLastModifiedDateUTC", "upper bound", DATE_RANGE);

  static final Setting<String> PAGE_NUMBER =
      parameter("page.number", "PageNumber", "page's number", PAGES, MODIFIED_SINCE);

  static final Setting<String> PAGE_SIZE =
      parameter("page.size", "PageSize", "numbered page's size", PAGES, MODIFIED_SINCE);

  static final Setting<String> PAGE_KEY =
      parameter("page.key", "pageKey", "next page's key", CURSOR);

  static final Setting<String> MAX_PAGE_SIZE =
      parameter("max.page.size", "maxPageSize", "size of a page with a key", CURSOR);

  static final Setting<List<Parameter>> FIXED_PARAMETERS =
      TABLE
          .of(
              "parameters",
              ConfigDef.Type.LIST,
              Validators.FIXED_PARAMETERS,
              raw -> Parameter.all(Validators.strings(raw)))
          .named(MEDIUM, "Fixed query parameters")
          .defaultsTo(List.of())
          .in(RESOURCE, LOCATION)
          .doc(
              "Query parameters of every request, such as IncludeDetail=true,IncludeTaxes=true."
                  + " Those of a location go to all of its resources, and precede those of the"
                  + " resource. No place for a secret: see request.headers.<name>. A change starts"
                  + " one more snapshot.");

  static final Setting<List<String>> INCLUDE_FIELDS =
      PRIVACY
          .list("include.fields", Validators.FIELD_PATHS)
          .named(MEDIUM, "Fields to keep")
          .doc(
              "The only fields that the connector keeps, named as in exclude.fields; it removes any"
                  + " other before any other step. By default it keeps all. A change starts one more"
                  + " snapshot.");

  static final Setting<List<String>> EXCLUDE_FIELDS =
      PRIVACY
          .list("exclude.fields", Validators.FIELD_PATHS)
          .named(MEDIUM, "Excluded fields")
          .doc(
              "Fields that the connector removes from a row before any other step. customer.email"
                  + " is a nested field; arrays on the way do not count. A change starts one more"
                  + " snapshot.");

  static final Setting<List<String>> HASH_FIELDS =
      PRIVACY
          .list("hash.fields", Validators.FIELD_PATHS)
          .named(MEDIUM, "Hashed fields")
          .doc(
              "Fields, named as in exclude.fields, whose values the connector replaces by a hash"
                  + " before any other step; a hash is a string. A change starts one more snapshot;"
                  + " for a key field, set a new snapshot.id.");

  static final Setting<Password> HASH_SALT =
      PRIVACY
          .secret("hash.salt", Validators.SALT)
          .in(GENERAL)
          .defaultText("required with hash.fields")
          .named(MEDIUM, "Salt of the hashes")
          .doc(
              "Secret of at least 16 characters that goes into every hash. Who knows it can find a"
                  + " value by trial. Equal values have equal hashes under one salt, so connectors"
                  + " whose topics are joined need the same one. A change counts as a change of"
                  + " hash.fields.");

  private ResourceSettings() {}

  private static Setting<String> parameter(
      String name, String by, String what, Style first, Style... more) {
    return TABLE
        .text(PARAMETER + name, Validators.PARAMETER)
        .named(LOW, "Parameter: " + what)
        .defaultsTo(by)
        .usedBy(first, more)
        .doc("Name of the query parameter for the " + what + ".");
  }

  /** Those of all names that a request may give its parameters. */
  static List<Setting<?>> parameters() {
    return TABLE.settings().stream()
        .filter(setting -> setting.name().startsWith(PARAMETER))
        .toList();
  }

  /** Names of the resources that the connector reads at a location. */
  static List<String> names(Overrides config, String location) {
    if (config.own(RESOURCE_NAMES, LOCATION, location).isPresent()
        || config.given(RESOURCE_NAMES.name())) {
      return config.ofLocation(RESOURCE_NAMES, location).orElseThrow();
    }
    return Catalog.entries().stream()
        .map(Catalog.Entry::name)
        .filter(name -> !path(config, name).isEmpty())
        .toList();
  }

  /** The path of a resource; empty when neither the catalog nor the configuration has one. */
  static String path(Overrides config, String resource) {
    boolean inPages = config.ofResource(RETRIEVAL, resource).equals(Optional.of(PAGES));
    return config
        .own(PATH, RESOURCE, resource)
        .or(() -> Catalog.find(resource).map(entry -> path(entry, inPages)))
        .orElse("");
  }

  private static String path(Catalog.Entry entry, boolean inPages) {
    return inPages && !entry.pagesPath().isEmpty() ? entry.pagesPath() : entry.path();
  }

  /** Returns whether a resource is one object, which needs no key. */
  static boolean isSingle(Overrides config, String resource) {
    return config.own(RETRIEVAL, RESOURCE, resource).isEmpty()
        && Catalog.find(resource).filter(entry -> entry.keyFields().isEmpty()).isPresent();
  }

  /** The fixed parameters of a stream's requests. */
  static List<Parameter> parameters(Overrides config, Stream stream) {
    Map<String, Parameter> byName = new LinkedHashMap<>();
    java.util.stream.Stream.concat(
            config.ofResource(FIXED_PARAMETERS, stream.resource()).stream(),
            config.own(FIXED_PARAMETERS, LOCATION, stream.location()).stream())
        .flatMap(List::stream)
        .forEach(each -> byName.put(each.name().toLowerCase(Locale.ROOT), each));
    return List.copyOf(byName.values());
  }

  static Retrieval retrieval(Overrides config, Stream stream) {
    return switch (config.value(RETRIEVAL, stream)) {
      case FULL -> new Full(isSingle(config, stream.resource()));
      case MODIFIED_SINCE -> modifiedSince(config, stream);
      case DATE_RANGE -> new DateRange(config.value(FROM, stream), config.value(TO, stream));
      case PAGES -> pages(config, stream);
      case CURSOR ->
          new Cursor(
              config.value(PAGE_KEY, stream),
              config.value(MAX_PAGE_SIZE, stream),
              config.value(ROWS_PER_PAGE, stream));
    };
  }

  private static ModifiedSince modifiedSince(Overrides config, Stream stream) {
    boolean inPages = config.value(SNAPSHOT_IN_PAGES, stream);
    return new ModifiedSince(
        config.value(FROM, stream),
        inPages ? config.find(SNAPSHOT_PATH, stream).orElse("") : "",
        inPages ? pages(config, stream) : new Full(false),
        config.value(INCREMENTS_IN_PAGES, stream) ? pages(config, stream) : new Full(false));
  }

  private static Pages pages(Overrides config, Stream stream) {
    return new Pages(
        config.value(PAGE_NUMBER, stream),
        config.value(PAGE_SIZE, stream),
        config.value(FIRST_PAGE, stream),
        config.value(ROWS_PER_PAGE, stream));
  }

  /** The text of a schema's file; empty for whatever reason it cannot be read. */
  static Optional<String> read(Path file) {
    try {
      if (Validators.isFile(file, MOST_SCHEMA_BYTES)) {
        String text = Text.unmarked(Files.readString(file));
        DeclaredSchemas.parse(text);
        return Optional.of(text);
      }
    } catch (IOException | IllegalArgumentException e) {
      // Without its message, which would quote the file.
    }
    return Optional.empty();
  }

  /** One text for all reasons, so that a configuration cannot be used to look for files. */
  static Incident unreadable(Path file, String resource) {
    return Problem.UNREADABLE_FILE.incident(
        SCHEMA_FILE.forResource(resource),
        file
            + " cannot be read on this worker as a file of at most 1 MiB with an Avro schema of"
            + " type record");
  }
}
