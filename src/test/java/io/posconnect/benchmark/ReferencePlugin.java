package io.posconnect.benchmark;

import com.fasterxml.jackson.core.JsonFactory;
import io.posconnect.Io;
import io.posconnect.benchmark.reference.ReferenceConnector;
import io.posconnect.cluster.Artefacts;
import java.io.IOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Map;

/** Packs the reference as a plugin: its classes and the parser. */
final class ReferencePlugin {

  private ReferencePlugin() {}

  static Path write(Path folder) throws IOException {
    Files.createDirectories(folder);
    Path parser = location(JsonFactory.class);
    Files.copy(parser, folder.resolve("parser.jar"), StandardCopyOption.REPLACE_EXISTING);
    Artefacts.write(folder.resolve("reference.jar"), Map.of(), classes());
    return folder;
  }

  private static Class<?>[] classes() {
    String room = ReferenceConnector.class.getPackageName();
    Path root = location(ReferenceConnector.class);
    return Io.names(root.resolve(room.replace('.', '/'))).stream()
        .filter(file -> file.endsWith(".class"))
        .map(file -> room + "." + file.replace(".class", ""))
        .map(ReferencePlugin::named)
        .toArray(Class<?>[]::new);
  }

  private static Class<?> named(String name) {
    try {
      return Class.forName(name, false, ReferencePlugin.class.getClassLoader());
    } catch (ClassNotFoundException e) {
      throw new IllegalStateException(e);
    }
  }

  private static Path location(Class<?> type) {
    try {
      URI location = type.getProtectionDomain().getCodeSource().getLocation().toURI();
      return Path.of(location);
    } catch (URISyntaxException e) {
      throw new IllegalStateException(e);
    }
  }
}
