package io.posconnect.demo;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.stream.Collectors.joining;
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
      "\\d\\d:\\d\\d:\\d\\d  products +updated +downtown/\\d+ .* → ";
  private static final String SNAPSHOT = "snapshot +complete";

  private static final int PICTURE = 44;

  @TempDir private Path folder;

  /** Ends by Ctrl-C, or by SIGTERM where Ctrl-C is ignored, as the quick start prints. */
  @Test
  void runsItsTourUntilASignalAndLeavesNoProcess() throws Exception {
    Process quickStart = start(List.of(), "--colour");
    List<ProcessHandle> children;
    int status;
    try {
      awaitOutput(UPDATE);
      takeTour();
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
    if (System.getProperty("picture", "").equals("write")) {
      drawChanges(output().lines().toList());
    }
  }

  /** Draws the steps of the tour, from the changed price on. */
  private static void drawChanges(List<String> lines) throws IOException {
    List<String> changes = lines.stream().dropWhile(line -> !line.contains(" → 9.99")).toList();
    ScreenPicture.write(
        Path.of("docs", "quickstart.svg"), changes.subList(0, Math.min(PICTURE, changes.size())));
  }

  /** Runs the commands that the quick start prints, as it prints them. */
  private void takeTour() throws Exception {
    List<String> commands = commands();
    assertThat(commands).hasSize(10);
    assertThat(run(commands.get(0))).contains("product 1 costs 9.99");
    awaitOutput("products +updated +downtown/1 +price .* → 9.99");
    assertThat(run(commands.get(1))).contains("the key of the store is revoked");
    awaitOutput("inventory +suspended +downtown .*POS-201");
    assertThat(run(commands.get(2))).contains("the key of the store is valid");
    awaitOutput("inventory +resumed +downtown");
    assertThat(run(commands.get(3))).contains("half of its inventory");
    awaitOutput("inventory +deletes_held +downtown .*POS-");
    assertThat(run(commands.get(4))).contains("all its inventory");
    awaitOutput("inventory +deletes_released +downtown");
    assertThat(run(commands.get(5))).containsPattern("downtown: complete up to \\d+");
    assertThat(run(commands.get(6))).containsPattern("downtown/inventory +equal");
    assertThat(run(commands.get(7))).containsPattern("the topic has lost \\d+ products");
    String different = run(commands.get(6));
    assertThat(different).containsPattern("downtown/products +different").contains("keys missing");
    String mend =
        different
            .lines()
            .dropWhile(line -> !line.startsWith("curl"))
            .limit(3)
            .collect(joining("\n"));
    assertThat(mend).contains("\"resources.products.snapshot.id\"");
    assertThat(run(mend)).contains("resources.products.snapshot.id");
    awaitOutput("products +snapshot +complete");
    Awaitility.await("the topic is whole again")
        .atMost(Duration.ofMinutes(4))
        .untilAsserted(
            () ->
                assertThat(run(commands.get(6)))
                    .containsPattern("downtown/products +(equal|not due yet)"));
  }

  /** The indented lines of the tour; one that ends with a backslash continues. */
  private List<String> commands() throws IOException {
    return output()
        .replace("\\\n         ", "")
        .lines()
        .filter(line -> line.matches(" {7}(curl|java) .*"))
        .map(String::strip)
        .toList();
  }

  private String run(String command) throws Exception {
    Path answer = folder.resolve("answer");
    Process shell = start(List.of("sh", "-c", command), answer);
    assertThat(shell.waitFor(2, TimeUnit.MINUTES)).as(command).isTrue();
    return Files.readString(answer, UTF_8);
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
      awaitOutput("ending; printed.*updated");
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
    return start(command, log());
  }

  /** Without the second compiler, whose cost none of its processes lives long enough to repay. */
  private static Process start(List<String> command, Path output) throws IOException {
    ProcessBuilder builder =
        new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(output.toFile());
    builder.environment().put("JAVA_TOOL_OPTIONS", "-XX:TieredStopAtLevel=1");
    return builder.start();
  }

  private void awaitOutput(String pattern) {
    Awaitility.await("output like " + pattern)
        .atMost(BOOT_AND_CHANGES)
        .pollInterval(Duration.ofMillis(500))
        .untilAsserted(() -> assertThat(plain(output())).containsPattern(pattern));
  }

  private static String plain(String coloured) {
    return coloured.replaceAll("\033\\[\\d+m", "");
  }

  private Path log() {
    return folder.resolve("output");
  }

  private String output() throws IOException {
    return Files.readString(log(), UTF_8);
  }
}
