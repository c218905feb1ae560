package io.posconnect.config;

import io.posconnect.config.Setting.Scope;
import io.posconnect.resource.Stream;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.apache.kafka.common.config.AbstractConfig;
import org.jspecify.annotations.Nullable;

/**
 * Settings in layers: what a location says goes before what a resource says, and that before what
 * is said in general.
 */
abstract class LayeredConfig extends AbstractConfig {

  private final Map<String, String> given;

  LayeredConfig(Map<String, String> given, boolean log) {
    super(Settings.definition(given.keySet()), given, log);
    this.given = Map.copyOf(given);
  }

  /** A value of null is no value. */
  static Map<String, String> withoutNulls(Map<String, String> props) {
    Map<String, String> given = new TreeMap<>(props);
    given.values().removeIf(Objects::isNull);
    return given;
  }

  Map<String, String> givenTexts() {
    return given;
  }

  String text(String key, String otherwise) {
    return given.getOrDefault(key, otherwise);
  }

  boolean given(String key) {
    return given.containsKey(key);
  }

  Set<String> givenNames() {
    return new TreeSet<>(given.keySet());
  }

  /** A general setting's value. */
  <T> T value(Setting<T> setting) {
    return find(setting).orElseThrow();
  }

  /** A general setting's value, its default included. */
  <T> Optional<T> find(Setting<T> setting) {
    return read(setting, setting.name());
  }

  /** What holds for a stream, the general default included. */
  <T> T value(Setting<T> setting, Stream stream) {
    return override(setting, stream).or(() -> find(setting)).orElseThrow();
  }

  /** What was given for a stream: for its location, for its resource, or in general. */
  <T> Optional<T> override(Setting<T> setting, Stream stream) {
    return own(setting, Scope.LOCATION, stream.location())
        .or(() -> own(setting, Scope.RESOURCE, stream.resource()))
        .or(() -> given(setting.name()) ? find(setting) : Optional.empty());
  }

  /** What was given under {@code resources.<owner>.} or {@code locations.<owner>.}. */
  <T> Optional<T> own(Setting<T> setting, Scope scope, String owner) {
    String key = Scoped.key(scope, owner, setting.name());
    return given(key) && setting.scopes().contains(scope) ? read(setting, key) : Optional.empty();
  }

  /** A location's own value, or the general one. */
  <T> Optional<T> ofLocation(Setting<T> setting, String location) {
    return own(setting, Scope.LOCATION, location).or(() -> find(setting));
  }

  private <T> Optional<T> read(Setting<T> setting, String key) {
    @Nullable Object raw = get(key);
    return raw == null ? Optional.empty() : Optional.of(setting.reader().apply(raw));
  }
}
