package io.posconnect.tool;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.posconnect.config.Fault;
import io.posconnect.config.SourceConfig;
import io.posconnect.problem.Problem;
import io.posconnect.task.RecordContracts;
import io.posconnect.tool.Tool.UnreadableException;
import java.io.IOException;
import java.io.StringReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Properties;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.ConfigException;

/**
 * Reads a connector's configuration from the file that is posted to Connect, and writes it anew.
 * What is written has the references to secrets, never what they stand for.
 *
 * @param name in the JSON around the settings; empty where there is none
 * @param given each setting as the file has it
 * @param resolved each setting as a worker hands it to the connector
 */
record ConnectorConfig(
    Optional<String> name, Map<String, String> given, Map<String, String> resolved) {

  private static final long MOST_BYTES = 16 << 20;

  /** Where the examples of this project keep secrets. */
  private static final String SECRETS = "/etc/kafka-connect/secrets/pos.properties";

  /** How the service is reached, and what the worker trusts. */
  private static final Pattern OF_THE_WAY =
      Pattern.compile("(.*\\.)?api\\.password|proxy\\.url|ssl\\..*");

  static final ObjectMapper JSON =
      JsonMapper.builder().enable(JsonParser.Feature.STRICT_DUPLICATE_DETECTION).build();

  ConnectorConfig {
    given = new TreeMap<>(given);
    resolved = new TreeMap<>(resolved);
  }

  /**
   * Reads a file, whichever of the three forms it has.
   *
   * @param overrides settings that hold before the file's; an empty one removes the file's
   * @throws UnreadableException when it is no configuration, or a reference leads nowhere
   */
  static ConnectorConfig read(Path file, Map<String, String> overrides) {
    ConnectorConfig read = unresolved(file);
    return resolved(read.name(), overridden(read.given(), overrides));
  }

  /**
   * Reads a file for what does not depend on the service: its address and its keys are stood in
   * for, and references to them lead nowhere without harm.
   *
   * @throws UnreadableException when it is no configuration, or another reference leads nowhere
   */
  static ConnectorConfig withoutService(Path file, Map<String, String> overrides) {
    ConnectorConfig read = unresolved(file);
    Map<String, String> given = overridden(read.given(), overrides);
    given.keySet().removeIf(setting -> OF_THE_WAY.matcher(setting).matches());
    // No two locations may have the same.
    given.replaceAll((setting, value) -> setting.endsWith("api.key") ? "key of " + setting : value);
    given.replaceAll((s, v) -> s.endsWith("base.url") ? "https://service.invalid" : v);
    given.putIfAbsent("base.url", "https://service.invalid");
    return resolved(read.name(), given);
  }

  private static ConnectorConfig resolved(Optional<String> name, Map<String, String> given) {
    Map<String, String> resolved = new TreeMap<>(References.resolve(given));
    name.ifPresent(n -> resolved.putIfAbsent("name", n));
    return new ConnectorConfig(name, given, resolved);
  }

  private static Map<String, String> overridden(
      Map<String, String> given, Map<String, String> overrides) {
    Map<String, String> all = new TreeMap<>(given);
    overrides.forEach(
        (setting, value) -> {
          all.put(setting, value);
          if (value.isEmpty()) {
            all.remove(setting);
          }
        });
    return all;
  }

  /** Reads a file for what is no secret: its references stay as they are. */
  static ConnectorConfig unresolved(Path file) {
    String text = text(file);
    TreeMap<String, String> given = new TreeMap<>();
    Optional<String> name = Optional.empty();
    if (text.stripLeading().startsWith("{")) {
      JsonNode json = json(file, text);
      JsonNode wrapped = json.get("config");
      if (wrapped != null && wrapped.isObject()) {
        name = Optional.ofNullable(json.get("name")).map(JsonNode::asText);
        settings(file, wrapped, given);
      } else {
        settings(file, json, given);
      }
    } else {
      properties(file, text, given);
    }
    return new ConnectorConfig(name, given, given);
  }

  /** The same configuration with these settings; an empty value takes one away. */
  ConnectorConfig with(Map<String, String> changes) {
    Map<String, String> all = new TreeMap<>(given);
    Map<String, String> allResolved = new TreeMap<>(resolved);
    changes.forEach(
        (setting, value) -> {
          if (value.isEmpty()) {
            all.remove(setting);
            allResolved.remove(setting);
          } else {
            all.put(setting, value);
            allResolved.put(setting, value);
          }
        });
    return new ConnectorConfig(name, all, allResolved);
  }

  /**
   * The connector's own reading of it.
   *
   * @throws UnreadableException that has every fault
   */
  SourceConfig source() {
    try {
      SourceConfig source = SourceConfig.again(resolved);
      List<Fault> faults = RecordContracts.faults(source);
      if (!faults.isEmpty()) {
        throw new UnreadableException(
            faults.stream().map(Fault::message).collect(Collectors.joining("\n")));
      }
      return source;
    } catch (ConfigException e) {
      throw new UnreadableException(String.valueOf(e.getMessage()));
    }
  }

  /** What is to be shown nowhere. */
  List<String> secrets() {
    return secretSettings().stream()
        .map(resolved::get)
        .filter(Objects::nonNull)
        .flatMap(secret -> List.of(secret, secret.strip()).stream())
        .distinct()
        .toList();
  }

  private List<String> secretSettings() {
    return SourceConfig.definition(resolved).configKeys().values().stream()
        .filter(key -> key.type == ConfigDef.Type.PASSWORD)
        .map(key -> key.name)
        .toList();
  }

  /** Settings whose secret stands in the file itself, rather than a reference to it. */
  List<String> openSecrets() {
    return secretSettings().stream()
        .filter(setting -> !given.getOrDefault(setting, "").isEmpty())
        .filter(setting -> References.in(given.getOrDefault(setting, "")).isEmpty())
        .toList();
  }

  /**
   * The JSON to be posted, in the form in which it came. A secret of the file is replaced by a
   * reference to where it should stand.
   */
  String json() {
    ObjectNode settings = JSON.createObjectNode();
    List<String> open = openSecrets();
    given.forEach(
        (setting, value) ->
            settings.put(
                setting,
                open.contains(setting) ? "${file:" + SECRETS + ":" + setting + "}" : value));
    ObjectNode all = settings;
    if (name.isPresent()) {
      all = JSON.createObjectNode().put("name", name.get());
      all.set("config", settings);
    }
    return all.toPrettyString() + "\n";
  }

  /** JSON that a program wrote, as a person reads it. */
  static String pretty(String json) {
    try {
      return JSON.readTree(json).toPrettyString() + "\n";
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException("not JSON", e);
    }
  }

  private static String text(Path file) {
    try {
      if (!Files.isDirectory(file) && Files.exists(file) && Files.size(file) <= MOST_BYTES) {
        return Files.readString(file);
      }
    } catch (IOException e) {
      // Told below.
    }
    throw unreadable(file, "there is no readable file of text in UTF-8");
  }

  private static JsonNode json(Path file, String text) {
    try {
      JsonNode json = JSON.readTree(text);
      return json.isObject() ? json : JSON.createObjectNode();
    } catch (JsonProcessingException e) {
      // Its message would quote the file, and there may be a secret.
      int line = e.getLocation() == null ? 0 : e.getLocation().getLineNr();
      throw unreadable(file, "it is no JSON, or has a name twice, at line " + line);
    }
  }

  private static void settings(Path file, JsonNode json, Map<String, String> given) {
    json.properties()
        .forEach(
            field -> {
              if (field.getValue().isContainerNode()) {
                throw unreadable(file, "the value of " + field.getKey() + " is no text");
              }
              if (!field.getValue().isNull()) {
                given.put(field.getKey(), field.getValue().asText());
              }
            });
  }

  private static void properties(Path file, String text, Map<String, String> given) {
    Properties properties = new Properties();
    try {
      properties.load(new StringReader(text));
    } catch (IOException | IllegalArgumentException e) {
      throw unreadable(file, "it is neither JSON nor properties");
    }
    properties.stringPropertyNames().forEach(key -> given.put(key, properties.getProperty(key)));
  }

  private static UnreadableException unreadable(Path file, String detail) {
    return new UnreadableException(Problem.CONFIGURATION_UNREADABLE.at(file.toString(), detail));
  }
}
