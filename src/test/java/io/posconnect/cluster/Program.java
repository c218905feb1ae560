package io.posconnect.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * A program that ran to its end.
 *
 * @param code that it ended with
 */
public record Program(int code, String out, String err) {

  /** Runs a program in the project's folder. */
  public static Program run(Duration limit, List<String> command) {
    try {
      Path out = Files.createTempFile("program", ".out");
      Path err = Files.createTempFile("program", ".err");
      try {
        Process process =
            new ProcessBuilder(command)
                .redirectOutput(out.toFile())
                .redirectError(err.toFile())
                .start();
        boolean ended = process.waitFor(limit.toMillis(), TimeUnit.MILLISECONDS);
        process.descendants().forEach(ProcessHandle::destroyForcibly);
        int code = process.destroyForcibly().waitFor();
        Program run = new Program(code, Files.readString(out), Files.readString(err));
        assertThat(ended).as("%s ends within %s: %s", command, limit, run.err()).isTrue();
        return run;
      } finally {
        Files.delete(out);
        Files.delete(err);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  /** Runs the command line tool, as users get it. */
  public static Program tool(String... arguments) {
    return run(
        Duration.ofMinutes(5), java(List.of("-jar", Artefacts.tool().toString()), arguments));
  }

  /** Runs a Java source file on a class path of jars. */
  public static Program source(Duration limit, Path jars, Path source, String... arguments) {
    return run(limit, java(options(jars, source), arguments));
  }

  /**
   * Starts a Java source file that has no end of its own.
   *
   * @param folder of its temporary files, and of its log, the file {@code log}
   */
  public static Process startSource(Path jars, Path source, Path folder, String... arguments)
      throws IOException {
    List<String> options = new ArrayList<>(options(jars, source));
    options.add(0, "-Djava.io.tmpdir=" + folder);
    return new ProcessBuilder(java(options, arguments))
        .redirectErrorStream(true)
        .redirectOutput(folder.resolve("log").toFile())
        .start();
  }

  private static List<String> options(Path jars, Path source) {
    return List.of(
        "-Xmx1g",
        "-Dlog4j2.configurationFile=" + Artefacts.logging("log4j2.xml"),
        "-cp",
        jars.resolve("*").toString(),
        source.toString());
  }

  private static List<String> java(List<String> options, String... arguments) {
    String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
    return Stream.of(List.of(java), options, List.of(arguments))
        .<String>flatMap(List::stream)
        .collect(ArrayList::new, List::add, List::addAll);
  }

  /** Fails with what it wrote unless it succeeded, and returns its output. */
  public String succeeded() {
    assertThat(code).as("%s%s", out, err).isZero();
    return out;
  }
}
