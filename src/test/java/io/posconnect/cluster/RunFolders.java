package io.posconnect.cluster;

import io.posconnect.Io;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.stream.Stream;

/**
 * The folders of one run of a cluster.
 *
 * @param name unique, such as {@code suite-0312-104501-4711}
 * @param data what the processes store; gone when the cluster closes
 * @param logs what they logged; kept
 */
record RunFolders(String name, Path data, Path logs) {

  private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("MMdd-HHmmss-SSS");

  static RunFolders create(String title) {
    String name =
        title
            + "-"
            + TIME.format(LocalDateTime.now(ZoneId.systemDefault()))
            + "-"
            + ProcessHandle.current().pid();
    Path target = Path.of("target").toAbsolutePath();
    return Io.unchecked(
        () ->
            new RunFolders(
                name,
                Files.createDirectories(target.resolve("cluster-runs").resolve(name)),
                Files.createDirectories(target.resolve("cluster-logs").resolve(name))));
  }

  /** A folder under {@link #data}. */
  Path folder(String folder) {
    return Io.unchecked(() -> Files.createDirectories(data.resolve(folder)));
  }

  /** Writes a file of settings under {@link #data}. */
  Path settings(String file, Map<String, String> settings) {
    Properties properties = new Properties();
    properties.putAll(settings);
    Path path = data.resolve(file);
    try (var out = Files.newBufferedWriter(path)) {
      properties.store(out, null);
      return path;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  void deleteData() {
    delete(data);
  }

  /** Deletes a folder and all that is in it. */
  static void delete(Path folder) {
    try (Stream<Path> paths = Files.walk(folder)) {
      List<Path> deepestFirst = paths.sorted(Comparator.reverseOrder()).toList();
      for (Path path : deepestFirst) {
        Files.deleteIfExists(path);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
