package io.posconnect.demo;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The quick start as its script calls it. */
class QuickStartIT {

  private static final Duration BOOT_AND_CHANGES = Duration.ofMinutes(3);
  private static final String UPDATE =
      "(?s).*\\d\\d:\\d\\d:\\d\\d  products +updated +downtown/\\d+ .* → .*";

  @TempDir private Path folder;

  @Test
  void printsChangesUntilCtrlCAndLeavesNoProcess() throws Exception {
    Process quickStart = start();
    List<ProcessHandle> children;
    try {
      awaitOutput(UPDATE);
      children = quickStart.descendants().toList();
      // What Ctrl-C sends; a Process can only terminate or kill.
      new ProcessBuilder("kill", "-INT", Long.toString(quickStart.pid())).start().waitFor();
      assertThat(quickStart.waitFor(40, TimeUnit.SECONDS)).as("it has ended").isTrue();
    } finally {
      quickStart.destroyForcibly();
    }

    assertThat(quickStart.exitValue()).isEqualTo(130);
    assertThat(children).hasSizeGreaterThanOrEqualTo(3).noneMatch(ProcessHandle::isAlive);
    assertThat(output()).doesNotContain("Exception").doesNotContain("simulated-key");
  }

  @Test
  @Tag("practice")
  void endsWhenItsInputIsClosed() throws Exception {
    Process quickStart = start();
    try {
      awaitOutput("(?s).*snapshot +complete.*");
      quickStart.getOutputStream().close();
      assertThat(quickStart.waitFor(40, TimeUnit.SECONDS)).as("it has ended").isTrue();
    } finally {
      quickStart.destroyForcibly();
    }

    assertThat(output()).contains("ending; printed");
  }

  @Test
  @Tag("practice")
  void endsByItselfWithoutAnyInputWhenToldTo() throws Exception {
    Process quickStart = start("--for", "30s");
    try {
      quickStart.getOutputStream().close();
      assertThat(quickStart.waitFor(BOOT_AND_CHANGES.toSeconds(), TimeUnit.SECONDS))
          .as("it has ended")
          .isTrue();
    } finally {
      quickStart.destroyForcibly();
    }

    assertThat(quickStart.exitValue()).as(output()).isZero();
    assertThat(output()).contains("ending; printed").contains("updated");
  }

  private Process start(String... arguments) throws IOException {
    List<String> command =
        List.of(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-cp",
            System.getProperty("java.class.path"),
            QuickStart.class.getName());
    return new ProcessBuilder(Stream.concat(command.stream(), Stream.of(arguments)).toList())
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
