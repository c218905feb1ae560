package io.posconnect.demo;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The quick start, called as its script calls it, and the ways to end it. */
class QuickStartIT {

  private static final Duration BOOT_AND_CHANGES = Duration.ofMinutes(6);
  private static final String UPDATE =
      "(?s).*\\d\\d:\\d\\d:\\d\\d  products +updated +downtown/\\d+ .* → .*";
  private static final String SNAPSHOT = "(?s).*snapshot +complete.*";

  @TempDir private Path folder;

  /** Ends by Ctrl-C, or by SIGTERM where Ctrl-C is ignored, as the quick start prints. */
  @Test
  void printsChangesUntilASignalAndLeavesNoProcess() throws Exception {
    Process quickStart = start(List.of());
    List<ProcessHandle> children;
    int status;
    try {
      awaitOutput(UPDATE);
      children = quickStart.descendants().toList();
      boolean ignored = output().contains("Ctrl-C is ignored here");
      status = ignored ? 143 : 130;
      signal(quickStart, ignored ? "TERM" : "INT");
      assertEnds(quickStart);
    } finally {
      quickStart.destroyForcibly();
    }
    assertThat(quickStart.exitValue()).isEqualTo(status);
    assertThat(children).hasSizeGreaterThanOrEqualTo(3).noneMatch(ProcessHandle::isAlive);
    assertThat(output()).doesNotContain("Exception").doesNotContain("simulated-key");
  }

  @Test
  @Tag("practice")
  void whereCtrlCIsIgnoredItPrintsAnotherWay() throws Exception {
    Process quickStart = start(List.of("sh", "-c", "trap '' INT; exec \"$@\"", "sh"));
    try {
      awaitOutput(SNAPSHOT);
      assertThat(output()).contains("kill " + quickStart.pid() + "; Ctrl-C is ignored here");
      signal(quickStart, "INT");
      signal(quickStart, "TERM");
      assertEnds(quickStart);
    } finally {
      quickStart.destroyForcibly();
    }
    assertThat(quickStart.exitValue()).isEqualTo(143);
  }

  @Test
  @Tag("practice")
  void endsWhenItsInputIsClosed() throws Exception {
    Process quickStart = start(List.of());
    try {
      awaitOutput(SNAPSHOT);
      quickStart.getOutputStream().close();
      assertEnds(quickStart);
    } finally {
      quickStart.destroyForcibly();
    }
    assertThat(output()).contains("ending; printed");
  }

  @Test
  @Tag("practice")
  void endsByItselfAfterAGivenTimeWithoutInput() throws Exception {
    Process quickStart = start(List.of(), "--for", "30s");
    try {
      quickStart.getOutputStream().close();
      awaitOutput("(?s).*ending; printed.*updated.*");
      assertEnds(quickStart);
    } finally {
      quickStart.destroyForcibly();
    }
    assertThat(quickStart.exitValue()).as(output()).isZero();
  }

  private static void signal(Process process, String signal) throws Exception {
    // A Process can only terminate or kill.
    new ProcessBuilder("kill", "-" + signal, Long.toString(process.pid())).start().waitFor();
  }

  private static void assertEnds(Process process) throws InterruptedException {
    assertThat(process.waitFor(40, TimeUnit.SECONDS)).as("it has ended").isTrue();
  }

  private Process start(List<String> shell, String... arguments) throws IOException {
    List<String> command = new ArrayList<>(shell);
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-cp", System.getProperty("java.class.path")));
    command.add(QuickStart.class.getName());
    command.addAll(List.of(arguments));
    return new ProcessBuilder(command)
        .redirectErrorStream(true)
        .redirectOutput(log().toFile())
        .start();
  }

  private void awaitOutput(String pattern) {
    Awaitility.await("output like " + pattern)
        .atMost(BOOT_AND_CHANGES)
        .pollInterval(Duration.ofMillis(500))
        .untilAsserted(() -> assertThat(output()).matches(pattern));
  }

  private Path log() {
    return folder.resolve("output");
  }

  private String output() throws IOException {
    return Files.readString(log(), UTF_8);
  }
}
