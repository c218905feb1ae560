package io.posconnect.config;

import io.posconnect.resource.Catalog;
import io.posconnect.resource.Retrieval.Style;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.ConfigDef.ConfigKey;

/**
 * Describes one setting: Kafka's key, the scopes in which it may stand, and how to read its value.
 *
 * @param <T> type of the value
 * @param key as a general setting; an override has a prefix before its name
 * @param defaultText a default that something else decides, in words; empty where the key has it
 * @param reader converts what Kafka parsed and the validator accepted
 * @param catalog the default of a resource of the catalog
 * @param styles the retrievals that use it
 */
record Setting<T>(
    ConfigKey key,
    String defaultText,
    Function<Object, T> reader,
    Function<Catalog.Entry, Optional<T>> catalog,
    Set<Scope> scopes,
    Set<Style> styles) {

  enum Scope {
    GENERAL,
    RESOURCE,
    LOCATION;

    /** Such as {@code resource}. */
    String noun() {
      return this == RESOURCE ? "resource" : "location";
    }

    /** The full name of {@code owner}'s setting, such as {@code resources.products.path}. */
    String key(String owner, String setting) {
      return noun() + "s." + owner + "." + setting;
    }
  }

  String name() {
    return key.name;
  }

  /** Returns whether it is a group: its name ends with a dot, behind which any name may follow. */
  boolean isGroup() {
    return key.name.endsWith(".");
  }

  boolean isNamed(String name) {
    return isGroup() ? name.startsWith(key.name) : name.equals(key.name);
  }

  /** Returns whether it has an effect only where something is read in pages. */
  boolean isOfPages() {
    return styles.contains(Style.PAGES) && !styles.contains(Style.FULL);
  }

  /** Its name for a person. */
  String shown() {
    return isGroup() ? key.name + "<name>" : key.name;
  }

  /** The full name of its override for a resource. */
  String forResource(String resource) {
    return Scope.RESOURCE.key(resource, key.name);
  }

  /** Every name under which it may stand, for a person. */
  String places() {
    return Stream.of(Scope.values())
        .filter(scopes::contains)
        .map(scope -> scope == Scope.GENERAL ? shown() : scope.key("<name>", shown()))
        .collect(Collectors.joining(" or "));
  }

  /**
   * The key of an override, or of a member of a group, which has no default of its own and is
   * always shown.
   */
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
