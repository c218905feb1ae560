package io.posconnect;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** A step with files or connections whose failure is a failure of the test. */
@FunctionalInterface
public interface Io<T> {

  T call() throws IOException;

  /** A step that gives nothing. */
  @FunctionalInterface
  interface Step {
    void take() throws IOException;
  }

  /** Takes the step. */
  static <T> T unchecked(Io<T> step) {
    try {
      return step.call();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Takes the step. */
  static void take(Step step) {
    Io<Step> taken =
        () -> {
          step.take();
          return step;
        };
    unchecked(taken);
  }

  /** What is in a folder, by name. */
  static List<Path> list(Path folder) {
    return unchecked(
        () -> {
          try (Stream<Path> all = Files.list(folder)) {
            return all.sorted().toList();
          }
        });
  }

  /** The names of what is in a folder. */
  static List<String> names(Path folder) {
    return list(folder).stream().map(each -> each.getFileName().toString()).toList();
  }

  /** The files in a folder, and in all folders in it. */
  static List<Path> files(Path folder) {
    return unchecked(
        () -> {
          try (Stream<Path> all = Files.walk(folder)) {
            return all.filter(Files::isRegularFile).sorted().toList();
          }
        });
  }

  /** The address of a file. */
  static URL url(Path file) {
    return unchecked(() -> file.toUri().toURL());
  }

  /** The addresses of the files in a folder. */
  static URL[] urls(Path folder) {
    return list(folder).stream().map(Io::url).toArray(URL[]::new);
  }
}
