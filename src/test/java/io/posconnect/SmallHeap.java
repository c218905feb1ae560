package io.posconnect;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryMXBean;
import java.lang.management.MemoryType;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Runs a class of the tests in a JVM of its own with little heap. */
public final class SmallHeap {

  private static final int SHOWN = 8_000;

  // Many times what the longest program needs on two busy cores.
  private static final int LIMIT_MINUTES = 15;

  private SmallHeap() {}

  /**
   * Runs its main method, which must return, and returns what it printed. A program that does not
   * end is ended, and the failure shows where its threads stood.
   *
   * @param heap the value of {@code -Xmx}
   */
  public static String run(String heap, Class<?> program, Object... arguments)
      throws IOException, InterruptedException {
    List<String> command = new ArrayList<>();
    command.add(java("java"));
    command.add("-Xmx" + heap);
    command.addAll(List.of("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"));
    // Or a full collection leaves garbage, up to a twentieth of the heap.
    command.add("-XX:MarkSweepAlwaysCompactCount=1");
    command.add("-XX:+ExitOnOutOfMemoryError");
    command.addAll(List.of("-cp", System.getProperty("java.class.path")));
    command.addAll(List.of(SmallHeap.class.getName(), program.getName()));
    for (Object argument : arguments) {
      command.add(argument.toString());
    }
    Path printed = Files.createTempFile("small-heap", ".log");
    Process process = start(command, printed);
    try {
      boolean ended = process.waitFor(LIMIT_MINUTES, TimeUnit.MINUTES);
      if (!ended) {
        start(List.of(java("jstack"), Long.toString(process.pid())), printed)
            .waitFor(1, TimeUnit.MINUTES);
      }
      String output = Files.readString(printed);
      assertThat(ended && process.exitValue() == 0)
          .as("%s: %s", command, output.substring(Math.max(0, output.length() - SHOWN)))
          .isTrue();
      return output;
    } finally {
      process.destroyForcibly();
      Files.delete(printed);
    }
  }

  /** What a collection leaves in the heap. */
  public static long used() {
    MemoryMXBean memory = ManagementFactory.getMemoryMXBean();
    // Twice: what the first collection enqueues is garbage for the second.
    memory.gc();
    memory.gc();
    return ManagementFactory.getMemoryPoolMXBeans().stream()
        .filter(pool -> pool.getType() == MemoryType.HEAP)
        .mapToLong(pool -> pool.getCollectionUsage().getUsed())
        .sum();
  }

  private static String java(String tool) {
    return Path.of(System.getProperty("java.home"), "bin", tool).toString();
  }

  private static Process start(List<String> command, Path printed) throws IOException {
    return new ProcessBuilder(command)
        .redirectErrorStream(true)
        .redirectOutput(Redirect.appendTo(printed.toFile()))
        .start();
  }

  /** In the JVM of its own: the program's name and its arguments. It ends whoever still runs. */
  public static void main(String[] args) {
    try {
      Method main = Class.forName(args[0]).getDeclaredMethod("main", String[].class);
      main.setAccessible(true);
      main.invoke(null, (Object) Arrays.copyOfRange(args, 1, args.length));
      System.exit(0);
    } catch (ReflectiveOperationException e) {
      e.printStackTrace();
      System.exit(1);
    }
  }
}
