package io.posconnect.config;

import io.posconnect.config.Setting.Scope;
import io.posconnect.problem.Incident;
import io.posconnect.problem.Problem;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.kafka.common.config.ConfigDef;

/** Lists all settings, defines them for Kafka, and finds names that stand in the wrong place. */
final class Settings {

  /** In the order of the documentation. */
  static final List<SettingTable> TABLES =
      List.of(
          ServiceSettings.SERVICE,
          ResourceSettings.NAMES,
          ResourceSettings.TABLE,
          ResourceSettings.PRIVACY,
          ReadingSettings.TABLE,
          RecordSettings.CHANGES,
          RecordSettings.RECORDS,
          RunningSettings.TABLE,
          ServiceSettings.TRANSPORT,
          ServiceSettings.TLS);

  static final List<Setting<?>> ALL =
      TABLES.stream().map(SettingTable::settings).<Setting<?>>flatMap(List::stream).toList();

  /** What Connect itself reads of a source connector's configuration; a group ends with a dot. */
  private static final Set<String> OF_CONNECT =
      Set.of(
          ("name connector.class connector.plugin.version tasks.max tasks.max.enforce"
                  + " key.converter key.converter. value.converter value.converter."
                  + " header.converter header.converter. transforms transforms. predicates"
                  + " predicates. config.action.reload errors.retry.timeout"
                  + " errors.retry.delay.max.ms errors.tolerance errors.log.enable"
                  + " errors.log.include.messages exactly.once.support transaction.boundary"
                  + " transaction.boundary.interval.ms offsets.storage.topic topic.creation."
                  + " producer.override. consumer.override. admin.override.")
              .split(" "));

  private static final int MOST_SHOWN = 8;

  private Settings() {}

  static List<Setting<?>> of(Scope scope) {
    return ALL.stream().filter(setting -> setting.scopes().contains(scope)).toList();
  }

  /**
   * Defines every general setting, and the overrides among {@code names}, even those of an unknown
   * owner, so that a secret is never treated as plain text.
   */
  static ConfigDef definition(Collection<String> names) {
    ConfigDef definition = new ConfigDef();
    of(Scope.GENERAL).forEach(setting -> define(setting, names, definition));
    if (names.contains(RunningSettings.TASK_STREAMS.name())) {
      definition.define(RunningSettings.TASK_STREAMS.key());
      definition.define(RunningSettings.TASK_NUMBER.key());
    }
    int order = 0;
    for (ScopedName name : overrides(names)) {
      Optional<Setting<?>> setting = name.find();
      if (setting.isPresent()) {
        definition.define(setting.get().override(name.key(), name.heading(), ++order));
      }
    }
    return definition;
  }

  private static void define(Setting<?> setting, Collection<String> names, ConfigDef definition) {
    if (!setting.isGroup()) {
      definition.define(setting.key());
      return;
    }
    names.stream()
        .filter(setting::isNamed)
        .sorted()
        .map(name -> setting.override(name, setting.key().group, setting.key().orderInGroup))
        .forEach(definition::define);
  }

  /** The names under {@code resources.} or {@code locations.}, sorted. */
  static List<ScopedName> overrides(Collection<String> names) {
    return names.stream().sorted().map(ScopedName::parse).flatMap(Optional::stream).toList();
  }

  static List<ScopedName> overrides(Collection<String> names, Scope scope) {
    return overrides(names).stream().filter(name -> name.scope() == scope).toList();
  }

  /**
   * Finds names that nothing reads: unknown ones under {@code resources.} or {@code locations.},
   * and settings in a scope where they may not stand. A misplaced {@code exclude.fields} would
   * otherwise publish private fields.
   */
  static List<Incident> misplaced(Collection<String> names) {
    Stream<Incident> general =
        ALL.stream()
            .filter(setting -> !setting.scopes().contains(Scope.GENERAL))
            .filter(setting -> names.contains(setting.name()))
            .map(
                setting ->
                    Problem.UNKNOWN_SETTING.incident(
                        setting.name(),
                        "is not a general setting; it stands as " + setting.places()));
    Stream<Incident> overrides =
        overrides(names).stream().map(ScopedName::fault).flatMap(Optional::stream);
    return Stream.concat(general, overrides).toList();
  }

  /**
   * Finds names that neither the connector nor Connect has a setting for. A worker accepts them,
   * and a misspelt setting then keeps its default.
   */
  static List<Incident> unknown(Collection<String> names) {
    Set<String> known = new TreeSet<>(OF_CONNECT);
    ALL.forEach(setting -> known.add(setting.name()));
    return names.stream()
        .sorted()
        .filter(name -> !known.contains(name) && ScopedName.parse(name).isEmpty())
        .filter(name -> known.stream().noneMatch(k -> k.endsWith(".") && name.startsWith(k)))
        .map(
            name ->
                Problem.UNKNOWN_SETTING.incident(name, "is not a setting; " + known(name, known)))
        .toList();
  }

  /** The names that have the longest beginning in common with this one, for a person. */
  static String known(String name, Collection<String> names) {
    int longest = names.stream().mapToInt(other -> common(name, other)).max().orElse(0);
    List<String> alike = names.stream().filter(n -> common(name, n) == longest).sorted().toList();
    return alike.stream()
        .limit(MOST_SHOWN)
        .collect(Collectors.joining(", ", "known: ", alike.size() > MOST_SHOWN ? ", …" : ""));
  }

  private static int common(String a, String b) {
    int different = Arrays.mismatch(a.toCharArray(), b.toCharArray());
    return different < 0 ? a.length() : different;
  }

  /**
   * The parts of a name such as {@code resources.products.path}.
   *
   * @param key the full name
   * @param owner the resource or location
   * @param setting the setting's own name, which may not exist; empty when it is missing
   */
  record ScopedName(String key, Scope scope, String owner, String setting) {

    static Optional<ScopedName> parse(String key) {
      return Stream.of(Scope.RESOURCE, Scope.LOCATION)
          .filter(scope -> key.startsWith(scope.noun() + "s."))
          .findFirst()
          .map(
              scope -> {
                String[] parts = key.split("\\.", 3);
                return new ScopedName(key, scope, parts[1], parts.length < 3 ? "" : parts[2]);
              });
    }

    private String heading() {
      return (scope == Scope.RESOURCE ? "Resource " : "Location ") + owner;
    }

    Optional<Setting<?>> find() {
      return of(scope).stream().filter(known -> known.isNamed(setting)).findFirst();
    }

    private Optional<Incident> fault() {
      if (setting.isEmpty()) {
        String meant = scope.key(owner, "<setting>");
        return refused("is not a setting; perhaps " + meant + " is meant");
      }
      if (!Validators.isOwner(scope, owner)) {
        return refused(
            "\"%s\" is not the name of a %s; it must be %s"
                .formatted(owner, scope.noun(), Validators.letters(scope)));
      }
      if (find().isPresent()) {
        return Optional.empty();
      }
      String wrong = "is not a setting of a " + scope.noun() + "; ";
      List<String> known = of(scope).stream().map(Setting::name).toList();
      return refused(
          ALL.stream()
              .filter(other -> other.isNamed(setting))
              .findFirst()
              .map(other -> wrong + "it stands as " + other.places())
              .orElseGet(() -> wrong + known(setting, known)));
    }

    private Optional<Incident> refused(String detail) {
      return Optional.of(Problem.UNKNOWN_SETTING.incident(key, detail));
    }
  }
}
