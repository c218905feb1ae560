package io.posconnect.docs;

import io.posconnect.Io;
import io.posconnect.StrictFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Reads the files under {@code config} strictly: no duplicates and no unknown fields. */
final class ProductionFiles {

  static final Path CONFIG = Path.of("config");
  static final Path STRIMZI = CONFIG.resolve("strimzi");

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
}
