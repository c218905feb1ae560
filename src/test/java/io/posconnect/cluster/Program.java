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

  /** Starts a Java source file that has no end of its own, and that ends with us at the latest. */
  public static Running startSource(Path jars, Path source, String name, String... arguments) {
    RunFolders run = RunFolders.create(name);
    Child child =
        new Child.Command(
                KafkaRelease.current().executable(),
                "1g",
                List.of(logging(), "-Djava.io.tmpdir=" + run.folder("tmp")),
                List.of("-cp", jars.resolve("*").toString(), source.toAbsolutePath().toString()),
                List.of(arguments))
            .start(name, run);
    return new Running(run, child, run.logs().resolve(name + ".log"));
  }

  /** A program that has not ended; closing it does that. */
  public static final class Running implements AutoCloseable {
    private final RunFolders run;
    private final Child child;
    private final Path log;

    private Running(RunFolders run, Child child, Path log) {
      this.run = run;
      this.child = child;
      this.log = log;
    }

    public boolean alive() {
      return child.alive();
    }

    /** The file to which it writes. */
    public Path log() {
      return log;
    }

    @Override
    public void close() {
      child.kill9();
      run.deleteData();
    }
  }

  private static String logging() {
    return "-Dlog4j2.configurationFile=" + Artefacts.logging("log4j2.xml");
  }

  private static List<String> options(Path jars, Path source) {
    return List.of("-Xmx1g", logging(), "-cp", jars.resolve("*").toString(), source.toString());
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
