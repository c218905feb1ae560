package io.posconnect.docs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.posconnect.Io;
import io.posconnect.cluster.Artefacts;
import io.posconnect.cluster.Cluster;
import io.posconnect.cluster.SharedCluster;
import io.posconnect.simulator.Simulator;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/**
 * Runs the commands of the README and of the pages for operators in order, as they are printed
 * except for the worker's address and the file of secrets. A command that the worker refuses while
 * it rebalances or stops is repeated.
 */
@ExtendWith(SharedCluster.class)
class DocsCommandsIT {

  private static final String CONNECTOR = "pos";
  private static final List<String> PAGES =
      List.of("README.md", "docs/upgrading.md", "docs/operating.md");

  /** Pages without commands, or with commands that all have a reason not to run. */
  private static final List<String> NOT_RUN =
      List.of(
          "CONTRIBUTING.md",
          "docs/consuming.md",
          "docs/development.md",
          "docs/managed.md",
          "docs/moving.md",
          "docs/performance.md",
          "docs/privacy.md",
          "docs/registries.md",
          "docs/scaling.md",
          "docs/security.md",
          "docs/tool.md",
          "docs/tour.md");

  private static final String PATIENT_CURL =
      "curl() { command curl --retry 60 --retry-delay 1 --retry-all-errors \"$@\"; }\n";
  private static final String SECRETS = "/etc/kafka-connect/secrets/pos.properties";
  private static final String PLUGINS = "/usr/share/java/connect-plugins";

  @TempDir private Path folder;

  @Test
  void runsEveryCommand(Cluster cluster) throws Exception {
    assumeTrue(has("curl"), "there is no curl");
    assumeTrue(has("mvn"), "there is no mvn");
    boolean hasJq = has("jq");
    try (Simulator service = Simulator.start()) {
      service.location(); // and with it its key
      Path secrets = secrets(cluster, service);
      copyConfigurations(secrets);
      String worker = cluster.worker(0).restUrl().toString();
      for (String page : PAGES) {
        for (CommandBlock block : CommandBlock.of(Path.of(page))) {
          if (block.reason().isEmpty() && (hasJq || !block.commands().contains("jq "))) {
            String answer = run(block, worker, secrets);
            assertThat(answer).as("%s", block).doesNotContainPattern("error_count\":[1-9]");
            if (block.commands().contains("jq ")) {
              assertThat(answer)
                  .containsPattern("(?m)^2\\S+Z\\tcompleted\\t\\d+\\tdowntown/products$");
              assertThat(answer).doesNotContain("/0");
            }
            settle(cluster, block);
          }
        }
      }
      assertThat(cluster.connect().connectors()).doesNotContain(CONNECTOR);
      assertThat(Io.names(folder.resolve("plugins/apicurio-converter")))
          .isEqualTo(Io.names(Artefacts.converter()));
    } finally {
      if (cluster.connect().connectors().contains(CONNECTOR)) {
        cluster.connect().delete(CONNECTOR);
      }
    }
  }

  @Test
  void requiresReasonForEveryCommandThatIsNotRun() throws IOException {
    for (Path page : CommandBlock.pages()) {
      if (!PAGES.contains(page.toString())) {
        List<CommandBlock> blocks = CommandBlock.of(page);
        assertThat(blocks).as("%s", page).allMatch(block -> block.reason().isPresent());
        assertThat(blocks.isEmpty() || NOT_RUN.contains(page.toString())).as("%s", page).isTrue();
      }
    }
  }

  /** Waits until the worker has completed the last command. */
  private static void settle(Cluster cluster, CommandBlock block) {
    String last = block.commands().strip().lines().reduce((a, b) -> b).orElseThrow();
    if (last.contains("-X DELETE http://localhost:8083/connectors/" + CONNECTOR)) {
      return;
    }
    if (!last.contains("/stop")) {
      cluster.connect().awaitRunning(CONNECTOR);
      Awaitility.await("a position, to be altered or deleted")
          .atMost(1, TimeUnit.MINUTES)
          .until(() -> !cluster.connect().offsets(CONNECTOR).isEmpty());
    }
  }

  private String run(CommandBlock block, String worker, Path secrets) throws Exception {
    String script =
        ("set -e\n" + PATIENT_CURL + block.commands())
            .replace("http://localhost:8083", worker)
            .replace(SECRETS, secrets.toString())
            .replace(PLUGINS, folder.resolve("plugins").toString());
    Path output = folder.resolve("output");
    Process shell =
        new ProcessBuilder("sh", "-c", script)
            .directory(folder.toFile())
            .redirectErrorStream(true)
            .redirectOutput(output.toFile())
            .start();
    assertThat(shell.waitFor(3, TimeUnit.MINUTES)).as("ends: %s", block).isTrue();
    String answer = Files.readString(output, StandardCharsets.UTF_8);
    assertThat(shell.exitValue()).as("%s%s", block, answer).isZero();
    return answer;
  }

  private static Path secrets(Cluster cluster, Simulator service) throws IOException {
    String reference = cluster.secret("docs.properties", "api.key", Simulator.KEY);
    Path file = Path.of(reference.substring("${file:".length(), reference.lastIndexOf(':')));
    Files.writeString(file, "base.url=" + service.baseUrl() + "\napi.key=" + Simulator.KEY + "\n");
    return file;
  }

  private void copyConfigurations(Path secrets) throws IOException {
    for (Path file : Io.files(Path.of("config"))) {
      String text = Files.readString(file).replace(SECRETS, secrets.toString());
      Path copy = folder.resolve(file.toString());
      Files.createDirectories(copy.getParent());
      Files.writeString(copy, text);
    }
  }

  private static boolean has(String program) throws InterruptedException {
    try {
      Process version = new ProcessBuilder(program, "--version").redirectErrorStream(true).start();
      version.getInputStream().readAllBytes();
      return version.waitFor() == 0;
    } catch (IOException e) {
      return false;
    }
  }
}
