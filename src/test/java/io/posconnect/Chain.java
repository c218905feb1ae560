package io.posconnect;

import io.posconnect.simulator.SimulatedLocation;
import io.posconnect.simulator.Simulator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Several stores of one simulated service, and the settings of a connector that reads them. */
record Chain(Simulator service, List<String> locations) {

  static Chain of(Simulator service, int stores) {
    return new Chain(
        service,
        IntStream.range(0, stores).mapToObj("store%03d"::formatted).collect(Collectors.toList()));
  }

  static String key(String location) {
    return "key-of-" + location;
  }

  SimulatedLocation location(String location) {
    return service.location(key(location));
  }

  /** Reads the given resources every {@code interval} milliseconds, and is allowed to. */
  Map<String, String> settings(int interval, String... resources) {
    Map<String, String> settings = new TreeMap<>();
    settings.put("name", "chain");
    settings.put("connector.class", PosSourceConnector.class.getName());
    settings.put("exactly.once.support", "required");
    settings.put("base.url", service.baseUrl().toString());
    settings.put("topic.prefix", "chain");
    settings.put("locations", String.join(",", locations));
    settings.put("start.from", service.now().minusSeconds(3_600).toString());
    settings.put("checkpoint.interval.ms", "500");
    settings.put("retry.backoff.ms", "100");
    settings.put("retry.backoff.max.ms", "1000");
    settings.put("resources", String.join(",", resources));
    locations.forEach(name -> settings.put("locations." + name + ".api.key", key(name)));
    for (String resource : resources) {
      settings.put("resources." + resource + ".requests.per.minute", "6000");
      settings.put("resources." + resource + ".poll.interval.ms", Integer.toString(interval));
    }
    return settings;
  }
}
