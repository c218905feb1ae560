package io.posconnect.docs;

import com.fasterxml.jackson.databind.JsonNode;
import io.posconnect.Io;
import io.posconnect.StrictFiles;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads the files under {@code config} strictly: no duplicates and no unknown fields. */
final class ProductionFiles {

  static final Path CONFIG = Path.of("config");
  static final Path STRIMZI = CONFIG.resolve("strimzi");

  private static final Pattern LINE = Pattern.compile("([a-z0-9.-]+)=(\\S(?:.*\\S)?)");

  private ProductionFiles() {}

  /** The connector configurations, in the form that is posted to a worker. */
  static List<Path> connectors() {
    return Io.list(CONFIG).stream().filter(file -> file.toString().endsWith(".json")).toList();
  }

  static <T> T yaml(Path file, Class<T> type) throws IOException {
    return yaml(Files.readString(file), type);
  }

  static <T> T yaml(String text, Class<T> type) throws IOException {
    return StrictFiles.YAML.readValue(text, type);
  }

  static Map<String, String> settings(JsonNode config) {
    Map<String, String> settings = new LinkedHashMap<>();
    config.properties().forEach(entry -> settings.put(entry.getKey(), entry.getValue().asText()));
    return settings;
  }

  /** Reads a properties file in which every line is a comment, empty, or one property. */
  static Map<String, String> properties(Path file) throws IOException {
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
