package io.posconnect.acceptance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import io.posconnect.Version;
import io.posconnect.cluster.Cluster;
import io.posconnect.cluster.SharedCluster;
import io.posconnect.consumers.InventoryConsumer;
import io.posconnect.simulator.SimulatedLocation;
import io.posconnect.simulator.SimulatedLocation.InitialRows;
import io.posconnect.simulator.Simulator;
import io.posconnect.simulator.Table;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.avro.Schema;
import org.apache.avro.SchemaNormalization;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The consumers that users may begin with do what they say, where their language is installed. */
@ExtendWith(SharedCluster.class)
class ConsumersIT {

  private static final Path KIT = Path.of("src", "consumers").toAbsolutePath();
  private static final Path SCHEMAS = Path.of("config", "schemas", Version.TEXT);
  private static final Pattern COMPLETE = Pattern.compile("default: (\\d+)/(\\d+)");

  @TempDir private Path folder;

  @ParameterizedTest
  @ValueSource(strings = {"java", "node", "python"})
  void hasTheRowsThatThereAreAndKnowsThatNoneIsMissing(String language, Cluster cluster)
      throws Exception {
    List<String> command = command(language);
    assumeFalse(command.isEmpty(), language + " or its libraries are not here");
    String name = "kit-" + language;
    try (Simulator service = Simulator.builder().unlimited().start()) {
      SimulatedLocation location = service.location();
      service.fill(location, new InitialRows(0, 0, 0, Duration.ofDays(1), 60, 0));
      try (Connector connector =
          new Connector(cluster, name, service).eager(SimulatedLocation.INVENTORY).start()) {
        connector.awaitTruth(location, SimulatedLocation.INVENTORY);
        churn(location.inventory());
        connector.awaitTruth(location, SimulatedLocation.INVENTORY);
        int checkpoints = connector.checkpoints().size();
        Connector.await("they are vouched for", () -> connector.checkpoints().size() > checkpoints);

        assertSchemasAreThoseOfTheClasses(cluster, name);
        command.add(cluster.bootstrapServers());
        command.add(cluster.registry().confluentUrl().toString());
        command.add(name);
        assertTells(location.inventory().revisions(), run(command));
      }
    }
  }

  private static void churn(Table inventory) {
    List<Long> ids = inventory.ids();
    ids.subList(0, 20).forEach(inventory::update);
    ids.subList(10, 25).forEach(inventory::delete);
    inventory.generate(5);
  }

  private static void assertSchemasAreThoseOfTheClasses(Cluster cluster, String prefix)
      throws IOException {
    Map<String, String> subjects =
        Map.of(
            "inventory-key",
            "inventory-key",
            "inventory-envelope",
            "inventory-value",
            "checkpoints-value",
            "checkpoints-value");
    for (Map.Entry<String, String> subject : subjects.entrySet()) {
      Schema file = new Schema.Parser().parse(SCHEMAS.resolve(subject.getKey() + ".avsc").toFile());
      Schema registered = cluster.registry().latest(prefix + "." + subject.getValue());
      assertThat(SchemaNormalization.toParsingForm(file))
          .as(subject.getKey())
          .isEqualTo(SchemaNormalization.toParsingForm(registered));
    }
  }

  private static void assertTells(Map<Long, Integer> truth, List<String> lines) {
    Map<Long, Integer> rows = new HashMap<>();
    for (String line : lines.subList(0, lines.size() - 1)) {
      String[] row = line.split(" ", 2);
      rows.put(Long.valueOf(row[0]), CompactedTopic.parse(row[1]).path("revision").asInt());
    }
    assertThat(rows).isEqualTo(truth);
    Matcher complete = COMPLETE.matcher(lines.get(lines.size() - 1));
    assertThat(complete.matches()).as("%s", lines.get(lines.size() - 1)).isTrue();
    assertThat(Long.parseLong(complete.group(2))).isGreaterThanOrEqualTo(60);
    assertThat(Long.parseLong(complete.group(1)))
        .isGreaterThanOrEqualTo(Long.parseLong(complete.group(2)));
  }

  /** How it is run; empty where it cannot be. */
  private List<String> command(String language) throws Exception {
    return switch (language) {
      case "java" ->
          new ArrayList<>(
              List.of(
                  Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                  "-cp",
                  System.getProperty("java.class.path"),
                  InventoryConsumer.class.getName()));
      case "node" -> node();
      default -> python();
    };
  }

  private List<String> node() throws Exception {
    for (String file : List.of("package.json", "inventory.mjs")) {
      Files.copy(KIT.resolve("node").resolve(file), folder.resolve(file));
    }
    return succeeds("npm", "install", "--prefix", folder.toString(), "--no-audit", "--no-fund")
        ? new ArrayList<>(List.of("node", folder.resolve("inventory.mjs").toString()))
        : new ArrayList<>();
  }

  private List<String> python() throws Exception {
    return succeeds("python3", "-c", "import confluent_kafka, fastavro")
        ? new ArrayList<>(
            List.of("python3", KIT.resolve("python").resolve("inventory.py").toString()))
        : new ArrayList<>();
  }

  private boolean succeeds(String... command) throws InterruptedException {
    try {
      run(List.of(command));
      return true;
    } catch (IOException | AssertionError e) {
      return false;
    }
  }

  private List<String> run(List<String> command) throws IOException, InterruptedException {
    Path output = folder.resolve("output");
    Path errors = folder.resolve("errors");
    Process process =
        new ProcessBuilder(command)
            .redirectOutput(output.toFile())
            .redirectError(errors.toFile())
            .start();
    if (!process.waitFor(3, TimeUnit.MINUTES)) {
      process.destroyForcibly();
    }
    assertThat(process.waitFor()).as("%s: %s", command, Files.readString(errors)).isZero();
    return Files.readAllLines(output);
  }
}
