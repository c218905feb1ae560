package io.posconnect.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
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

  /** Of this process. */
  public static final String JAVA =
      Path.of(System.getProperty("java.home"), "bin", "java").toString();

  private static final Duration LIMIT = Duration.ofMinutes(5);

  /** Runs a program in the project's folder, for five minutes at most. */
  public static Program run(List<String> command) throws IOException {
    try {
      Path out = Files.createTempFile("program", ".out");
      Path err = Files.createTempFile("program", ".err");
      try {
        Process process =
            new ProcessBuilder(command)
                .redirectOutput(out.toFile())
                .redirectError(err.toFile())
                .start();
        boolean ended = process.waitFor(LIMIT.toMillis(), TimeUnit.MILLISECONDS);
        process.descendants().forEach(ProcessHandle::destroyForcibly);
        int code = process.destroyForcibly().waitFor();
        Program run = new Program(code, Files.readString(out), Files.readString(err));
        assertThat(ended).as("%s ends: %s", command, run.err()).isTrue();
        return run;
      } finally {
        Files.delete(out);
        Files.delete(err);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  /** Runs the command line tool, as users get it. */
  public static Program tool(Object... arguments) throws IOException {
    return java(List.of("-jar", Artefacts.tool().toString()), arguments);
  }

  /** Runs the command line tool with a library of the broker beside it. */
  public static Program toolWith(String library, Object... arguments) throws IOException {
    String path = Artefacts.tool() + File.pathSeparator + Artefacts.kafka(library);
    return java(List.of("-cp", path, "io.posconnect.tool.Tool"), arguments);
  }

  private static Program java(List<String> program, Object... arguments) throws IOException {
    List<String> command = new ArrayList<>(List.of(JAVA));
    // It lives for seconds.
    command.addAll(List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"));
    command.addAll(program);
    Stream.of(arguments).map(Object::toString).forEach(command::add);
    return run(command);
  }

  /** Runs a Java source file on a class path of jars. */
  public static Program source(Path jars, Path source, String... arguments) throws IOException {
    List<String> command = new ArrayList<>(List.of(JAVA, "-Xmx1g", logging()));
    command.addAll(List.of("-cp", jars.resolve("*").toString(), source.toString()));
    command.addAll(List.of(arguments));
    return run(command);
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

  /** Fails with what it wrote unless it succeeded, and returns its output. */
  public String succeeded() {
    assertThat(code).as("%s%s", out, err).isZero();
    return out;
  }
}
