package io.posconnect.cluster;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.posconnect.Io;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionTimeoutException;
import org.awaitility.core.TerminalFailureException;

/** A running child process, mostly a JVM: its end, and the wait for its beginning. */
final class Child {

  private static final Duration GRACE = Duration.ofSeconds(15);
  private static final int TAIL_LINES = 40;
  private static final Set<Process> RUNNING = ConcurrentHashMap.newKeySet();

  /** Ends what it starts when standard input ends, and with it. */
  private static final String GUARD =
      """
      exec 3<&0
      "$@" &
      child=$!
      { while read -r line; do :; done <&3; kill -9 $child; } &
      watch=$!
      wait $child
      status=$?
      kill -9 $watch
      exit $status
      """;

  static {
    Runtime.getRuntime()
        .addShutdownHook(new Thread(() -> RUNNING.forEach(Child::kill), "end-children"));
  }

  private final String name;
  private final Path log;
  private final Process process;

  private Child(String name, Path log, Process process) {
    this.name = name;
    this.log = log;
    this.process = process;
  }

  /**
   * Starts it; its output is appended to the log, its standard input stays open as long as we live.
   */
  private static Child start(String name, Path log, Path directory, List<String> command) {
    try {
      Process process =
          new ProcessBuilder(command)
              .directory(directory.toFile())
              .redirectErrorStream(true)
              .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()))
              .start();
      RUNNING.add(process);
      return new Child(name, log, process);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * Starts a program that is no JVM, under a shell that ends it when we are gone. It is to be ended
   * by {@link #kill9}, which takes both.
   */
  static Child program(String name, RunFolders run, List<String> command) {
    return start(name, run.logs().resolve(name + ".log"), run.data(), guarded(command));
  }

  /** The same under a shell that ends it when we are gone, however we went. */
  static List<String> guarded(List<String> command) {
    List<String> guarded = new ArrayList<>(List.of("sh", "-c", GUARD, "guard"));
    guarded.addAll(command);
    return guarded;
  }

  private static void kill(Process process) {
    process.descendants().forEach(ProcessHandle::destroyForcibly);
    process.destroyForcibly();
  }

  long pid() {
    return process.pid();
  }

  boolean alive() {
    return process.isAlive();
  }

  /** Of a child that has ended. */
  int exitValue() {
    return process.exitValue();
  }

  void stop() {
    // Not the process itself: that would end its standard input too, and it would take us for dead.
    process.toHandle().destroy();
    if (!exited(GRACE)) {
      kill9();
    }
  }

  void kill9() {
    kill(process);
    if (!exited(GRACE)) {
      throw new IllegalStateException(name + " survived a kill");
    }
  }

  /**
   * Waits for a process that ends by itself; an {@link IllegalStateException} unless it succeeds.
   */
  void awaitSuccess(Duration limit) {
    if (!exited(limit)) {
      kill9();
      throw new IllegalStateException(name + " did not end within " + limit + tail());
    }
    if (process.exitValue() != 0) {
      throw new IllegalStateException(name + " ended with " + process.exitValue() + tail());
    }
  }

  /**
   * Waits until it serves; an {@link IllegalStateException} with the end of its log when it dies or
   * takes too long.
   */
  void awaitReady(Duration limit, Callable<Boolean> ready) {
    try {
      Awaitility.await(name)
          .atMost(limit)
          .pollDelay(Duration.ofMillis(100))
          .pollInterval(Duration.ofMillis(100))
          .ignoreExceptionsInstanceOf(IOException.class)
          .failFast(this::requireAlive)
          .until(ready);
    } catch (TerminalFailureException e) {
      throw new IllegalStateException(name + " ended with " + process.exitValue() + tail(), e);
    } catch (ConditionTimeoutException e) {
      kill9();
      throw new IllegalStateException(name + " does not serve after " + limit + tail(), e);
    }
  }

  /** Returns whether a port was taken between its choice and its use. */
  boolean foundPortTaken() {
    return tail().contains("Address already in use") || tail().contains("already bound");
  }

  private void requireAlive() {
    if (!process.isAlive()) {
      throw new IllegalStateException(name + " is dead");
    }
  }

  private boolean exited(Duration limit) {
    try {
      boolean exited = process.waitFor(limit.toMillis(), TimeUnit.MILLISECONDS);
      if (exited) {
        RUNNING.remove(process);
      }
      return exited;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      process.destroyForcibly();
      return !process.isAlive();
    }
  }

  private String tail() {
    try {
      List<String> lines = Files.readAllLines(log, UTF_8);
      List<String> last = lines.subList(Math.max(0, lines.size() - TAIL_LINES), lines.size());
      return "; the end of " + log + ":\n" + String.join("\n", last);
    } catch (IOException e) {
      return "; its log cannot be read: " + e;
    }
  }

  /**
   * The command line of a child JVM.
   *
   * @param java the program that runs it
   * @param heap its {@code -Xmx}
   * @param options further options of the JVM
   * @param program {@code -cp}, a class path and a main class, or {@code -jar} and a file
   * @param arguments of the program
   */
  record Command(
      Path java, String heap, List<String> options, List<String> program, List<String> arguments) {

    /** One of Kafka's programs. */
    static Command kafka(String heap, String mainClass, String... arguments) {
      return kafka(KafkaRelease.current(), heap, mainClass, arguments);
    }

    /** A program of that Kafka. */
    static Command kafka(KafkaRelease release, String heap, String mainClass, String... arguments) {
      return new Command(
          release.executable(),
          heap,
          release.logging(),
          List.of("-cp", release.classPath(), mainClass),
          List.of(arguments));
    }

    static Command jar(String heap, Path jar, Map<String, String> properties) {
      List<String> options = new ArrayList<>();
      properties.forEach((name, value) -> options.add("-D" + name + "=" + value));
      return new Command(
          KafkaRelease.current().executable(),
          heap,
          options,
          List.of("-jar", jar.toString()),
          List.of());
    }

    /** The same with more options. */
    Command with(String... more) {
      List<String> all = new ArrayList<>(options);
      all.addAll(List.of(more));
      return new Command(java, heap, all, program, arguments);
    }

    /** The same with jars at the end of its class path. */
    Command seeing(List<Path> jars) {
      List<String> all = new ArrayList<>(program);
      jars.forEach(jar -> all.set(1, all.get(1) + File.pathSeparator + jar));
      return new Command(java, heap, options, all, arguments);
    }

    /** Starts it so that it ends with its parent. */
    Child start(String name, RunFolders run) {
      List<String> command = new ArrayList<>();
      command.add(java.toString());
      command.add("-javaagent:" + parentWatch(run));
      command.add("-Xmx" + heap);
      command.add("-XX:+UseSerialGC");
      command.addAll(options);
      command.addAll(program);
      command.addAll(arguments);
      return Child.start(name, run.logs().resolve(name + ".log"), run.data(), command);
    }

    private static Path parentWatch(RunFolders run) {
      // One file a start: a running JVM must never see its agent rewritten.
      Path jar = run.folder("parent-watch").resolve("parent-watch-" + System.nanoTime() + ".jar");
      Map<String, String> attributes = Map.of("Premain-Class", ParentWatch.class.getName());
      return Io.unchecked(() -> Artefacts.write(jar, attributes, ParentWatch.class));
    }
  }
}
