package io.posconnect.cluster;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import io.posconnect.Io;
import java.io.File;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.lang.reflect.Method;
import java.net.URL;
import java.net.URLClassLoader;
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
  private static final String TOOL = "io.posconnect.tool.Tool";

  /** Runs a program in the project's folder, for five minutes and as long as we live at most. */
  public static Program run(List<String> command) throws IOException {
    try {
      Path out = Files.createTempFile("program", ".out");
      Path err = Files.createTempFile("program", ".err");
      try {
        Process process =
            new ProcessBuilder(Child.guarded(command))
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

  /** The same, once it is clear that it has ended with that code. */
  public Program ending(int expected) {
    assertThat(code).as(out + err).isEqualTo(expected);
    return this;
  }

  /** Runs the command line tool in a process of its own, as users do. */
  public static Program toolProcess(Object... arguments) throws IOException {
    return java(List.of("-jar", Artefacts.tool().toString()), arguments);
  }

  /**
   * Runs the command line tool from its jar in this process, of which it shares nothing: a process
   * of its own takes five seconds of processor time to load what a run of the audit needs.
   */
  public static Program tool(Object... arguments) {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    String[] texts = Stream.of(arguments).map(Object::toString).toArray(String[]::new);
    Thread thread = Thread.currentThread();
    ClassLoader ours = thread.getContextClassLoader();
    thread.setContextClassLoader(Loaded.JAR);
    try {
      Method execute =
          Loaded.JAR
              .loadClass(TOOL)
              .getDeclaredMethod("execute", PrintWriter.class, PrintWriter.class, String[].class);
      execute.setAccessible(true);
      Object code = execute.invoke(null, new PrintWriter(out), new PrintWriter(err), texts);
      return new Program((int) requireNonNull(code), out.toString(), err.toString());
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(e);
    } finally {
      thread.setContextClassLoader(ours);
    }
  }

  /** The tool's classes, once one of its runs needs them. */
  private static final class Loaded {
    static final URLClassLoader JAR =
        new URLClassLoader(
            new URL[] {Io.url(Artefacts.tool())}, ClassLoader.getPlatformClassLoader());

    static {
      System.setProperty("org.slf4j.simpleLogger.defaultLogLevel", "off"); // as its main does
    }
  }

  /** Runs the command line tool with a library of the broker beside it. */
  public static Program toolWith(String library, Object... arguments) throws IOException {
    String path = Artefacts.tool() + File.pathSeparator + Artefacts.kafka(library);
    return java(List.of("-cp", path, TOOL), arguments);
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
