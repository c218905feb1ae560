package io.posconnect.tool;

import io.posconnect.resource.Catalog;
import io.posconnect.tool.Tool.UnreadableException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The configuration with which discovery begins: the given one, with the schemas and keys of an
 * earlier result, and a key for every resource that has none yet.
 *
 * @param keyless resources whose key is to be found
 */
record DiscoveryBase(ConnectorConfig config, Set<String> keyless) {

  private static final String PREFIX = "resources.";
  private static final String SCHEMA = ".schema";
  private static final String SCHEMA_FILE = ".schema.file";
  private static final String KEY_FIELDS = ".key.fields";

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
    Set<String> names = new HashSet<>();
    for (String setting : config.given().keySet()) {
      String[] parts = setting.split("\\.", 3);
      if (parts.length == 3 && setting.startsWith(PREFIX) && Catalog.find(parts[1]).isEmpty()) {
        names.add(parts[1]);
      }
    }
    names.removeIf(name -> config.given().containsKey(PREFIX + name + KEY_FIELDS));
    return names;
  }

  /** The settings that put the contracts of an earlier result in place of the given ones. */
  private static Map<String, String> earlier(
      ConnectorConfig given, Path file, List<String> resources) {
    Map<String, String> settings = new HashMap<>();
    if (file.toString().endsWith(".avsc")) {
      if (resources.size() != 1) {
        throw new UnreadableException(
            "--compare " + file + ": name the one resource of this schema with --resource");
      }
      addContract(resources.get(0), text(file), settings);
      return settings;
    }
    ConnectorConfig.unresolved(file)
        .given()
        .forEach(
            (setting, value) -> {
              if (!setting.startsWith(PREFIX)) {
                return;
              }
              String name = setting.split("\\.", -1)[1];
              if (setting.equals(PREFIX + name + SCHEMA)) {
                addContract(name, value, settings);
              } else if (setting.equals(PREFIX + name + SCHEMA_FILE)) {
                addContract(name, text(Path.of(value)), settings);
              } else if (setting.equals(PREFIX + name + KEY_FIELDS)
                  && !given.given().containsKey(setting)) {
                settings.put(setting, value);
              }
            });
    return settings;
  }

  private static void addContract(String resource, String schema, Map<String, String> settings) {
    settings.put(PREFIX + resource + SCHEMA, schema);
    settings.put(PREFIX + resource + SCHEMA_FILE, "");
    settings.put(PREFIX + resource + ".fields", "");
  }

  private static String text(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new UnreadableException("the schema " + file + " cannot be read");
    }
  }
}
