package io.posconnect.tool;

import io.posconnect.config.SourceConfig;
import io.posconnect.record.DeclaredSchemas;
import io.posconnect.resource.Stream;
import io.posconnect.task.RecordContracts;
import io.posconnect.tool.Tool.UnreadableException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.kafka.common.config.ConfigValue;

/**
 * Knows what each resource is declared as before anything is discovered: by an earlier result, by
 * the configuration, or by the interface.
 *
 * @param config with a key for every resource, be it only for the time of reading
 * @param earlier schemas of an earlier result, by resource
 * @param keyless resources whose key nobody has named yet
 */
record Contracts(ConnectorConfig config, Map<String, String> earlier, List<String> keyless) {

  /** Stands where a resource's key will be found. */
  private static final String UNKNOWN_KEY = "id";

  private static final Pattern KEY_MISSING =
      Pattern.compile("resources\\.(?<name>.+)\\.key\\.fields");

  static Contracts of(ConnectorConfig config, Optional<Path> compare, List<String> resources) {
    Map<String, String> earlier = compare.map(file -> earlier(file, resources)).orElseGet(Map::of);
    List<String> keyless = keyless(config);
    Map<String, String> keys = new HashMap<>();
    keyless.forEach(name -> keys.put("resources." + name + ".key.fields", UNKNOWN_KEY));
    return new Contracts(config.with(keys), earlier, keyless);
  }

  /** Resources that would be in order if only they had a key. */
  private static List<String> keyless(ConnectorConfig config) {
    return SourceConfig.validate(config.resolved(), c -> List.of(), c -> List.of())
        .configValues()
        .stream()
        .filter(value -> value.errorMessages().stream().anyMatch(m -> m.startsWith("POS-104 ")))
        .map(ConfigValue::name)
        .map(KEY_MISSING::matcher)
        .filter(Matcher::matches)
        .map(name -> name.group("name"))
        .toList();
  }

  private static Map<String, String> earlier(Path file, List<String> resources) {
    if (file.toString().endsWith(".avsc")) {
      if (resources.size() != 1) {
        throw new UnreadableException(
            "--compare " + file + ": name the resource that this schema is of with --resource");
      }
      return Map.of(resources.get(0), text(file));
    }
    ConnectorConfig before = ConnectorConfig.unresolved(file);
    Map<String, String> schemas = new HashMap<>();
    before
        .given()
        .forEach(
            (setting, value) -> {
              String[] parts = setting.split("\\.", -1);
              if (parts.length == 3 && parts[0].equals("resources") && parts[2].equals("schema")) {
                schemas.put(parts[1], value);
              } else if (setting.matches("resources\\.[^.]+\\.schema\\.file")) {
                schemas.put(parts[1], text(Path.of(value)));
              }
            });
    return schemas;
  }

  private static String text(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new UnreadableException("the schema " + file + " cannot be read");
    }
  }

  /**
   * What is to be found out about a resource.
   *
   * @param typeKeys whether the key of a resource without a schema may get another type than text
   */
  Discovery discovery(SourceConfig config, String resource, boolean micros, boolean typeKeys) {
    Stream stream =
        config.streams().stream()
            .filter(s -> s.resource().equals(resource))
            .findFirst()
            .orElseThrow();
    boolean keyKnown = !keyless.contains(resource);
    String avro =
        Optional.ofNullable(earlier.get(resource))
            .orElseGet(
                () ->
                    keyKnown && !(typeKeys && isUndeclared(config, resource))
                        ? RecordContracts.declared(config, stream).toString()
                        : nothing(resource));
    return new Discovery(
        this, config, stream, DeclaredFields.parse(resource, avro), keyKnown, micros);
  }

  private static boolean isUndeclared(SourceConfig config, String resource) {
    return config.schema(resource).isEmpty() && DeclaredSchemas.builtIn(resource).isEmpty();
  }

  /** A contract without fields, named after the resource. */
  private static String nothing(String resource) {
    StringBuilder name = new StringBuilder();
    for (String word : resource.split("[^A-Za-z0-9]+", -1)) {
      if (!word.isEmpty()) {
        name.append(Character.toUpperCase(word.charAt(0))).append(word.substring(1));
      }
    }
    if (name.isEmpty() || Character.isDigit(name.charAt(0))) {
      name.insert(0, "R");
    }
    return "{\"type\":\"record\",\"name\":\"" + name + "\",\"fields\":[]}";
  }
}
