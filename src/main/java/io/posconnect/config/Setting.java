package io.posconnect.config;

import java.util.List;
import java.util.Set;
import java.util.function.Function;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.ConfigDef.Importance;
import org.apache.kafka.common.config.ConfigDef.Width;
import org.jspecify.annotations.Nullable;

/**
 * One setting: what it is called, what it may be, where it may stand and what it becomes.
 *
 * @param <T> what it becomes
 * @param name as a general setting, or behind {@code resources.<name>.} or {@code
 *     locations.<name>.}
 * @param defaultValue of the general setting; null for none, {@link ConfigDef#NO_DEFAULT_VALUE} if
 *     it must be given
 * @param defaultText what a person reads as the default
 * @param literalDefault whether that could be given as it stands
 * @param check accepts null
 * @param reader makes a {@code T} of what {@code ConfigDef} parsed and {@code check} accepted
 * @param scopes where it may stand
 * @param styles the retrievals for which it means something
 * @param dependents general settings that hang on it
 * @param advice what to offer and when to show it
 */
record Setting<T>(
    String name,
    ConfigDef.Type type,
    @Nullable Object defaultValue,
    String defaultText,
    boolean literalDefault,
    Check check,
    Function<Object, T> reader,
    Group group,
    Importance importance,
    String title,
    Set<Scope> scopes,
    Set<RetrievalStyle> styles,
    List<String> dependents,
    Advice advice,
    String doc) {

  /** Where a setting may stand. */
  enum Scope {
    GENERAL(""),
    RESOURCE("resources."),
    LOCATION("locations.");

    private final String prefix;

    Scope(String prefix) {
      this.prefix = prefix;
    }

    String prefix() {
      return prefix;
    }
  }

  /** What settings are about; the order is that of the documentation. */
  enum Group {
    SERVICE("Service"),
    RESOURCES("Resources"),
    READING("Reading"),
    CHANGES("Changes"),
    RECORDS("Records"),
    RUNNING("Running"),
    TRANSPORT("Transport");

    private final String title;

    Group(String title) {
      this.title = title;
    }

    String title() {
      return title;
    }
  }

  /** Adds this as a general setting. */
  void define(ConfigDef definition, int order) {
    define(definition, name, defaultValue, group.title(), order, dependents, advice);
  }

  /** Adds this as the override {@code key}, which has no default of its own. */
  void override(ConfigDef definition, String key, String owner, int order) {
    define(definition, key, null, owner, order, List.of(), advice.always());
  }

  private void define(
      ConfigDef definition,
      String key,
      @Nullable Object value,
      String heading,
      int order,
      List<String> hanging,
      Advice offered) {
    definition.define(
        key, type, value, check, importance, doc, heading, order, width(), title, hanging, offered);
  }

  private Width width() {
    return switch (type) {
      case BOOLEAN, INT, SHORT, LONG, DOUBLE -> Width.SHORT;
      case PASSWORD, CLASS -> Width.MEDIUM;
      case STRING, LIST -> Width.LONG;
    };
  }
}
