package io.posconnect.cluster;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.jar.Attributes;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;
import org.apache.kafka.connect.storage.Converter;

/** Files that the build lays out for the cluster: class paths, plugins, registry and archive. */
public final class Artefacts {

  private static final Path TARGET = Path.of("target").toAbsolutePath();
  private static final Path CLUSTER = TARGET.resolve("cluster");
  private static final String CONVERTER = "apicurio-converter";

  private Artefacts() {}

  /** The jars of broker and worker. */
  static Path kafka() {
    return there(CLUSTER.resolve("kafka"));
  }

  /** One of them. */
  static Path kafka(String library) {
    return only(kafka(), library + "-*.jar");
  }

  /** A folder of jars for each version of a worker; only the profile {@code versions} has them. */
  static Path workers() {
    return there(CLUSTER.resolve("workers"));
  }

  /** The jars of a consumer that others wrote; only {@code -Dexcluded.groups=none} fetches them. */
  public static Path consumer(String name) {
    return there(CLUSTER.resolve("consumers").resolve(name));
  }

  static Path logging(String file) {
    return there(CLUSTER.resolve(file));
  }

  static Path registry() {
    return only(there(CLUSTER.resolve("registry")), "*-runner.jar");
  }

  /** The jar of the command line tool, as users get it. */
  public static Path tool() {
    return only(TARGET, "*-tool.jar");
  }

  /** The component archive, as users get it. */
  static Path archive() {
    return only(TARGET, "*-kafka-connect-pos-*.zip");
  }

  /** The converter as it is published, laid out by the command of the pages. */
  public static Path converter() {
    return there(CLUSTER.resolve("plugins/converter"));
  }

  /** A plugin path of the unzipped archive, the converter and others, each in its own folder. */
  static Path pluginPath(Path folder, List<Path> others) {
    try {
      unzip(archive(), folder);
      for (Path other : others) {
        Files.createSymbolicLink(folder.resolve(other.getFileName()), other.toAbsolutePath());
      }
      Files.createSymbolicLink(folder.resolve(CONVERTER), converter());
      return folder;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * Adds to a plugin path what the published converter lacks, the file that names it: a worker that
   * need not look into every class starts in half the time.
   */
  static void describeConverter(Path pluginPath, String converter) {
    Path folder = pluginPath.resolve(CONVERTER);
    try (Stream<Path> jars = Files.list(converter())) {
      Files.delete(folder);
      Files.createDirectory(folder);
      for (Path jar : jars.toList()) {
        Files.createSymbolicLink(folder.resolve(jar.getFileName()), jar);
      }
      try (JarOutputStream out =
          new JarOutputStream(Files.newOutputStream(folder.resolve("described.jar")))) {
        out.putNextEntry(new ZipEntry("META-INF/services/" + Converter.class.getName()));
        out.write(converter.getBytes(UTF_8));
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * Removes the folder of our archive from a plugin path, whatever its version, and unzips another.
   */
  static void replaceConnector(Path folder, Path archive) {
    try {
      RunFolders.delete(only(folder, "*-kafka-connect-pos-*"));
      unzip(archive, folder);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static Path only(Path folder, String pattern) {
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

  /** A jar with those classes and those attributes in its manifest. */
  public static Path write(Path jar, Map<String, String> attributes, Class<?>... classes)
      throws IOException {
    Manifest manifest = new Manifest();
    manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
    attributes.forEach((name, value) -> manifest.getMainAttributes().putValue(name, value));
    Files.createDirectories(jar.toAbsolutePath().getParent());
    try (JarOutputStream out = new JarOutputStream(Files.newOutputStream(jar), manifest)) {
      for (Class<?> type : classes) {
        String entry = type.getName().replace('.', '/') + ".class";
        out.putNextEntry(new ZipEntry(entry));
        try (InputStream in = type.getClassLoader().getResourceAsStream(entry)) {
          if (in == null) {
            throw new IOException("no class file of " + type);
          }
          in.transferTo(out);
        }
      }
    }
    return jar;
  }

  static void unzip(Path zip, Path into) throws IOException {
    try (ZipInputStream in = new ZipInputStream(Files.newInputStream(zip))) {
      for (ZipEntry entry = in.getNextEntry(); entry != null; entry = in.getNextEntry()) {
        Path target = into.resolve(entry.getName()).normalize();
        if (!target.startsWith(into)) {
          throw new IOException("entry leaves the folder: " + entry.getName());
        }
        if (entry.isDirectory()) {
          Files.createDirectories(target);
        } else {
          Files.createDirectories(target.getParent());
          Files.copy(in, target);
        }
      }
    }
  }
}
