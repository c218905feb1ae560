package io.posconnect.config;

import io.posconnect.config.Setting.Scope;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.SslConfigs;

/** All settings as one list, and the one definition that is made of it. */
final class Settings {

  /** In the order of the documentation. */
  static final List<Setting<?>> ALL =
      Stream.of(ServiceSettings.ALL, ReadingSettings.ALL, RecordSettings.ALL, RunningSettings.ALL)
          .<Setting<?>>flatMap(List::stream)
          .sorted((a, b) -> a.group().compareTo(b.group()))
          .toList();

  private Settings() {}

  static List<Setting<?>> of(Scope scope) {
    return ALL.stream().filter(setting -> setting.scopes().contains(scope)).toList();
  }

  /** The setting that a name under {@code resources.} or {@code locations.} speaks of. */
  static Optional<Setting<?>> find(Scoped name) {
    return of(name.scope()).stream()
        .filter(setting -> setting.name().equals(name.setting()))
        .findFirst();
  }

  /**
   * The definition of every general setting, and of the overrides among {@code names}: these are
   * defined even where their owner is unknown, so that a secret is never taken for plain text.
   */
  static ConfigDef definition(Collection<String> names) {
    ConfigDef definition = new ConfigDef();
    int order = 0;
    for (Setting<?> setting : of(Scope.GENERAL)) {
      setting.define(definition, ++order);
    }
    SslConfigs.addClientSslSupport(definition);
    if (names.contains(RunningSettings.TASK_STREAMS.name())) {
      RunningSettings.TASK_STREAMS.define(definition, ++order);
      RunningSettings.TASK_NUMBER.define(definition, ++order);
    }
    for (String name : names.stream().sorted().toList()) {
      Optional<Scoped> scoped = Scoped.parse(name);
      if (scoped.isPresent()) {
        override(definition, scoped.get(), ++order);
      }
    }
    return definition;
  }

  private static void override(ConfigDef definition, Scoped name, int order) {
    find(name)
        .ifPresent(setting -> setting.override(definition, name.key(), name.heading(), order));
  }
}
