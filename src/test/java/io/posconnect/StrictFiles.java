package io.posconnect;

import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads the files that we hand out more strictly than their programs do: nothing stands twice. */
public final class StrictFiles {

  public static final ObjectMapper YAML =
      YAMLMapper.builder().enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION).build();
  private static final ObjectMapper JSON =
      JsonMapper.builder().enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION).build();

  private static final Pattern LINE = Pattern.compile("([a-z0-9.-]+)=(\\S(?:.*\\S)?)");

  private StrictFiles() {}

  public static JsonNode yaml(Path file) throws IOException {
    return yaml(Files.readString(file));
  }

  public static JsonNode yaml(String text) throws IOException {
    return YAML.readTree(text);
  }

  public static JsonNode json(Path file) throws IOException {
    return JSON.readTree(Files.readString(file));
  }

  /** The settings of a configuration in JSON or YAML. */
  public static Map<String, String> settings(JsonNode config) {
    Map<String, String> settings = new LinkedHashMap<>();
    config.properties().forEach(entry -> settings.put(entry.getKey(), entry.getValue().asText()));
    return settings;
  }

  /** Reads a properties file in which every line is a comment, empty, or one property. */
  public static Map<String, String> properties(Path file) throws IOException {
    Map<String, String> properties = new LinkedHashMap<>();
    for (String line : Files.readAllLines(file, StandardCharsets.UTF_8)) {
      if (line.isEmpty() || line.startsWith("#")) {
        continue;
      }
      Matcher property = LINE.matcher(line);
      if (!property.matches() || properties.put(property.group(1), property.group(2)) != null) {
        throw new IllegalArgumentException(file + ": " + line);
      }
    }
    return properties;
  }
}
