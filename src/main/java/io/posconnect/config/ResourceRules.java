package io.posconnect.config;

import io.posconnect.config.Setting.Scope;
import io.posconnect.config.Settings.ScopedName;
import io.posconnect.problem.Problem;
import io.posconnect.resource.Catalog;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.apache.kafka.common.config.ConfigException;

/**
 * Refuses resources that nobody described in full, that cannot be read as described, and overrides
 * that nothing would read.
 */
final class ResourceRules {

  private static final Set<RetrievalStyle> FILTERED =
      Set.of(RetrievalStyle.MODIFIED_SINCE, RetrievalStyle.DATE_RANGE);

  private final SourceConfig config;
  private final List<ScopedName> overrides;
  private final List<Fault> faults = new ArrayList<>();

  private ResourceRules(SourceConfig config) {
    this.config = config;
    this.overrides = Settings.overrides(config.given().keySet(), Scope.RESOURCE);
  }

  /** Every fault of the resources of a configuration whose settings are well-typed. */
  static List<Fault> faults(SourceConfig config) {
    ResourceRules rules = new ResourceRules(config);
    rules.check();
    return rules.faults;
  }

  private void add(Problem problem, String setting, String detail) {
    faults.add(Fault.of(problem, setting, detail));
  }

  private void missing(String setting, String detail) {
    add(Problem.MISSING_SETTING, setting, detail);
  }

  private void contradiction(String setting, String detail) {
    add(Problem.CONTRADICTION, setting, detail);
  }

  private void check() {
    TreeSet<String> read = new TreeSet<>();
    for (String location : config.locations()) {
      for (String resource : ResourceSettings.names(config, location)) {
        if (read.add(resource)) {
          describedInFull(resource, location);
          schemaIsReadable(resource);
          occurrencesCanBeCounted(resource);
          parametersAreDistinct(resource);
        }
      }
    }
    overrides.forEach(name -> hasEffect(name, read));
  }

  private void describedInFull(String resource, String location) {
    String list = ResourceSettings.RESOURCE_NAMES.name();
    String own = Scope.LOCATION.key(location, list);
    String listing = config.given(own) ? own : list;
    if (Catalog.find(resource).isEmpty()
        && overrides.stream().noneMatch(n -> n.owner().equals(resource))) {
      add(
          Problem.UNKNOWN_NAME,
          listing,
          "%s is not known; perhaps %s is meant, or resources.%s.path, .retrieval and .key.fields"
                  .formatted(resource, Settings.nearest(resource, known()), resource)
              + " are to be set");
      return;
    }
    if (ResourceSettings.path(config, resource).isEmpty()) {
      missing(
          key(resource, ResourceSettings.PATH),
          "is needed, since %s has %s and no path of it is published".formatted(listing, resource));
    }
    if (config.ofResource(ResourceSettings.RETRIEVAL, resource).isEmpty()) {
      missing(
          key(resource, ResourceSettings.RETRIEVAL),
          "is needed, since the catalog lacks " + resource + ": " + RetrievalStyle.SPELLINGS);
    }
    boolean keyed =
        !config.ofResource(ResourceSettings.KEY_FIELDS, resource).orElse(List.of()).isEmpty();
    boolean single = ResourceSettings.single(config, resource);
    if (single && keyed) {
      contradiction(
          key(resource, ResourceSettings.KEY_FIELDS),
          "has no effect: " + resource + " is one object, known by its location");
    } else if (!single && !keyed) {
      missing(
          key(resource, ResourceSettings.KEY_FIELDS),
          "is needed: the fields that identify a row of " + resource);
    }
  }

  private static String key(String resource, Setting<?> setting) {
    return Scope.RESOURCE.key(resource, setting.name());
  }

  private static List<String> known() {
    return Catalog.entries().stream().map(entry -> entry.resource().name()).toList();
  }

  private void schemaIsReadable(String resource) {
    Optional<Path> file = config.ofResource(ResourceSettings.SCHEMA_FILE, resource);
    if (file.isEmpty()) {
      return;
    }
    String setting = key(resource, ResourceSettings.SCHEMA_FILE);
    String inline = key(resource, ResourceSettings.SCHEMA);
    if (config.given(inline)) {
      contradiction(setting, "says the same as " + inline);
      return;
    }
    try {
      ResourceSettings.read(file.get(), resource);
    } catch (ConfigException e) {
      faults.add(new Fault(setting, String.valueOf(e.getMessage())));
    }
  }

  /** The numbers of like rows are their order in a list, which is another in each window. */
  private void occurrencesCanBeCounted(String resource) {
    boolean occurrences = config.ofResource(ResourceSettings.OCCURRENCES, resource).orElse(false);
    Optional<RetrievalStyle> style = config.ofResource(ResourceSettings.RETRIEVAL, resource);
    if (!occurrences || style.isEmpty() || !FILTERED.contains(style.get())) {
      return;
    }
    String setting = key(resource, ResourceSettings.OCCURRENCES);
    contradiction(
        config.given(setting) ? setting : key(resource, ResourceSettings.RETRIEVAL),
        "like rows of %s cannot be told apart if it is read as %s: read it as full, pages or cursor, or set %s=false and name key fields that tell its rows apart"
            .formatted(resource, style.get().spelling(), setting));
  }

  /** Of two parameters of one name the service reads one. */
  private void parametersAreDistinct(String resource) {
    Optional<RetrievalStyle> style = config.ofResource(ResourceSettings.RETRIEVAL, resource);
    Map<String, Setting<String>> owners = new HashMap<>();
    for (Setting<String> parameter : ResourceSettings.PARAMETERS) {
      if (style.isPresent() && parameter.styles().contains(style.get())) {
        String name = config.ofResource(parameter, resource).orElseThrow();
        Setting<String> other = owners.putIfAbsent(name, parameter);
        if (other != null) {
          String setting = key(resource, parameter);
          String others = key(resource, other);
          contradiction(
              config.given(setting) ? setting : others,
              "gives two parameters the name %s, since %s and %s are the same"
                  .formatted(name, setting, others));
        }
      }
    }
  }

  /** An override that nothing would read is a mistake that would otherwise pass. */
  private void hasEffect(ScopedName name, Set<String> read) {
    if (Catalog.find(name.owner()).isEmpty() && !read.contains(name.owner())) {
      TreeSet<String> candidates = new TreeSet<>(read);
      candidates.addAll(known());
      add(
          Problem.UNKNOWN_NAME,
          name.key(),
          "%s is not among the resources; perhaps %s is meant"
              .formatted(name.owner(), Settings.nearest(name.owner(), candidates)));
      return;
    }
    Optional<RetrievalStyle> style = config.ofResource(ResourceSettings.RETRIEVAL, name.owner());
    Optional<Setting<?>> setting = name.find();
    if (style.isPresent() && setting.isPresent() && !setting.get().styles().contains(style.get())) {
      contradiction(
          name.key(),
          "has no effect, since %s is read as %s".formatted(name.owner(), style.get().spelling()));
    }
  }
}
