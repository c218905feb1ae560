package io.posconnect.config;

import io.posconnect.client.RateLimit;
import io.posconnect.config.Setting.Scope;
import io.posconnect.config.Settings.ScopedName;
import io.posconnect.problem.Incident;
import io.posconnect.problem.Problem;
import io.posconnect.problem.Text;
import io.posconnect.record.Destination.EventFormat;
import io.posconnect.record.Topics;
import io.posconnect.resource.Catalog;
import io.posconnect.resource.KeyPart;
import io.posconnect.resource.Privacy;
import io.posconnect.resource.Request.Parameter;
import io.posconnect.resource.Retrieval.Style;
import io.posconnect.resource.ServiceAddress;
import io.posconnect.resource.Stream;
import io.posconnect.resource.WindowLength;
import java.net.Proxy;
import java.net.ProxySelector;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.apache.kafka.common.config.SslConfigs;
import org.jspecify.annotations.Nullable;

/**
 * Checks the rules between settings: what is missing, what contradicts another setting, and what
 * has no effect. A value checks itself; here its refusal becomes a fault of the right setting.
 */
final class ConfigRules {

  private static final long MOST_STORE_BYTES = 16 << 20;

  /** A setting of the worker that a connector may override. */
  private static final String OFFSETS_TOPIC = "offsets.storage.topic";

  private final SourceConfig config;
  private final List<ScopedName> ofResources;
  private final Set<Incident> faults = new LinkedHashSet<>();

  private ConfigRules(SourceConfig config) {
    this.config = config;
    this.ofResources = Settings.overrides(config.given().keySet(), Scope.RESOURCE);
  }

  /** Finds every fault of a configuration whose settings are well-typed. */
  static List<Incident> faults(SourceConfig config) {
    List<Incident> faults = new ArrayList<>(Settings.misplaced(config.given().keySet()));
    Set<String> misplaced = faults.stream().map(Incident::subject).collect(Collectors.toSet());
    between(config).stream()
        .filter(fault -> !misplaced.contains(fault.subject()))
        .forEach(faults::add);
    return faults;
  }

  /** Finds why keys cannot be used, each at its setting; of two that are one, at the second. */
  static Set<Incident> faultsOfKeys(SourceConfig config) {
    return faultsOfKeys(config, config.locations());
  }

  private static Set<Incident> faultsOfKeys(SourceConfig config, List<String> locations) {
    ConfigRules rules = new ConfigRules(config);
    locations.forEach(rules::checkKey);
    rules.checkKeysDiffer(locations);
    return rules.faults;
  }

  /** Finds why the key of a location cannot be used; what is wrong with others does not count. */
  static Optional<Incident> faultOfKey(SourceConfig config, String location) {
    // Last, so that a key of two locations is its fault.
    List<String> names = new ArrayList<>(config.locations());
    names.remove(location);
    names.add(location);
    return config.ofKey(faultsOfKeys(config, names), location);
  }

  private static Set<Incident> between(SourceConfig config) {
    ConfigRules rules = new ConfigRules(config);
    rules.checkName();
    rules.checkLocations();
    rules.checkResources();
    rules.ofResources.stream().map(ScopedName::owner).distinct().forEach(rules::checkFields);
    if (rules.faults.isEmpty()) {
      rules.checkTopics();
      rules.checkWindows();
    }
    rules.ask(
        Problem.CONTRADICTION, ServiceSettings.RETRY_BACKOFF.name(), rules.config::retryPolicy);
    rules.checkTombstones();
    rules.checkFailure();
    rules.checkStores();
    return rules.faults;
  }

  private void add(Problem problem, String setting, String detail) {
    faults.add(problem.incident(setting, detail));
  }

  private void missing(String setting, String detail) {
    add(Problem.MISSING_SETTING, setting, detail);
  }

  private void contradiction(String setting, String detail) {
    add(Problem.CONTRADICTION, setting, detail);
  }

  /** Makes a value, whose refusal is the fault. */
  private void ask(Problem problem, String setting, Runnable value) {
    try {
      value.run();
    } catch (IllegalArgumentException e) {
      add(problem, setting, String.valueOf(e.getMessage()));
    }
  }

  /** A worker creates such a connector, and then refuses every request that names it. */
  private void checkName() {
    if (config.connectorName().chars().anyMatch(each -> "/\\%".indexOf(each) >= 0)) {
      add(
          Problem.INVALID_VALUE,
          "name",
          "must be without /, \\ and %: Connect 4.3 answers 400 to each request that names such a"
              + " connector, also to its DELETE");
    }
  }

  private void checkLocations() {
    String only = ServiceSettings.LOCATION_NAME.name();
    if (config.given(only) && !config.value(ServiceSettings.LOCATIONS).isEmpty()) {
      contradiction(only, "names the only location, but locations is given");
    }
    List<String> names = config.locations();
    for (ScopedName name : Settings.overrides(config.given().keySet(), Scope.LOCATION)) {
      if (!names.contains(name.owner())) {
        add(
            Problem.UNKNOWN_NAME,
            name.key(),
            "there is no location %s; %s"
                .formatted(name.owner(), Settings.known(name.owner(), names)));
      } else {
        checkEffect(name, ResourceSettings.names(config, name.owner()));
      }
    }
    names.forEach(this::checkKey);
    names.forEach(this::checkPassword);
    names.forEach(this::checkAddress);
    checkKeysDiffer(names);
    checkHeadersDiffer();
  }

  private void checkHeadersDiffer() {
    Set<String> names = new TreeSet<>(String.CASE_INSENSITIVE_ORDER);
    config.given().keySet().stream()
        .filter(name -> name.contains(ServiceSettings.HEADERS))
        .sorted()
        .filter(name -> !names.add(name))
        .forEach(name -> contradiction(name, "names a header twice, since case does not count"));
  }

  private void checkKey(String location) {
    if (config.secret(ServiceSettings.API_KEY, location).isBlank()) {
      missing(config.keyOf(location), "location " + location + " has no key");
    } else {
      ask(Problem.UNSENDABLE_KEY, config.keyOf(location), () -> config.credentials(location));
    }
  }

  private void checkPassword(String location) {
    String password = Scope.LOCATION.key(location, ServiceSettings.API_PASSWORD.name());
    if (config.given(ServiceSettings.API_PASSWORD.name())
        && config.isElsewhere(location)
        && !config.given(password)) {
      String detail = "location " + location + " has its own base.url, to which the general one";
      missing(password, detail + " is not sent, so it needs its own, which may be empty");
    }
  }

  private void checkAddress(String location) {
    String setting = config.settingOf(ServiceSettings.BASE_URL, location);
    Optional<URI> url = config.ofLocation(ServiceSettings.BASE_URL, location);
    if (url.isEmpty()) {
      missing(setting, "location " + location + " has no address");
    } else if (!config.value(ServiceSettings.ALLOW_HTTP)
        && ServiceAddress.isCleartext(url.get(), this::isProxied)) {
      String detail = "would send the key of location " + location + " unencrypted";
      add(Problem.UNENCRYPTED, setting, detail);
    }
  }

  /** By the configuration's proxy, or the JVM's own. */
  private boolean isProxied(URI url) {
    ProxySelector selector = ProxySelector.getDefault();
    return config.proxy().isPresent()
        || (selector != null
            && selector.select(url).stream().anyMatch(proxy -> proxy.type() != Proxy.Type.DIRECT));
  }

  private void checkKeysDiffer(List<String> locations) {
    Map<List<Object>, String> firsts = new HashMap<>();
    for (String location : locations) {
      String key = config.secret(ServiceSettings.API_KEY, location);
      // Equal whatever the case of their hosts, but not of their paths.
      Optional<URI> address = config.ofLocation(ServiceSettings.BASE_URL, location);
      String first = firsts.putIfAbsent(List.of(address, key), location);
      if (first != null && !key.isBlank()) {
        add(
            Problem.SAME_LOCATION,
            config.keyOf(location),
            "is the same key as %s at the same address, so locations %s and %s are one"
                .formatted(config.keyOf(first), first, location));
      }
    }
  }

  private void checkResources() {
    TreeSet<String> read = new TreeSet<>();
    Map<String, String> keys = new HashMap<>();
    for (String location : config.locations()) {
      for (String resource : ResourceSettings.names(config, location)) {
        if (read.add(resource)) {
          checkResource(resource, location);
          checkSchemaName(resource, location, keys);
        }
      }
    }
    ofResources.forEach(name -> checkOverride(name, read));
  }

  /** A registry and generated classes would take the schemas of one for those of the other. */
  private void checkSchemaName(String resource, String location, Map<String, String> keys) {
    String key = config.schemaNames(resource).key();
    String other = keys.putIfAbsent(key, resource);
    if (other != null) {
      contradiction(
          config.settingOf(ResourceSettings.RESOURCE_NAMES, location),
          "has %s beside %s, and the keys of both would be called %s: give one of them another name"
              .formatted(resource, other, key));
    }
  }

  private void checkResource(String resource, String location) {
    String listing = config.settingOf(ResourceSettings.RESOURCE_NAMES, location);
    if (isUnknown(resource)) {
      add(
          Problem.UNKNOWN_NAME,
          listing,
          "%s is not in the catalog; %s; another needs resources.%s.path, .retrieval and .key.fields"
              .formatted(resource, Settings.known(resource, known()), resource));
    } else {
      checkDescription(resource, listing);
      checkKeyFields(resource);
      checkSchema(resource);
      config
          .ofResource(ResourceSettings.RETRIEVAL, resource)
          .ifPresent(
              style -> {
                checkOccurrences(resource, style);
                checkParameters(resource);
              });
    }
  }

  private boolean isUnknown(String resource) {
    return Catalog.find(resource).isEmpty()
        && ofResources.stream().noneMatch(name -> name.owner().equals(resource));
  }

  private void checkDescription(String resource, String listing) {
    if (ResourceSettings.path(config, resource).isEmpty()) {
      missing(
          ResourceSettings.PATH.forResource(resource),
          "is needed, since %s has %s and no path of it is published".formatted(listing, resource));
    }
    if (config.ofResource(ResourceSettings.RETRIEVAL, resource).isEmpty()) {
      missing(
          ResourceSettings.RETRIEVAL.forResource(resource),
          "is needed, since the catalog lacks %s: %s"
              .formatted(resource, Style.spellings(style -> true)));
    }
  }

  private static List<String> known() {
    return Catalog.entries().stream().map(Catalog.Entry::name).toList();
  }

  private void checkKeyFields(String resource) {
    String setting = ResourceSettings.KEY_FIELDS.forResource(resource);
    boolean keyed = !keyFields(resource).isEmpty();
    boolean single = ResourceSettings.isSingle(config, resource);
    if (single && keyed) {
      contradiction(
          setting, "has no effect: " + resource + " is one object, known by its location");
    } else if (!single && !keyed) {
      missing(setting, "is needed: the fields that identify a row of " + resource);
    }
  }

  private List<KeyPart> keyFields(String resource) {
    return KeyPart.all(fields(ResourceSettings.KEY_FIELDS, resource));
  }

  private void checkSchema(String resource) {
    Optional<Path> file = config.ofResource(ResourceSettings.SCHEMA_FILE, resource);
    if (file.isEmpty()) {
      return;
    }
    String setting = ResourceSettings.SCHEMA_FILE.forResource(resource);
    String inline = ResourceSettings.SCHEMA.forResource(resource);
    if (config.given(inline)) {
      contradiction(setting, "and " + inline + " both declare the schema");
    } else if (ResourceSettings.read(file.get()).isEmpty()) {
      faults.add(ResourceSettings.unreadable(file.get(), resource));
    }
  }

  /** An occurrence number counts equal rows within a list; each window is another list. */
  private void checkOccurrences(String resource, Style style) {
    boolean occurrences = config.ofResource(ResourceSettings.OCCURRENCES, resource).orElse(false);
    if (occurrences && style.filtered()) {
      String setting = ResourceSettings.OCCURRENCES.forResource(resource);
      contradiction(
          config.given(setting) ? setting : ResourceSettings.RETRIEVAL.forResource(resource),
          ("equal rows of %s cannot be distinguished with %s: use %s, or set"
                  + " %s=false and name key fields that identify its rows")
              .formatted(
                  resource,
                  style.spelling(),
                  Style.spellings(Predicate.not(Style::filtered)),
                  setting));
    }
  }

  /** Of two parameters with one name the service reads only one. */
  private void checkParameters(String resource) {
    Map<String, String> owners = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
    ResourceSettings.parameters().stream()
        .filter(parameter -> isUsed(parameter, resource))
        // A default is never at fault.
        .sorted(Comparator.comparing(parameter -> config.given(parameter.forResource(resource))))
        .forEach(
            parameter -> {
              String name = config.ofResource(parameter, resource).orElseThrow().toString();
              String setting = parameter.forResource(resource);
              refuseSecondValue(name, setting, owners.putIfAbsent(name, setting));
            });
    Setting<List<Parameter>> fixed = ResourceSettings.FIXED_PARAMETERS;
    refuseOwned(fixed.forResource(resource), config.ofResource(fixed, resource), owners);
    for (String location : config.locations()) {
      if (ResourceSettings.names(config, location).contains(resource)) {
        String setting = Scope.LOCATION.key(location, fixed.name());
        refuseOwned(setting, config.own(fixed, Scope.LOCATION, location), owners);
      }
    }
  }

  private void refuseOwned(
      String setting, Optional<List<Parameter>> fixed, Map<String, String> owners) {
    for (Parameter each : fixed.orElse(List.of())) {
      refuseSecondValue(each.name(), setting, owners.get(each.name()));
    }
  }

  private void refuseSecondValue(String name, String setting, @Nullable String owner) {
    if (owner != null) {
      contradiction(setting, "gives %s a second value, since %s names it".formatted(name, owner));
    }
  }

  private void checkOverride(ScopedName name, Set<String> read) {
    if (Catalog.find(name.owner()).isEmpty() && !read.contains(name.owner())) {
      TreeSet<String> candidates = new TreeSet<>(read);
      candidates.addAll(known());
      add(
          Problem.UNKNOWN_NAME,
          name.key(),
          "%s is not among the resources; %s"
              .formatted(name.owner(), Settings.known(name.owner(), candidates)));
    } else {
      checkEffect(name, List.of(name.owner()));
    }
  }

  /** An override that has no effect is a mistake that would otherwise go unnoticed. */
  private void checkEffect(ScopedName name, List<String> resources) {
    name.find()
        .filter(setting -> resources.stream().noneMatch(each -> isUsed(setting, each)))
        .ifPresent(
            setting ->
                contradiction(
                    name.key(),
                    "has no effect on %s: it is for %s%s"
                        .formatted(
                            name.owner(),
                            Style.spellings(setting.styles()::contains),
                            condition(setting))));
  }

  private static String condition(Setting<?> setting) {
    return setting.equals(ResourceSettings.SNAPSHOT_PATH)
        ? ", if snapshot is pages"
        : setting.isOfPages() ? "; of modified-since only if snapshot or increments is pages" : "";
  }

  private boolean isUsed(Setting<?> setting, String resource) {
    Optional<Style> style = config.ofResource(ResourceSettings.RETRIEVAL, resource);
    boolean isOfSnapshot = setting.equals(ResourceSettings.SNAPSHOT_PATH);
    if (style.equals(Optional.of(Style.MODIFIED_SINCE)) && (isOfSnapshot || setting.isOfPages())) {
      return config.ofResource(ResourceSettings.SNAPSHOT_IN_PAGES, resource).orElseThrow()
          || (!isOfSnapshot
              && config.ofResource(ResourceSettings.INCREMENTS_IN_PAGES, resource).orElseThrow());
    }
    return style.isEmpty() || setting.styles().contains(style.get());
  }

  private void checkFields(String resource) {
    refuseKeys(
        ResourceSettings.IGNORE_FIELDS, resource, "ignores the key field %s: name other fields");
    refuseKeys(
        ResourceSettings.EXCLUDE_FIELDS, resource, "removes the key field %s: hash it instead");
    List<String> hashed = fields(ResourceSettings.HASH_FIELDS, resource);
    List<String> paths = new ArrayList<>(fields(ResourceSettings.EXCLUDE_FIELDS, resource));
    paths.addAll(hashed);
    String setting = ResourceSettings.HASH_FIELDS.forResource(resource);
    ask(Problem.CONTRADICTION, setting, () -> Privacy.checkPaths(paths));
    if (!hashed.isEmpty() && !config.given(ResourceSettings.HASH_SALT.name())) {
      missing(ResourceSettings.HASH_SALT.name(), "is needed, since " + setting + " is given");
    }
    List<List<String>> needed = new ArrayList<>(paths.stream().map(List::of).toList());
    keyFields(resource).forEach(key -> needed.add(key.names()));
    checkIncluded(resource, needed);
  }

  /** Rows of two keys that differ in their key alone would count as one row, or have none. */
  private void refuseKeys(Setting<List<String>> setting, String resource, String detail) {
    List<KeyPart> keys = keyFields(resource);
    fields(setting, resource).stream()
        .filter(field -> keys.stream().anyMatch(key -> key.isNamed(field)))
        .forEach(field -> contradiction(setting.forResource(resource), detail.formatted(field)));
  }

  /**
   * A list of fields to keep must hold the key, and what another setting names.
   *
   * @param needed each under its names, of which one is enough
   */
  private void checkIncluded(String resource, List<List<String>> needed) {
    List<String> included = fields(ResourceSettings.INCLUDE_FIELDS, resource);
    Predicate<String> isHeld = Privacy.holders(included);
    needed.stream()
        .filter(names -> !included.isEmpty() && names.stream().noneMatch(isHeld))
        .forEach(
            names ->
                contradiction(
                    ResourceSettings.INCLUDE_FIELDS.forResource(resource),
                    "leaves out %s, which key.fields, exclude.fields or hash.fields names: add it"
                        .formatted(names.get(0))));
  }

  private List<String> fields(Setting<List<String>> setting, String resource) {
    return config.ofResource(setting, resource).orElseThrow();
  }

  /** Two kinds of records may not share a topic, nor use another system's. */
  private void checkTopics() {
    Map<String, String> purposes = new HashMap<>();
    String offsets = config.given().getOrDefault(OFFSETS_TOPIC, "").trim();
    purposes.put(Topics.comparable(offsets), "the connector's offsets");
    Topics topics = config.topics();
    for (Stream stream : config.streams()) {
      checkTopic(
          RecordSettings.TOPIC_TEMPLATE,
          topics.of(stream),
          "resource " + stream.resource(),
          purposes);
    }
    checkTopic(RecordSettings.CHECKPOINTS_TOPIC, topics.checkpoints(), "checkpoints", purposes);
    checkTopic(RecordSettings.STATUS_TOPIC, topics.status(), "status events", purposes);
    checkTopic(RecordSettings.DEAD_LETTERS_TOPIC, topics.deadLetters(), "dead letters", purposes);
  }

  private void checkTopic(
      Setting<?> setting, String topic, String purpose, Map<String, String> purposes) {
    String given = "gives %s the topic %s, ".formatted(purpose, topic);
    String other = purposes.putIfAbsent(Topics.comparable(topic), purpose);
    try {
      Topics.checkName(topic);
      if (Topics.isReserved(topic)) {
        String usual = "a usual name of a topic of Kafka, Connect or a registry";
        add(Problem.TOPIC_NAME, setting.name(), given + usual);
      } else if (other != null && !other.equals(purpose)) {
        String same = "which is that of " + other + " (a dot counts as _)";
        add(Problem.TOPIC_NAME, setting.name(), given + same);
      }
    } catch (IllegalArgumentException e) {
      add(Problem.TOPIC_NAME, setting.name(), given + "which " + e.getMessage());
    }
  }

  private void checkWindows() {
    Optional<Style> ranges = Optional.of(Style.DATE_RANGE);
    config.streams().stream()
        .filter(
            each -> config.ofResource(ResourceSettings.RETRIEVAL, each.resource()).equals(ranges))
        .forEach(this::checkWindow);
  }

  /** A stream that reads less time in a request than passes until the next one falls behind. */
  private void checkWindow(Stream stream) {
    String resource = stream.resource();
    int limit = config.ofResource(ResourceSettings.REQUESTS_PER_MINUTE, resource).orElseThrow();
    Duration apart = Duration.ofNanos(RateLimit.spacing(limit, config.rateLimitShare()));
    Duration window = config.value(ReadingSettings.WINDOW_MAX, stream);
    if (window.minus(WindowLength.SEAM).compareTo(apart) <= 0) {
      contradiction(
          config.settingOf(ReadingSettings.WINDOW_MAX, stream),
          ("is too short for %s: requests.per.minute and rate.limit.share permit a request every"
                  + " %s, so it would never reach the present")
              .formatted(resource, Text.duration(apart)));
    }
  }

  private void checkTombstones() {
    if (config.value(RecordSettings.EVENT_FORMAT) == EventFormat.FLAT
        && !config.value(RecordSettings.TOMBSTONES)) {
      contradiction(
          RecordSettings.TOMBSTONES.name(),
          "cannot be false with event.format=flat, where a tombstone is the delete");
    }
  }

  private void checkFailure() {
    if (!config.isolatesStreams() && !config.failAfter().isZero()) {
      contradiction(
          RunningSettings.FAIL_AFTER.name(),
          "has no effect with errors.streams=fail, where the task fails at once");
    }
  }

  /** Only a connection shows whether the stores can be opened. */
  private void checkStores() {
    if (config.given(SslConfigs.SSL_ENGINE_FACTORY_CLASS_CONFIG)) {
      contradiction(
          SslConfigs.SSL_ENGINE_FACTORY_CLASS_CONFIG,
          "has no effect: the connector uses Kafka's own factory");
    }
    List<String> keys = List.of(ServiceSettings.KEY_STORE, SslConfigs.SSL_KEYSTORE_KEY_CONFIG);
    requireStore(SslConfigs.SSL_KEY_PASSWORD_CONFIG, keys);
    requireStore(SslConfigs.SSL_KEYSTORE_TYPE_CONFIG, keys);
    requireStore(
        SslConfigs.SSL_TRUSTSTORE_TYPE_CONFIG,
        List.of(ServiceSettings.TRUST_STORE, SslConfigs.SSL_TRUSTSTORE_CERTIFICATES_CONFIG));
    for (String location : List.of(ServiceSettings.TRUST_STORE, ServiceSettings.KEY_STORE)) {
      requireStore(ServiceSettings.passwordOf(location), List.of(location));
      Object file = config.ssl().get(location);
      if (file != null && !Validators.isFile(Path.of(file.toString()), MOST_STORE_BYTES)) {
        add(
            Problem.UNREADABLE_FILE,
            location,
            file + " cannot be read on this worker as a file of at most 16 MiB");
      }
    }
  }

  private void requireStore(String setting, List<String> places) {
    // A form may post the default type, which has no effect.
    boolean isDefault = SslConfigs.DEFAULT_SSL_KEYSTORE_TYPE.equals(config.ssl().get(setting));
    if (config.given(setting)
        && !isDefault
        && Collections.disjoint(places, config.ssl().keySet())) {
      contradiction(setting, "has no effect without " + String.join(" or ", places));
    }
  }
}
