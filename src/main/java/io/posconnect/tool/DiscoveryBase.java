package io.posconnect.tool;

import io.posconnect.config.SourceConfig;
import io.posconnect.resource.Catalog;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * The configuration with which discovery begins: the given one, with the schemas and keys of an
 * earlier result, and a key for every resource that has none yet.
 *
 * @param keyless resources whose key is to be found
 */
record DiscoveryBase(ConnectorConfig config, Set<String> keyless) {

  private static final String PREFIX = "resources.";
  private static final String KEY_FIELDS = ".key.fields";
  private static final Pattern OF_RESOURCE =
      Pattern.compile("resources\\.(?<name>[^.]+)(?<setting>\\..+)");

  /** Stands in until the key is found. */
  private static final String UNKNOWN_KEY = "id";

  static DiscoveryBase of(ConnectorConfig given, Optional<Path> compare, List<String> resources) {
    ConnectorConfig config =
        compare.map(file -> given.with(earlier(given, file, resources))).orElse(given);
    Set<String> keyless = keyless(config);
    Map<String, String> keys = new HashMap<>();
    keyless.forEach(name -> keys.put(PREFIX + name + KEY_FIELDS, UNKNOWN_KEY));
    return new DiscoveryBase(config.with(keys), keyless);
  }

  /** The configuration with what was discovered, and no key that only stood in. */
  ConnectorConfig with(Map<String, String> discovered) {
    Map<String, String> settings = new HashMap<>();
    keyless.forEach(name -> settings.put(PREFIX + name + KEY_FIELDS, ""));
    settings.putAll(discovered);
    return config.with(settings);
  }

  /** Resources that the configuration describes and the catalog lacks, without a key. */
  private static Set<String> keyless(ConnectorConfig config) {
    return config.given().keySet().stream()
        .map(OF_RESOURCE::matcher)
        .filter(Matcher::matches)
        .map(setting -> setting.group("name"))
        .filter(name -> Catalog.find(name).isEmpty())
        .filter(name -> !config.given().containsKey(PREFIX + name + KEY_FIELDS))
        .collect(Collectors.toSet());
  }

  /** The settings that put the contracts of an earlier result in place of the given ones. */
  private static Map<String, String> earlier(
      ConnectorConfig given, Path file, List<String> resources) {
    Map<String, String> settings = new HashMap<>();
    if (!file.toString().endsWith(".avsc")) {
      Map<String, String> earlier = ConnectorConfig.read(file).given();
      earlier.forEach((setting, value) -> addEarlier(setting, value, given, settings));
    } else if (resources.size() == 1) {
      settings.putAll(SourceConfig.declaring(resources.get(0), ConnectorConfig.text(file)));
    } else {
      throw ExitCode.UNREADABLE.because(
          "--compare " + file + ": name the one resource of this schema with --resource");
    }
    return settings;
  }

  private static void addEarlier(
      String setting, String value, ConnectorConfig given, Map<String, String> settings) {
    Matcher ofResource = OF_RESOURCE.matcher(setting);
    if (ofResource.matches()) {
      String resource = ofResource.group("name");
      switch (ofResource.group("setting")) {
        // It comes before a schema, which takes the place of the given fields alone.
        case ".fields" -> settings.put(setting, value);
        case ".schema" -> SourceConfig.declaring(resource, value).forEach(settings::putIfAbsent);
        case ".schema.file" ->
            SourceConfig.declaring(resource, ConnectorConfig.text(Path.of(value)))
                .forEach(settings::putIfAbsent);
        case KEY_FIELDS -> settings.put(setting, given.given().getOrDefault(setting, value));
        default -> {}
      }
    }
  }
}
