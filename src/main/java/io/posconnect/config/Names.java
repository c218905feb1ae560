package io.posconnect.config;

import io.posconnect.config.Setting.Scope;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** Finds names under {@code resources.} and {@code locations.} that are no settings. */
final class Names {

  private Names() {}

  static List<Fault> faults(Collection<String> names) {
    return names.stream()
        .sorted()
        .map(Scoped::parse)
        .flatMap(Optional::stream)
        .map(Names::fault)
        .flatMap(Optional::stream)
        .toList();
  }

  private static Optional<Fault> fault(Scoped name) {
    boolean resource = name.scope() == Scope.RESOURCE;
    if (name.setting().isEmpty()) {
      String key = name.scope().prefix() + name.owner();
      return Optional.of(
          new Fault(key, "is no setting; what is meant is " + key + ".<setting>, or remove it"));
    }
    if (!(resource ? Check.RESOURCE_NAME : Check.LOCATION_NAME).matcher(name.owner()).matches()) {
      return Optional.of(
          new Fault(
              name.key(),
              "\""
                  + name.owner()
                  + "\" is no name of a "
                  + (resource ? "resource" : "location")
                  + "; use lower-case letters, digits"
                  + (resource ? " and -" : ", - and _")));
    }
    if (Settings.find(name).isPresent()) {
      return Optional.empty();
    }
    return Optional.of(
        new Fault(
            name.key(),
            "is no setting of a "
                + (resource ? "resource" : "location")
                + "; perhaps "
                + nearest(
                    name.setting(), Settings.of(name.scope()).stream().map(Setting::name).toList())
                + " is meant, or remove it"));
  }

  /** The candidate that takes the fewest edits to become {@code name}. */
  static String nearest(String name, Collection<String> candidates) {
    return candidates.stream()
        .min(
            Comparator.<String>comparingInt(candidate -> distance(name, candidate))
                .thenComparing(Comparator.naturalOrder()))
        .orElseThrow();
  }

  private static int distance(String from, String to) {
    int[] row = new int[to.length() + 1];
    for (int j = 0; j <= to.length(); j++) {
      row[j] = j;
    }
    for (int i = 1; i <= from.length(); i++) {
      int diagonal = row[0];
      row[0] = i;
      for (int j = 1; j <= to.length(); j++) {
        int substituted = diagonal + (from.charAt(i - 1) == to.charAt(j - 1) ? 0 : 1);
        diagonal = row[j];
        row[j] = Math.min(substituted, Math.min(row[j], row[j - 1]) + 1);
      }
    }
    return row[to.length()];
  }
}
