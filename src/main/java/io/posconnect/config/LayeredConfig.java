package io.posconnect.config;

import io.posconnect.config.Setting.Scope;
import io.posconnect.resource.Catalog;
import io.posconnect.resource.Stream;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import org.apache.kafka.common.config.AbstractConfig;
import org.apache.kafka.common.config.types.Password;
import org.jspecify.annotations.Nullable;

/**
 * Resolves settings in layers: what a location says holds before what a resource says, that before
 * what is said in general, that before the catalog's default, and that before the general one.
 */
abstract class LayeredConfig extends AbstractConfig {

  /**
   * The worker has resolved what it allows. Providers that a configuration brings along would be
   * restricted by nobody, and Kafka would ask them if it were not told of others.
   */
  private static final Map<String, String> NO_PROVIDERS = Map.of("config.providers", "");

  private final Map<String, String> given;

  /**
   * @throws ConfigException that names every value that cannot be taken
   */
  LayeredConfig(Map<String, String> given, boolean log) {
    super(Settings.definition(given.keySet()), Validation.wellTyped(given), NO_PROVIDERS, log);
    this.given = Map.copyOf(given);
  }

  /** A value of null is no value. */
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

  /** A general setting's value. */
  <T> T value(Setting<T> setting) {
    return find(setting).orElseThrow();
  }

  /** A general setting's value, its default included. */
  <T> Optional<T> find(Setting<T> setting) {
    return read(setting, setting.name());
  }

  /** What holds for a stream. */
  <T> T value(Setting<T> setting, Stream stream) {
    return find(setting, stream).orElseThrow();
  }

  /** What holds for a stream, if anything does. */
  <T> Optional<T> find(Setting<T> setting, Stream stream) {
    return own(setting, Scope.LOCATION, stream.location())
        .or(() -> own(setting, Scope.RESOURCE, stream.resource()))
        .or(() -> given(setting.name()) ? find(setting) : Optional.empty())
        .or(() -> byDefault(setting, stream.resource()));
  }

  /** What holds for a resource at every location. */
  <T> Optional<T> ofResource(Setting<T> setting, String resource) {
    return own(setting, Scope.RESOURCE, resource).or(() -> byDefault(setting, resource));
  }

  /** A location's own value, or the general one. */
  <T> Optional<T> ofLocation(Setting<T> setting, String location) {
    return own(setting, Scope.LOCATION, location).or(() -> find(setting));
  }

  /** A location's key or password; the general one never goes to a location's own address. */
  Password secret(Setting<Password> setting, String location) {
    boolean elsewhere = given(Scope.LOCATION.key(location, ServiceSettings.BASE_URL.name()));
    return own(setting, Scope.LOCATION, location)
        .or(() -> elsewhere ? Optional.empty() : find(setting))
        .orElse(new Password(""));
  }

  /** What was given under {@code resources.<owner>.} or {@code locations.<owner>.}. */
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
}
