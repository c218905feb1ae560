package io.posconnect.cluster;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionTimeoutException;
import org.awaitility.core.TerminalFailureException;

/** A running child JVM: its end, and the wait for its beginning. */
final class Child {

  private static final Duration GRACE = Duration.ofSeconds(15);
  private static final int TAIL_LINES = 40;
  private static final Set<Process> RUNNING = ConcurrentHashMap.newKeySet();

  static {
    Runtime.getRuntime()
        .addShutdownHook(
            new Thread(() -> RUNNING.forEach(Process::destroyForcibly), "end-children"));
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
  static Child start(String name, Path log, Path directory, List<String> command) {
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
    // Not the process itself: that would end its standard input too, and so pull the leash.
    process.toHandle().destroy();
    if (!exited(GRACE)) {
      kill9();
    }
  }

  void kill9() {
    process.destroyForcibly();
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

  /** Whether the log says that a port was taken in the moment between its choice and its use. */
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
}
