package io.posconnect;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Runs a class of the tests in a JVM of its own with little heap. */
public final class SmallHeap {

  private static final int SHOWN = 4_000;

  private SmallHeap() {}

  /**
   * Runs its main method, which must end with 0, and returns what it printed.
   *
   * @param heap the value of {@code -Xmx}
   */
  public static String run(String heap, Class<?> program, Object... arguments)
      throws IOException, InterruptedException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.add("-Xmx" + heap);
    command.addAll(List.of("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"));
    command.add("-XX:+ExitOnOutOfMemoryError");
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), program.getName()));
    for (Object argument : arguments) {
      command.add(argument.toString());
    }
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor())
        .as("%s: %s", command, output.substring(Math.max(0, output.length() - SHOWN)))
        .isZero();
    return output;
  }
}
