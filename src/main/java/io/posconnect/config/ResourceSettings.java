package io.posconnect.config;

import io.posconnect.config.Setting.Scope;
import io.posconnect.resource.Catalog;
import io.posconnect.resource.Resource;
import io.posconnect.resource.Retrieval;
import io.posconnect.resource.Retrieval.Full;
import io.posconnect.resource.Stream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.apache.kafka.common.config.ConfigException;

/** A resource as the catalog and the configuration together describe it. */
final class ResourceSettings {

  private ResourceSettings() {}

  /** Names of the resources that a location is read for. */
  static List<String> names(SourceConfig config, String location) {
    Setting<List<String>> names = ReadingSettings.RESOURCE_NAMES;
    Optional<List<String>> own = config.own(names, Scope.LOCATION, location);
    if (own.isPresent() || config.given(names.name())) {
      return own.orElseGet(() -> config.value(names));
    }
    return Catalog.entries().stream()
        .filter(entry -> !path(config, entry.resource().name()).isEmpty())
        .map(entry -> entry.resource().name())
        .toList();
  }

  /** Where a resource is read; empty when neither catalog nor configuration says so. */
  static String path(SourceConfig config, String resource) {
    Optional<Catalog.Entry> entry = Catalog.find(resource);
    return config
        .own(ReadingSettings.PATH, Scope.RESOURCE, resource)
        .or(
            () ->
                entry
                    .map(Catalog.Entry::pagesPath)
                    .filter(pages -> !pages.isEmpty())
                    .filter(
                        pages -> style(config, resource).equals(Optional.of(RetrievalStyle.PAGES))))
        .or(() -> entry.map(known -> known.resource().path()))
        .orElse("");
  }

  /** How a resource is read; empty when neither catalog nor configuration says so. */
  static Optional<RetrievalStyle> style(SourceConfig config, String resource) {
    return config
        .own(ReadingSettings.RETRIEVAL, Scope.RESOURCE, resource)
        .or(
            () ->
                Catalog.find(resource)
                    .map(entry -> RetrievalStyle.of(entry.resource().retrieval())));
  }

  /** What identifies a resource's rows; empty when nothing says so, or nothing has to. */
  static List<String> keyFields(SourceConfig config, String resource) {
    return config
        .own(ReadingSettings.KEY_FIELDS, Scope.RESOURCE, resource)
        .or(() -> Catalog.find(resource).map(entry -> entry.resource().keyFields()))
        .orElse(List.of());
  }

  /** Whether a resource is one object, which needs no key. */
  static boolean single(SourceConfig config, String resource) {
    return config.own(ReadingSettings.RETRIEVAL, Scope.RESOURCE, resource).isEmpty()
        && Catalog.find(resource)
            .filter(entry -> entry.resource().retrieval().equals(new Full(true)))
            .isPresent();
  }

  /** The stream's resource, of a configuration that is consistent. */
  static Resource resource(SourceConfig config, Stream stream) {
    String name = stream.resource();
    Optional<Resource> known = Catalog.find(name).map(Catalog.Entry::resource);
    return new Resource(
        name,
        path(config, name),
        retrieval(config, name),
        keyFields(config, name),
        config
            .own(ReadingSettings.OCCURRENCES, Scope.RESOURCE, name)
            .or(() -> known.map(Resource::occurrences))
            .orElse(false),
        config
            .own(ReadingSettings.IGNORE_FIELDS, Scope.RESOURCE, name)
            .<Set<String>>map(Set::copyOf)
            .or(() -> known.map(Resource::ignoreFields))
            .orElse(Set.of()),
        config
            .own(ReadingSettings.REQUESTS_PER_MINUTE, Scope.RESOURCE, name)
            .or(() -> known.map(Resource::requestsPerMinute))
            .orElse(Catalog.REQUESTS_PER_MINUTE),
        config
            .override(ReadingSettings.POLL_INTERVAL, stream)
            .or(() -> known.map(Resource::pollInterval))
            .orElse(Catalog.POLL_INTERVAL),
        config
            .override(ReadingSettings.LOOKBACK, stream)
            .or(() -> known.map(Resource::lookback))
            .orElseGet(() -> config.value(ReadingSettings.LOOKBACK)));
  }

  private static Retrieval retrieval(SourceConfig config, String resource) {
    return style(config, resource)
        .orElseThrow()
        .build(
            new RetrievalStyle.Parameters(
                single(config, resource),
                own(config, ReadingSettings.SNAPSHOT, resource, SnapshotStyle.LIST),
                own(config, ReadingSettings.SNAPSHOT_PATH, resource, pagesPath(resource)),
                own(config, ReadingSettings.FROM, resource, Catalog.FROM),
                own(config, ReadingSettings.TO, resource, Catalog.TO),
                own(config, ReadingSettings.PAGE_NUMBER, resource, Catalog.PAGE_NUMBER),
                own(config, ReadingSettings.PAGE_SIZE, resource, Catalog.PAGE_SIZE),
                own(config, ReadingSettings.PAGE_KEY, resource, Catalog.PAGE_KEY),
                own(config, ReadingSettings.MAX_PAGE_SIZE, resource, Catalog.MAX_PAGE_SIZE),
                own(config, ReadingSettings.FIRST_PAGE, resource, Catalog.FIRST_PAGE),
                own(config, ReadingSettings.ROWS_PER_PAGE, resource, Catalog.ROWS_PER_PAGE)));
  }

  private static String pagesPath(String resource) {
    return Catalog.find(resource).map(Catalog.Entry::pagesPath).orElse("");
  }

  private static <T> T own(SourceConfig config, Setting<T> setting, String resource, T otherwise) {
    return config.own(setting, Scope.RESOURCE, resource).orElse(otherwise);
  }

  /** The declared schema's text. */
  static Optional<String> schema(SourceConfig config, String resource) {
    return config
        .own(ReadingSettings.SCHEMA, Scope.RESOURCE, resource)
        .or(
            () ->
                config
                    .own(ReadingSettings.SCHEMA_FILE, Scope.RESOURCE, resource)
                    .map(file -> text(file, resource)));
  }

  private static String text(Path file, String resource) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      String key = Scoped.key(Scope.RESOURCE, resource, ReadingSettings.SCHEMA_FILE.name());
      throw new ConfigException(new Fault(key, unreadable(file, e)).text());
    }
  }

  /** What to say of a schema's file that cannot be read. */
  static String unreadable(Path file, IOException e) {
    return "%s cannot be read on this worker (%s); put it there, or give the schema inline"
        .formatted(file, e.getClass().getSimpleName());
  }
}
