package io.posconnect.tool;

import io.posconnect.resource.Catalog;
import java.util.HashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Stands in for the keys that are to be found, since no configuration is whole without. */
final class UnknownKey {

  /** A field of no service. */
  static final String FIELD = "the_key_to_find";

  private static final Pattern OF_RESOURCE =
      Pattern.compile("(?<resource>resources\\.(?<name>[^.]+)\\.).+");

  private UnknownKey() {}

  /** The configuration with a key for each resource that it describes without, and nothing else. */
  static ConnectorConfig in(ConnectorConfig config) {
    Map<String, String> given = config.given();
    Map<String, String> standIns = new HashMap<>();
    given.keySet().stream()
        .map(OF_RESOURCE::matcher)
        .filter(Matcher::matches)
        .filter(setting -> Catalog.find(setting.group("name")).isEmpty())
        .map(setting -> setting.group("resource"))
        .filter(resource -> !given.containsKey(resource + "key.fields"))
        .forEach(
            resource -> {
              String fields = given.getOrDefault(resource + "fields", "");
              String before = fields.isBlank() ? "" : fields + ",";
              standIns.put(resource + "fields", before + FIELD + ":string");
              standIns.put(resource + "key.fields", FIELD);
            });
    return config.with(standIns);
  }
}
