package io.posconnect.config;

import io.posconnect.resource.Catalog;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.ConfigDef.ConfigKey;

/**
 * Describes one setting: Kafka's key, where else it may stand, and what becomes of its value.
 *
 * @param <T> what it becomes
 * @param key as a general setting; its name also stands behind {@code resources.<name>.} or {@code
 *     locations.<name>.}
 * @param defaultText the default in Markdown
 * @param reader makes a {@code T} of what Kafka parsed and the validator accepted
 * @param catalog the default of a resource that the catalog knows
 * @param scopes where it may stand
 * @param styles the retrievals for which it means something
 */
record Setting<T>(
    ConfigKey key,
    String defaultText,
    Function<Object, T> reader,
    Function<Catalog.Entry, Optional<T>> catalog,
    Set<Scope> scopes,
    Set<RetrievalStyle> styles) {

  /** Where a setting may stand. */
  enum Scope {
    GENERAL,
    RESOURCE,
    LOCATION;

    /** Such as {@code resource}. */
    String noun() {
      return this == RESOURCE ? "resource" : "location";
    }

    /** The name of a setting that stands there for {@code owner}. */
    String key(String owner, String setting) {
      return noun() + "s." + owner + "." + setting;
    }
  }

  String name() {
    return key.name;
  }

  /** The key of an override, which has no default of its own and is always shown. */
  ConfigKey override(String name, String heading, int order) {
    return new ConfigKey(
        name,
        key.type,
        null,
        key.validator,
        key.importance,
        key.documentation,
        heading,
        order,
        key.width,
        key.displayName,
        List.of(),
        new SettingTable.Advice(key.recommender.validValues(name, Map.of()), all -> true),
        false);
  }

  /** The general default, if there is one. */
  Optional<T> byDefault() {
    return key.defaultValue == null || key.defaultValue == ConfigDef.NO_DEFAULT_VALUE
        ? Optional.empty()
        : Optional.of(reader.apply(key.defaultValue));
  }
}
