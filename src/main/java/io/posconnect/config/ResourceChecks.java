package io.posconnect.config;

import io.posconnect.config.Setting.Scope;
import io.posconnect.resource.Catalog;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/** Whether it is known of every resource how to read it. */
final class ResourceChecks {

  private final SourceConfig config;
  private final List<Fault> faults = new ArrayList<>();

  private ResourceChecks(SourceConfig config) {
    this.config = config;
  }

  static List<Fault> faults(SourceConfig config) {
    ResourceChecks checks = new ResourceChecks(config);
    TreeSet<String> read = new TreeSet<>();
    for (String location : config.locations()) {
      for (String resource : ResourceSettings.names(config, location)) {
        if (read.add(resource)) {
          checks.complete(resource, location);
          checks.schema(resource);
        }
      }
    }
    config.givenNames().stream()
        .map(Scoped::parse)
        .flatMap(Optional::stream)
        .filter(name -> name.scope() == Scope.RESOURCE)
        .forEach(name -> checks.meaningful(name, read));
    return checks.faults;
  }

  private void add(String resource, Setting<?> setting, String message) {
    faults.add(new Fault(Scoped.key(Scope.RESOURCE, resource, setting.name()), message));
  }

  private void complete(String resource, String location) {
    if (Catalog.find(resource).isEmpty() && undescribed(resource)) {
      faults.add(
          new Fault(
              listing(location),
              "%s is not known; perhaps %s is meant, or set resources.%s.path, .retrieval and"
                      .formatted(resource, Names.nearest(resource, known()), resource)
                  + " .key.fields"));
      return;
    }
    if (ResourceSettings.path(config, resource).isEmpty()) {
      add(
          resource,
          ReadingSettings.PATH,
          "is needed, since no path of "
              + resource
              + " is published; set it, or remove "
              + resource
              + " from "
              + listing(location));
    }
    if (ResourceSettings.style(config, resource).isEmpty()) {
      add(
          resource,
          ReadingSettings.RETRIEVAL,
          "is needed, since the catalog lacks "
              + resource
              + "; set it to "
              + ReadingSettings.RETRIEVAL.check().demand());
    }
    boolean keyed = !ResourceSettings.keyFields(config, resource).isEmpty();
    boolean single = ResourceSettings.single(config, resource);
    if (single && keyed) {
      add(
          resource,
          ReadingSettings.KEY_FIELDS,
          "has no effect: " + resource + " is one object, known by its location; remove it");
    } else if (!single && !keyed) {
      add(
          resource,
          ReadingSettings.KEY_FIELDS,
          "is needed: name the fields that identify a row of " + resource);
    }
  }

  private boolean undescribed(String resource) {
    String prefix = Scoped.key(Scope.RESOURCE, resource, "");
    return config.givenNames().stream().noneMatch(name -> name.startsWith(prefix));
  }

  private String listing(String location) {
    String names = ReadingSettings.RESOURCE_NAMES.name();
    String own = Scoped.key(Scope.LOCATION, location, names);
    return config.given(own) ? own : names;
  }

  private static List<String> known() {
    return Catalog.entries().stream().map(entry -> entry.resource().name()).toList();
  }

  private void schema(String resource) {
    Optional<Path> file = config.own(ReadingSettings.SCHEMA_FILE, Scope.RESOURCE, resource);
    if (file.isEmpty()) {
      return;
    }
    if (config.own(ReadingSettings.SCHEMA, Scope.RESOURCE, resource).isPresent()) {
      add(
          resource,
          ReadingSettings.SCHEMA_FILE,
          "says the same as resources." + resource + ".schema; remove one");
      return;
    }
    try {
      if (!Check.AVRO.test().test(Files.readString(file.get()))) {
        add(resource, ReadingSettings.SCHEMA_FILE, "must be a file with " + Check.AVRO.demand());
      }
    } catch (IOException e) {
      add(resource, ReadingSettings.SCHEMA_FILE, ResourceSettings.unreadable(file.get(), e));
    }
  }

  /** An override that nothing would read is a mistake that would otherwise pass. */
  private void meaningful(Scoped name, Set<String> read) {
    if (Catalog.find(name.owner()).isEmpty() && !read.contains(name.owner())) {
      TreeSet<String> candidates = new TreeSet<>(read);
      candidates.addAll(known());
      faults.add(
          new Fault(
              name.key(),
              "%s is not among the resources; add it to resources, or correct the name (perhaps %s)"
                  .formatted(name.owner(), Names.nearest(name.owner(), candidates))));
      return;
    }
    Optional<RetrievalStyle> style = ResourceSettings.style(config, name.owner());
    Optional<Setting<?>> setting = Settings.find(name);
    if (style.isPresent() && setting.isPresent() && !setting.get().styles().contains(style.get())) {
      faults.add(
          new Fault(
              name.key(),
              "has no effect, since %s is read as %s; remove it"
                  .formatted(name.owner(), style.get().spelling())));
    }
  }
}
