package io.posconnect.config;

import io.posconnect.config.Setting.Scope;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * A name such as {@code resources.products.path}, taken apart.
 *
 * @param scope what it is an override for
 * @param owner the resource or location
 * @param setting the setting's own name, not yet known to exist
 */
record Scoped(Scope scope, String owner, String setting) {

  Scoped {
    Objects.requireNonNull(scope, "scope is null");
    Objects.requireNonNull(owner, "owner is null");
    Objects.requireNonNull(setting, "setting is null");
  }

  /** Takes a name apart, if it is of that kind at all. */
  static Optional<Scoped> parse(String key) {
    return Stream.of(Scope.RESOURCE, Scope.LOCATION)
        .filter(scope -> key.startsWith(scope.prefix()))
        .findFirst()
        .map(scope -> parse(scope, key.substring(scope.prefix().length())));
  }

  private static Scoped parse(Scope scope, String rest) {
    int dot = rest.indexOf('.');
    return dot < 0
        ? new Scoped(scope, rest, "")
        : new Scoped(scope, rest.substring(0, dot), rest.substring(dot + 1));
  }

  /** The full name. */
  String key() {
    return key(scope, owner, setting);
  }

  static String key(Scope scope, String owner, String setting) {
    return scope.prefix() + owner + "." + setting;
  }

  /** What it is an override for, as a heading. */
  String heading() {
    return (scope == Scope.RESOURCE ? "Resource " : "Location ") + owner;
  }
}
