package io.posconnect.config;

import io.posconnect.config.Setting.Scope;
import io.posconnect.problem.Problem;
import io.posconnect.resource.KeyPart;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.apache.kafka.common.config.types.Password;

/** Refuses privacy that cannot be kept, or that leaves a row without its key. */
final class PrivacyRules {

  private final SourceConfig config;
  private final List<Fault> faults = new ArrayList<>();

  private PrivacyRules(SourceConfig config) {
    this.config = config;
  }

  /** Every fault of a configuration whose settings are well-typed. */
  static List<Fault> faults(SourceConfig config) {
    PrivacyRules rules = new PrivacyRules(config);
    rules.saltIsSecret();
    Settings.overrides(config.given().keySet(), Scope.RESOURCE).stream()
        .filter(name -> name.setting().equals(PrivacySettings.EXCLUDE_FIELDS.name()))
        .forEach(name -> rules.keyIsLeft(name.owner()));
    Settings.overrides(config.given().keySet(), Scope.RESOURCE).stream()
        .map(Settings.ScopedName::owner)
        .distinct()
        .forEach(rules::fieldsAreDistinct);
    return rules.faults;
  }

  private void saltIsSecret() {
    String setting = PrivacySettings.HASH_SALT.name();
    if (config.given(setting)) {
      Password salt = config.find(PrivacySettings.HASH_SALT).orElseThrow();
      if (salt.value().length() < PrivacySettings.SHORTEST_SALT) {
        faults.add(
            Fault.of(
                Problem.INVALID_VALUE,
                setting,
                "must have at least "
                    + PrivacySettings.SHORTEST_SALT
                    + " characters, or it can be found by trying"));
      }
      return;
    }
    Settings.overrides(config.given().keySet(), Scope.RESOURCE).stream()
        .filter(name -> name.setting().equals(PrivacySettings.HASH_FIELDS.name()))
        .filter(name -> !paths(name.owner(), PrivacySettings.HASH_FIELDS).isEmpty())
        .findFirst()
        .ifPresent(
            name ->
                faults.add(
                    Fault.of(
                        Problem.MISSING_SETTING,
                        setting,
                        "is needed, since " + name.key() + " is given")));
  }

  private List<String> paths(String resource, Setting<List<String>> setting) {
    return config.ofResource(setting, resource).orElseThrow();
  }

  private void keyIsLeft(String resource) {
    List<KeyPart> keys =
        KeyPart.all(config.ofResource(ResourceSettings.KEY_FIELDS, resource).orElse(List.of()));
    for (String path : paths(resource, PrivacySettings.EXCLUDE_FIELDS)) {
      if (keys.stream().anyMatch(key -> key.isNamed(path))) {
        contradiction(
            resource,
            PrivacySettings.EXCLUDE_FIELDS,
            "leaves rows without their key field %s: hash it instead".formatted(path));
      }
    }
  }

  /** Of two paths one within the other, nobody knows which is meant. */
  private void fieldsAreDistinct(String resource) {
    List<String> seen = new ArrayList<>();
    for (Setting<List<String>> setting :
        List.of(PrivacySettings.EXCLUDE_FIELDS, PrivacySettings.HASH_FIELDS)) {
      for (String path : paths(resource, setting)) {
        seen.stream()
            .filter(other -> isWithin(path, other) || isWithin(other, path))
            .findFirst()
            .ifPresent(
                other ->
                    contradiction(
                        resource,
                        setting,
                        "names %s beside %s, of which one is, or is within, the other: name one of them"
                            .formatted(path, other)));
        seen.add(path);
      }
    }
  }

  private static boolean isWithin(String path, String other) {
    return (path + ".").toLowerCase(Locale.ROOT).startsWith((other + ".").toLowerCase(Locale.ROOT));
  }

  private void contradiction(String resource, Setting<?> setting, String detail) {
    String key = Scope.RESOURCE.key(resource, setting.name());
    faults.add(Fault.of(Problem.CONTRADICTION, key, detail));
  }
}
