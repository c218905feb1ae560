package io.posconnect.tool;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.posconnect.config.SourceConfig;
import io.posconnect.problem.Incident;
import io.posconnect.problem.Problem;
import io.posconnect.problem.Text;
import io.posconnect.task.RecordContracts;
import java.io.IOException;
import java.io.InputStream;
import java.io.StringReader;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.common.utils.Utils;

/**
 * A connector's configuration as the file has it that is posted to Connect. References to secrets
 * are written as references, never as what they stand for.
 *
 * @param around what stands beside the settings in the JSON around them; empty where there is none
 * @param given each setting as the file has it
 */
record ConnectorConfig(Map<String, String> around, Map<String, String> given) {

  private static final String NAME = "name";

  /** What Connect takes beside the settings; what it prints there besides, it does not take. */
  private static final List<String> AROUND = List.of(NAME, "initial_state");

  private static final int MOST_BYTES = 16 << 20;

  /** Where the examples of this project keep secrets. */
  private static final String SECRETS = "/etc/kafka-connect/secrets/pos.properties";

  /** What converters, transforms and Kafka's clients call their secrets. */
  private static final Pattern SECRET_NAME =
      Pattern.compile(
          ".*(password|secret|token|user\\.info|jaas\\.config|keystore\\.key)",
          Pattern.CASE_INSENSITIVE);

  /** An address with a user and a password. */
  private static final Pattern SECRET_ADDRESS = Pattern.compile("[a-z]+://[^/@]*:[^/@]*@.*");

  /** A line of properties: empty, a comment, or name=value. */
  private static final Pattern PROPERTY = Pattern.compile("\\s*([#!].*|[^\\s=:]+\\s*=.*)?");

  static final ObjectMapper JSON =
      JsonMapper.builder()
          .enable(JsonParser.Feature.STRICT_DUPLICATE_DETECTION)
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .enable(SerializationFeature.WRITE_ENUMS_USING_TO_STRING)
          .build();

  ConnectorConfig {
    given = new TreeMap<>(given);
  }

  /**
   * Reads a file in any of the three forms.
   *
   * @throws EndedException when it is no configuration
   */
  static ConnectorConfig read(Path file) {
    String text = text(file);
    boolean json = text.strip().matches("(?s)[\\[{\"].*|null");
    ConnectorConfig read = json ? ofJson(file, text) : ofProperties(file, text);
    if (read.given().isEmpty()) {
      throw unreadable(file, "it has no settings");
    }
    return read;
  }

  /** The name around the settings, if there is one. */
  Optional<String> name() {
    return Optional.ofNullable(around.get(NAME));
  }

  /**
   * Each setting as the connector receives it from a worker.
   *
   * @throws EndedException when a reference cannot be resolved
   */
  Map<String, String> resolved() {
    Map<String, String> settings = new TreeMap<>(References.resolve(given));
    name().ifPresent(value -> settings.putIfAbsent(NAME, value));
    return settings;
  }

  /** The same configuration with these settings; an empty value removes one. */
  ConnectorConfig with(Map<String, String> changes) {
    Map<String, String> changed = new TreeMap<>(given);
    changed.putAll(changes);
    changes.keySet().forEach(setting -> changed.remove(setting, ""));
    return new ConnectorConfig(around, changed);
  }

  /**
   * The connector's own reading of it.
   *
   * @throws EndedException that has every fault
   */
  SourceConfig source() {
    try {
      SourceConfig source = SourceConfig.checked(resolved());
      List<Incident> faults = RecordContracts.faults(source);
      if (!faults.isEmpty()) {
        throw ExitCode.FOUND.because(Tool.lines(faults));
      }
      return source;
    } catch (ConfigException e) {
      throw ExitCode.FOUND.because(String.valueOf(e.getMessage()));
    }
  }

  /** The values that must never be shown. */
  List<String> secrets() {
    return hidden(resolved(), SourceConfig.definition(given));
  }

  /** The secrets of settings, and those within: user:password of an address, and the password. */
  static List<String> hidden(Map<String, String> given, ConfigDef known) {
    return secrets(given, known)
        .map(Map.Entry::getValue)
        .flatMap(
            secret -> {
              String pair = secret.replaceFirst("^[a-z]+://([^@]*)@.*", "$1");
              String password = pair.substring(pair.indexOf(':') + 1);
              return Stream.of(secret, secret.strip(), pair, password);
            })
        .distinct()
        .toList();
  }

  /** The settings that hold a secret, with it; those that are not known by their names. */
  static Stream<Map.Entry<String, String>> secrets(Map<String, String> given, ConfigDef known) {
    return given.entrySet().stream()
        .filter(
            each ->
                Optional.ofNullable(known.configKeys().get(each.getKey()))
                    .map(key -> key.type == ConfigDef.Type.PASSWORD)
                    .orElseGet(
                        () ->
                            SECRET_NAME.matcher(each.getKey()).matches()
                                || SECRET_ADDRESS.matcher(each.getValue()).matches()));
  }

  /** Settings whose secret stands in the file itself, rather than a reference to it. */
  List<String> openSecrets() {
    return secrets(given, SourceConfig.definition(given))
        .filter(secret -> References.in(secret.getValue()).isEmpty())
        .map(Map.Entry::getKey)
        .toList();
  }

  /**
   * The JSON to be posted, in the form in which it came. A secret in the file is replaced by a
   * reference to where it should stand.
   */
  String json() {
    ObjectNode settings = JSON.valueToTree(given);
    for (String setting : openSecrets()) {
      settings.put(setting, "${file:" + SECRETS + ":" + setting + "}");
    }
    ObjectNode all = JSON.valueToTree(around);
    all.set("config", settings);
    return (around.isEmpty() ? settings : all).toPrettyString() + "\n";
  }

  /**
   * The text of a file, without the mark that some editors put before it.
   *
   * @throws EndedException when it cannot be read
   */
  private static String text(Path file) {
    try (InputStream bytes = Files.newInputStream(file)) {
      // A device has no end, and a pipe no size.
      byte[] read = bytes.readNBytes(MOST_BYTES + 1);
      if (read.length <= MOST_BYTES) {
        return Text.unmarked(
            StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(read)).toString());
      }
    } catch (IOException e) {
      // Reported below; a folder can be opened, but not read.
    }
    throw unreadable(file, "there is no readable file of text in UTF-8 of at most 16 MiB");
  }

  private static ConnectorConfig ofJson(Path file, String text) {
    try {
      JsonNode json = JSON.readTree(text);
      if (!json.isObject()) {
        throw unreadable(file, "it is JSON, but no object");
      }
      JsonNode config = json.path("config");
      return config.isObject()
          ? new ConnectorConfig(
              settings(file, ((ObjectNode) json).retain(AROUND)), settings(file, config))
          : new ConnectorConfig(Map.of(), settings(file, json));
    } catch (JsonProcessingException e) {
      // Its message would quote the file, which may hold a secret.
      int line = e.getLocation() == null ? 0 : e.getLocation().getLineNr();
      throw unreadable(file, "it is no JSON, or has a name twice, at line " + line);
    }
  }

  private static Map<String, String> settings(Path file, JsonNode json) {
    Map<String, String> given = new LinkedHashMap<>();
    for (Map.Entry<String, JsonNode> field : json.properties()) {
      if (field.getValue().isContainerNode() || field.getValue().isNull()) {
        throw unreadable(
            file, "Connect takes no null, list or object as the value of " + field.getKey());
      }
      given.put(field.getKey(), field.getValue().asText());
    }
    return given;
  }

  private static ConnectorConfig ofProperties(Path file, String text) {
    boolean continued = false;
    int number = 0;
    for (String line : text.lines().toList()) {
      number++;
      if (!continued && !PROPERTY.matcher(line).matches()) {
        throw unreadable(file, "line " + number + " is not name=value; YAML is not supported");
      }
      continued = line.endsWith("\\");
    }
    Properties properties = new Properties();
    try {
      properties.load(new StringReader(text));
    } catch (IOException | IllegalArgumentException e) {
      throw unreadable(file, "it is neither JSON nor properties");
    }
    return new ConnectorConfig(Map.of(), Utils.propsToStringMap(properties));
  }

  private static EndedException unreadable(Path file, String detail) {
    return ExitCode.UNREADABLE.because(
        Problem.CONFIGURATION_UNREADABLE.at(file.toString(), detail));
  }
}
