package io.posconnect.config;

import io.posconnect.config.Setting.Scope;
import io.posconnect.problem.Problem;
import io.posconnect.resource.Catalog;
import io.posconnect.resource.Stream;
import java.util.Collections;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import org.apache.kafka.common.config.AbstractConfig;
import org.apache.kafka.common.config.types.Password;
import org.jspecify.annotations.Nullable;

/**
 * Looks values up. Precedence: location, resource, general value, catalog default, general default.
 */
abstract class Overrides extends AbstractConfig {

  /**
   * The worker has resolved the references that it allows. Kafka would also run providers that the
   * configuration itself names, without any restriction, unless it is given this list.
   */
  private static final Map<String, String> NO_PROVIDERS = Map.of("config.providers", "");

  private final NavigableMap<String, String> given;

  /**
   * @throws org.apache.kafka.common.config.ConfigException that names every malformed value
   */
  Overrides(Map<String, String> given, boolean log) {
    super(Settings.definition(given.keySet()), Validation.wellTyped(given), NO_PROVIDERS, log);
    this.given = Collections.unmodifiableNavigableMap(new TreeMap<>(given));
  }

  /** Treats a value of null as absent. */
  static Map<String, String> withoutNulls(Map<String, String> props) {
    Map<String, String> given = new TreeMap<>(props);
    given.values().removeIf(Objects::isNull);
    return given;
  }

  Map<String, String> given() {
    return given;
  }

  boolean given(String key) {
    return given.containsKey(key);
  }

  <T> T value(Setting<T> setting) {
    return find(setting).orElseThrow();
  }

  /** The value of a general setting, or its default. */
  <T> Optional<T> find(Setting<T> setting) {
    return read(setting, setting.name());
  }

  <T> T value(Setting<T> setting, Stream stream) {
    return find(setting, stream).orElseThrow();
  }

  /** The value that applies to a stream, if there is one. */
  <T> Optional<T> find(Setting<T> setting, Stream stream) {
    return own(setting, Scope.LOCATION, stream.location())
        .or(() -> own(setting, Scope.RESOURCE, stream.resource()))
        .or(() -> given(setting.name()) ? find(setting) : Optional.empty())
        .or(() -> byDefault(setting, stream.resource()));
  }

  /** The value of a resource at every location. */
  <T> Optional<T> ofResource(Setting<T> setting, String resource) {
    return own(setting, Scope.RESOURCE, resource).or(() -> byDefault(setting, resource));
  }

  /** The location's own value, or the general one. */
  <T> Optional<T> ofLocation(Setting<T> setting, String location) {
    return own(setting, Scope.LOCATION, location).or(() -> find(setting));
  }

  /** A location's key or password; the general one never goes to a location's own address. */
  String secret(Setting<Password> setting, String location) {
    return own(setting, Scope.LOCATION, location)
        .or(() -> isElsewhere(location) ? Optional.empty() : find(setting))
        .map(Password::value)
        .orElse("");
  }

  /** The headers of a location's requests, by name; the general ones as in {@link #secret}. */
  Map<String, String> headers(String location) {
    Map<String, String> headers = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
    if (!isElsewhere(location)) {
      addHeaders(ServiceSettings.HEADERS, headers);
    }
    addHeaders(Scope.LOCATION.key(location, ServiceSettings.HEADERS), headers);
    return headers;
  }

  private void addHeaders(String group, Map<String, String> headers) {
    given.tailMap(group).keySet().stream()
        .takeWhile(name -> name.startsWith(group))
        .forEach(name -> headers.put(name.substring(group.length()), getPassword(name).value()));
  }

  boolean isElsewhere(String location) {
    return given(Scope.LOCATION.key(location, ServiceSettings.BASE_URL.name()));
  }

  /** The value given under {@code resources.<owner>.} or {@code locations.<owner>.}. */
  <T> Optional<T> own(Setting<T> setting, Scope scope, String owner) {
    String key = scope.key(owner, setting.name());
    return given(key) && setting.scopes().contains(scope) ? read(setting, key) : Optional.empty();
  }

  private static <T> Optional<T> byDefault(Setting<T> setting, String resource) {
    return Catalog.find(resource).flatMap(setting.catalog()).or(setting::byDefault);
  }

  private <T> Optional<T> read(Setting<T> setting, String key) {
    @Nullable Object raw = get(key);
    return raw == null ? Optional.empty() : Optional.of(setting.reader().apply(raw));
  }

  /**
   * The setting at which a fault of that kind stands: where its value is given, or where it is
   * missing.
   */
  String settingOf(Problem problem, Stream stream) {
    return switch (problem) {
      case WRONG_ADDRESS -> settingOf(ServiceSettings.BASE_URL, stream.location());
      case KEY_REFUSED, PERMISSION_MISSING -> keyOf(stream.location());
      case PATH_UNKNOWN -> ResourceSettings.PATH.forResource(stream.resource());
      case WRONG_RETRIEVAL -> ResourceSettings.RETRIEVAL.forResource(stream.resource());
      case WRONG_SNAPSHOT -> ResourceSettings.SNAPSHOT_IN_PAGES.forResource(stream.resource());
      case ROWS_UNUSABLE -> ResourceSettings.KEY_FIELDS.forResource(stream.resource());
      case UNUSABLE_SCHEMA -> schemaOf(stream);
      case PROXY_REFUSES -> ServiceSettings.PROXY_URL.name();
      default -> throw new IllegalArgumentException(problem + " is not the fault of a setting");
    };
  }

  /** The name under which the value that applies to a stream is given, else the general one. */
  String settingOf(Setting<?> setting, Stream stream) {
    return java.util.stream.Stream.of(
            Scope.LOCATION.key(stream.location(), setting.name()),
            Scope.RESOURCE.key(stream.resource(), setting.name()))
        .filter(this::given)
        .findFirst()
        .orElse(setting.name());
  }

  /** The location's own setting if it is given, else the general one. */
  String settingOf(Setting<?> setting, String location) {
    String own = Scope.LOCATION.key(location, setting.name());
    return given(own) ? own : setting.name();
  }

  /** A location with its own address, or one of several, needs its own key. */
  String keyOf(String location) {
    String general = ServiceSettings.API_KEY.name();
    String own = Scope.LOCATION.key(location, general);
    boolean several = !value(ServiceSettings.LOCATIONS).isEmpty();
    return given(own) || isElsewhere(location) || (several && !given(general)) ? own : general;
  }

  /**
   * The first given one: without a schema and a key of its own, the private fields are at fault.
   */
  private String schemaOf(Stream stream) {
    return java.util.stream.Stream.of(
            ResourceSettings.TYPED_FIELDS,
            ResourceSettings.SCHEMA,
            ResourceSettings.SCHEMA_FILE,
            ResourceSettings.KEY_FIELDS,
            ResourceSettings.HASH_FIELDS,
            ResourceSettings.EXCLUDE_FIELDS)
        .map(setting -> setting.forResource(stream.resource()))
        .filter(this::given)
        .findFirst()
        .orElseGet(() -> ResourceSettings.KEY_FIELDS.forResource(stream.resource()));
  }

  /** The first given setting of the trust store, of the key store, or of the rest. */
  String tlsSetting() {
    return java.util.stream.Stream.of("ssl.truststore.", "ssl.keystore.", "ssl.")
        .flatMap(prefix -> given.keySet().stream().sorted().filter(n -> n.startsWith(prefix)))
        .findFirst()
        .orElse(ServiceSettings.TRUST_STORE);
  }
}
