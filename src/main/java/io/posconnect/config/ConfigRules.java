package io.posconnect.config;

import io.posconnect.config.Setting.Scope;
import io.posconnect.config.Settings.ScopedName;
import io.posconnect.config.SourceConfig.Topics;
import io.posconnect.problem.Problem;
import io.posconnect.record.Destination.EventFormat;
import io.posconnect.resource.Catalog;
import io.posconnect.resource.Stream;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.common.config.SslConfigs;
import org.apache.kafka.common.config.types.Password;

/** Finds what no setting can know of itself: what is missing, and what contradicts. */
final class ConfigRules {

  private static final Pattern UNSENDABLE = Pattern.compile("\\p{Cntrl}");

  private final SourceConfig config;
  private final List<Fault> faults = new ArrayList<>();

  private ConfigRules(SourceConfig config) {
    this.config = config;
  }

  /** Every fault of a configuration whose settings are well-typed and well-named. */
  static List<Fault> faults(SourceConfig config) {
    ConfigRules rules = new ConfigRules(config);
    rules.onlyListedLocations();
    config.locations().forEach(rules::keyCanBeSent);
    config.locations().forEach(rules::addressIsSafe);
    rules.noKeyTwice();
    rules.resourcesAreDescribed();
    if (rules.faults.isEmpty()) {
      rules.topicsAreDistinct();
    }
    rules.backOffsGrow();
    rules.deletesAreTold();
    rules.storesAreThere();
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

  private void onlyListedLocations() {
    String only = ServiceSettings.LOCATION_NAME.name();
    if (config.given(only) && !config.value(ServiceSettings.LOCATIONS).isEmpty()) {
      contradiction(only, "names the only location, but locations is given");
    }
    List<String> names = config.locations();
    for (ScopedName name : overrides(Scope.LOCATION)) {
      if (!names.contains(name.owner())) {
        add(
            Problem.UNKNOWN_NAME,
            name.key(),
            "there is no location %s (known: %s)"
                .formatted(name.owner(), String.join(", ", names)));
      }
    }
  }

  private List<ScopedName> overrides(Scope scope) {
    return Settings.overrides(config.given().keySet()).stream()
        .filter(name -> name.scope() == scope)
        .toList();
  }

  private void keyCanBeSent(String location) {
    String setting = FaultySetting.keyOf(config, location);
    String key = config.secret(ServiceSettings.API_KEY, location).value();
    String password = config.secret(ServiceSettings.API_PASSWORD, location).value();
    if (key.isBlank()) {
      missing(setting, "location " + location + " has no key");
    } else if (key.indexOf(':') >= 0 || UNSENDABLE.matcher(key + password).find()) {
      add(
          Problem.UNSENDABLE_KEY,
          setting,
          "key of location %s holds a colon, or it or its password a control character"
              .formatted(location));
    }
  }

  private void addressIsSafe(String location) {
    String setting = FaultySetting.BASE_URL.name(config, new Stream(location, ""));
    Optional<URI> url = config.ofLocation(ServiceSettings.BASE_URL, location);
    if (url.isEmpty()) {
      missing(setting, "location " + location + " has no address");
    } else if (readable(url.get()) && !config.allowHttp()) {
      String detail = "would send the key of location " + location + " unencrypted";
      add(Problem.UNENCRYPTED, setting, detail);
    }
  }

  /** Whether others could read on the way what is sent there. */
  private static boolean readable(URI url) {
    String host = url.getHost().toLowerCase(Locale.ROOT);
    return "http".equalsIgnoreCase(url.getScheme())
        && !host.matches("localhost|\\[::1]|127(\\.\\d{1,3}){3}");
  }

  private void noKeyTwice() {
    Map<List<Object>, String> firsts = new HashMap<>();
    for (String location : config.locations()) {
      Password key = config.secret(ServiceSettings.API_KEY, location);
      String address =
          config
              .ofLocation(ServiceSettings.BASE_URL, location)
              .map(url -> url.toString().toLowerCase(Locale.ROOT))
              .orElse("");
      String first = firsts.putIfAbsent(List.of(address, key), location);
      if (first != null && !key.value().isBlank()) {
        add(
            Problem.SAME_LOCATION,
            FaultySetting.keyOf(config, location),
            "is the same key as %s at the same address, so locations %s and %s are one"
                .formatted(FaultySetting.keyOf(config, first), first, location));
      }
    }
  }

  private void resourcesAreDescribed() {
    TreeSet<String> read = new TreeSet<>();
    for (String location : config.locations()) {
      for (String resource : ResourceSettings.names(config, location)) {
        if (read.add(resource)) {
          describedInFull(resource, location);
          schemaIsReadable(resource);
        }
      }
    }
    overrides(Scope.RESOURCE).forEach(name -> hasEffect(name, read));
  }

  private void describedInFull(String resource, String location) {
    String list = ResourceSettings.RESOURCE_NAMES.name();
    String own = Scope.LOCATION.key(location, list);
    String listing = config.given(own) ? own : list;
    if (Catalog.find(resource).isEmpty()
        && overrides(Scope.RESOURCE).stream().noneMatch(n -> n.owner().equals(resource))) {
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

  private void topicsAreDistinct() {
    Topics topics = config.topics();
    // By name with dots as underscores: a broker refuses two that differ only in those.
    Map<String, String> purposes = new HashMap<>();
    for (Stream stream : config.streams()) {
      String purpose = "resource " + stream.resource();
      claim(RecordSettings.TOPIC_TEMPLATE, topics.of(stream), purpose, purposes);
    }
    claim(RecordSettings.CHECKPOINTS_TOPIC, topics.checkpoints(), "checkpoints", purposes);
    claim(RecordSettings.STATUS_TOPIC, topics.status(), "the streams' states", purposes);
    claim(RecordSettings.DEAD_LETTERS_TOPIC, topics.deadLetters(), "broken rows", purposes);
  }

  private void claim(
      Setting<?> setting, String topic, String purpose, Map<String, String> purposes) {
    if (!Validators.topicName(topic)) {
      String detail = "leads to topic " + topic + ", which is not " + Validators.TOPIC_DEMAND;
      add(Problem.TOPIC_NAME, setting.name(), detail);
      return;
    }
    String other = purposes.putIfAbsent(topic.replace('.', '_'), purpose);
    if (other != null && !other.equals(purpose)) {
      add(
          Problem.TOPIC_NAME,
          setting.name(),
          "gives %s and %s the same topic, %s (a dot counts as _)"
              .formatted(purpose, other, topic));
    }
  }

  private void backOffsGrow() {
    if (config.retryBackoff().compareTo(config.retryBackoffMax()) > 0) {
      contradiction(
          ServiceSettings.RETRY_BACKOFF.name(),
          "is longer than retry.backoff.max.ms, which is " + config.retryBackoffMax().toMillis());
    }
  }

  private void deletesAreTold() {
    if (config.eventFormat() == EventFormat.FLAT && !config.tombstonesOnDelete()) {
      contradiction(
          RecordSettings.TOMBSTONES.name(),
          "cannot be false with event.format=flat, where a tombstone is the delete");
    }
  }

  /** Whether they can be opened is known only once a connection is made of them. */
  private void storesAreThere() {
    if (config.given(SslConfigs.SSL_ENGINE_FACTORY_CLASS_CONFIG)) {
      contradiction(
          SslConfigs.SSL_ENGINE_FACTORY_CLASS_CONFIG, "has no effect: Kafka's own factory is used");
    }
    for (String location : List.of(ServiceSettings.TRUST_STORE, ServiceSettings.KEY_STORE)) {
      String password = ServiceSettings.passwordOf(location);
      Object file = config.ssl().get(location);
      if (file == null && config.given(password)) {
        contradiction(password, "has no effect without " + location);
      } else if (file != null && !Files.isReadable(Path.of(String.valueOf(file)))) {
        add(Problem.UNREADABLE_FILE, location, file + " cannot be read on this worker");
      }
    }
  }
}
