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
import org.apache.avro.Schema;

/**
 * The configuration with which discovery begins: the given one, with the schemas and keys of an
 * earlier result.
 *
 * @param config the same, with a key for every resource that has none yet
 * @param keyless resources whose key is to be found
 */
record DiscoveryBase(ConnectorConfig given, ConnectorConfig config, Set<String> keyless) {

  private static final String PREFIX = "resources.";
  private static final String KEY_FIELDS = ".key.fields";
  private static final String FIELDS = ".fields";
  private static final Pattern OF_RESOURCE =
      Pattern.compile("resources\\.(?<name>[^.]+)(?<setting>\\..+)");

  /** A field of no service stands in until the key is found. */
  private static final String UNKNOWN_KEY = "the_key_to_find";

  static DiscoveryBase of(ConnectorConfig given, Optional<Path> compare, List<String> resources) {
    ConnectorConfig config =
        compare.map(file -> given.with(earlier(given, file, resources))).orElse(given);
    Set<String> keyless = keyless(config);
    Map<String, String> standIns = new HashMap<>();
    for (String name : keyless) {
      standIns.put(PREFIX + name + KEY_FIELDS, UNKNOWN_KEY);
      String fields = config.given().getOrDefault(PREFIX + name + FIELDS, "");
      standIns.put(
          PREFIX + name + FIELDS, (fields.isBlank() ? "" : fields + ",") + UNKNOWN_KEY + ":string");
    }
    return new DiscoveryBase(config, config.with(standIns), keyless);
  }

  /** A declared schema without the field that only stands in. */
  static Schema withoutStandIn(DeclaredFields declared) {
    return declared.with(
        declared.record().getFields().stream()
            .filter(field -> !field.name().equals(UNKNOWN_KEY))
            .toList());
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
        case FIELDS -> settings.put(setting, value);
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
