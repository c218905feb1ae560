package io.posconnect.config;

import io.posconnect.config.Setting.Scope;
import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The smallest configuration that is complete, and changes to it. */
public final class Props {

  private final Map<String, String> props = new TreeMap<>();

  private Props() {}

  /** One location named {@code default}. */
  public static Props one() {
    return new Props()
        .with("name", "pos")
        .with("base.url", "https://api.example.com")
        .with("api.key", "key-of-default")
        .with("topic.prefix", "pos");
  }

  /** Of a task that asks a service for one resource as often as it can. */
  public static Props hasty(URI service, String resource) {
    return one()
        .with("base.url", service.toString())
        .with("exactly.once.support", "required")
        .with("resources", resource)
        .with("resources." + resource + ".requests.per.minute", "60000")
        .with("resources.locations.requests.per.minute", "60000")
        .with("poll.interval.ms", "1")
        .with("retry.backoff.ms", "1")
        .with("retry.backoff.max.ms", "1")
        .with("checkpoint.interval.ms", "0");
  }

  /** Several locations, each with a key of its own. */
  public static Props several(String... locations) {
    Props props = one().without("api.key").with("locations", String.join(",", locations));
    for (String location : locations) {
      props.with("locations." + location + ".api.key", "key-of-" + location);
    }
    return props;
  }

  /**
   * One location, or those in brackets, with settings between spaces; one behind a minus is left
   * out: {@code [a,b] resources=products -topic.prefix}.
   */
  public static Props of(String settings) {
    Props props = one();
    for (String setting : settings.split(" ", -1)) {
      String[] parts = setting.split("=", 2);
      if (setting.startsWith("[")) {
        props = several(setting.substring(1, setting.length() - 1).split(",", -1));
      } else if (setting.startsWith("-")) {
        props.without(setting.substring(1));
      } else {
        props.with(parts[0], parts[1]);
      }
    }
    return props;
  }

  /** The names of the settings that a resource may have. */
  public static List<String> ofResources() {
    return names(Scope.RESOURCE);
  }

  /** The names of the settings that a location may have; of headers, a header's. */
  public static List<String> ofLocations() {
    return names(Scope.LOCATION);
  }

  private static List<String> names(Scope scope) {
    return Settings.of(scope).stream()
        .map(setting -> setting.isGroup() ? setting.name() + "X-A" : setting.name())
        .toList();
  }

  public Props with(String name, String value) {
    props.put(name, value);
    return this;
  }

  public Props without(String name) {
    props.remove(name);
    return this;
  }

  public Map<String, String> map() {
    return props;
  }

  public SourceConfig config() {
    return SourceConfig.checked(props);
  }
}
