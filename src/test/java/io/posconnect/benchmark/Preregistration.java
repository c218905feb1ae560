package io.posconnect.benchmark;

import io.posconnect.cluster.Cluster;
import io.posconnect.cluster.Registry;
import java.util.EnumMap;
import java.util.Map;

/**
 * Spares the converters of all but a contestant's first connector the search for their schemas'
 * text: the schemas that the first one's converters registered are registered for the next one's
 * topics, before it starts.
 */
final class Preregistration {

  private final Cluster cluster;
  private final Map<Contestant, String> first = new EnumMap<>(Contestant.class);

  Preregistration(Cluster cluster) {
    this.cluster = cluster;
  }

  /** The settings of the next connector's converters; none for the first one. */
  Map<String, String> prepare(Contestant contestant, String connector) {
    String registered = first.putIfAbsent(contestant, connector);
    if (registered == null) {
      return Map.of();
    }
    Registry registry = cluster.registry();
    for (String subject : registry.subjects()) {
      if (subject.startsWith(registered + ".")) {
        String own = connector + subject.substring(registered.length());
        registry.register(own, registry.latest(subject));
      }
    }
    if (contestant.isOurs()) {
      // A converter registers a schema once, and this key is that of status records.
      registry.register(
          connector + ".checkpoints-key", registry.latest(registered + ".status-key"));
    }
    return cluster.preregisteredConverters();
  }
}
