package io.posconnect.tool;

import io.posconnect.resource.Catalog;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * The configuration with which discovery begins.
 *
 * @param config the same, with a key for every resource that has none yet
 * @param keyless resources whose key is to be found
 */
record DiscoveryBase(ConnectorConfig given, ConnectorConfig config, Set<String> keyless) {

  private static final String KEY_FIELDS = "resources.%s.key.fields";
  private static final String FIELDS = "resources.%s.fields";
  private static final Pattern OF_RESOURCE = Pattern.compile("resources\\.([^.]+)\\..+");

  /** A field of no service stands in until the key is found. */
  private static final String UNKNOWN_KEY = "the_key_to_find";

  static DiscoveryBase of(ConnectorConfig given) {
    Set<String> keyless = keyless(given.given());
    Map<String, String> standIns = new HashMap<>();
    for (String name : keyless) {
      String setting = FIELDS.formatted(name);
      String fields = given.given().getOrDefault(setting, "");
      standIns.put(setting, (fields.isBlank() ? "" : fields + ",") + UNKNOWN_KEY + ":string");
      standIns.put(KEY_FIELDS.formatted(name), UNKNOWN_KEY);
    }
    return new DiscoveryBase(given, given.with(standIns), keyless);
  }

  /** A declared schema without the field that only stands in. */
  static DeclaredFields withoutStandIn(DeclaredFields declared) {
    return declared.with(
        declared.record().getFields().stream()
            .filter(field -> !field.name().equals(UNKNOWN_KEY))
            .toList());
  }

  /** Resources that the configuration describes and the catalog lacks, without a key. */
  private static Set<String> keyless(Map<String, String> given) {
    return given.keySet().stream()
        .map(OF_RESOURCE::matcher)
        .filter(Matcher::matches)
        .map(setting -> setting.group(1))
        .filter(name -> Catalog.find(name).isEmpty())
        .filter(name -> !given.containsKey(KEY_FIELDS.formatted(name)))
        .collect(Collectors.toSet());
  }
}
