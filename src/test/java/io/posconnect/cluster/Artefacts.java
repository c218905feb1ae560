package io.posconnect.cluster;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * What the build lays out for the cluster: class paths, plugins, the registry and our own archive.
 */
final class Artefacts {

  private static final Path TARGET = Path.of("target").toAbsolutePath();
  private static final Path CLUSTER = TARGET.resolve("cluster");

  private static final String CONVERTER_SERVICE =
      "META-INF/services/org.apache.kafka.connect.storage.Converter";

  private Artefacts() {}

  /** Class path of broker and worker. */
  static String kafka() {
    return there(CLUSTER.resolve("kafka")).resolve("*").toString();
  }

  static Path logging() {
    return there(CLUSTER.resolve("log4j2.xml"));
  }

  static Path registry() {
    return only(there(CLUSTER.resolve("registry")), "*-runner.jar");
  }

  /** The component archive, as users get it. */
  static Path archive() {
    return only(TARGET, "*-kafka-connect-pos-*.zip");
  }

  /**
   * A plugin path of the unzipped archive, the converter and what else is given, each apart from
   * the others.
   */
  static Path pluginPath(Path folder, List<Path> others) {
    try {
      Jars.unzip(archive(), folder);
      Path converter = Files.createDirectories(folder.resolve("converter"));
      Files.createSymbolicLink(
          converter.resolve("lib"), there(CLUSTER.resolve("plugins/converter")));
      // It ships no service file, and the worker discovers plugins by nothing else.
      Jars.write(
          converter.resolve("services.jar"),
          Map.of(),
          Map.of(CONVERTER_SERVICE, WorkerSettings.AVRO));
      for (Path other : others) {
        Files.createSymbolicLink(folder.resolve(other.getFileName()), other);
      }
      return folder;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Path only(Path folder, String pattern) {
    try (var found = Files.newDirectoryStream(folder, pattern)) {
      List<Path> files = new ArrayList<>();
      found.forEach(files::add);
      if (files.size() != 1) {
        throw missing(folder + "/" + pattern + " is " + files);
      }
      return files.get(0);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Path there(Path path) {
    if (!Files.exists(path)) {
      throw missing(path + " is missing");
    }
    return path;
  }

  private static IllegalStateException missing(String what) {
    return new IllegalStateException(
        what + ": run \"mvn verify -DskipTests\" once, from the project's folder");
  }
}
