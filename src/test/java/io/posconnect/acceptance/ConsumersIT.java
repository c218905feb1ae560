package io.posconnect.acceptance;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.posconnect.cluster.Cluster;
import io.posconnect.cluster.Program;
import io.posconnect.cluster.SharedCluster;
import io.posconnect.cluster.TopicRecord;
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
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The example consumers fold a topic and detect a missing event, where their language is installed:
 * two stores' inventory, published by a connector each, one flat, and a copy of the other that
 * lacks one event.
 */
@ExtendWith(SharedCluster.class)
class ConsumersIT {

  private static final Path KIT = Path.of("src", "consumers").toAbsolutePath();
  private static final String INVENTORY = SimulatedLocation.INVENTORY;
  private static final String NORTH = "kit-north";
  private static final String SOUTH = "kit-south";
  private static final String HOLE = "kit-hole";
  private static final long MISSING = 30;
  private static final Pattern VERDICT =
      Pattern.compile("default: (complete|\\d+ is missing) up to (\\d+)");

  /** By topic prefix: the revision of each row that there is. */
  private static final Map<String, Map<Long, Integer>> TRUTH = new HashMap<>();

  @BeforeAll
  static void publishesTheInventoryOfTwoStores(Cluster cluster) {
    try (Simulator service = Simulator.builder().unlimited().start()) {
      for (String prefix : List.of(NORTH, SOUTH)) {
        SimulatedLocation location = service.location(prefix);
        service.fill(location, new InitialRows(0, 0, 0, Duration.ofDays(1), 60, 0));
        try (Connector connector = new Connector(cluster, prefix, service)) {
          connector
              .set("api.key", prefix)
              .set("event.format", prefix.equals(SOUTH) ? "flat" : "envelope")
              .eager(INVENTORY)
              .start();
          connector.awaitTruth(location, INVENTORY);
          churn(location.inventory());
          connector.awaitTruth(location, INVENTORY);
          Connector.await("all are vouched for", () -> vouched(connector) == events(connector));
          TRUTH.put(prefix, location.inventory().revisions());
        }
      }
    }
    copyButOne(cluster);
  }

  @ParameterizedTest
  @ValueSource(strings = {"java", "node", "python"})
  void hasEveryRowAndDetectsThatNoneIsMissing(String language, Cluster cluster) throws Exception {
    for (String prefix : List.of(NORTH, SOUTH)) {
      List<String> lines = run(language, cluster, prefix);
      Map<Long, Integer> rows = new HashMap<>();
      for (String line : lines.subList(0, lines.size() - 1)) {
        String[] row = line.split(" ", 3);
        assertThat(row[0]).isEqualTo("default");
        rows.put(Long.valueOf(row[1]), CompactedTopic.parse(row[2]).path("revision").asInt());
      }
      assertThat(rows).isEqualTo(TRUTH.get(prefix));
      assertThat(verdict(lines)).isEqualTo("complete");
    }
  }

  /** The event that is missing stands there twice, in transactions that were aborted. */
  @ParameterizedTest
  @ValueSource(strings = {"java", "node", "python"})
  void detectsAMissingEvent(String language, Cluster cluster) throws Exception {
    assertThat(verdict(run(language, cluster, HOLE))).isEqualTo(MISSING + " is missing");
  }

  /** It would have the brokers' settings, and would keep them when the connector comes. */
  @ParameterizedTest
  @ValueSource(strings = {"java", "node", "python"})
  void createsNoTopicThatIsAbsent(String language, Cluster cluster) throws Exception {
    Program run = consumer(language, cluster, "absent");
    assertThat(cluster.topics().topics()).as("%s", run).noneMatch(t -> t.startsWith("absent."));
  }

  private static void churn(Table inventory) {
    List<Long> ids = inventory.ids();
    ids.subList(0, 20).forEach(inventory::update);
    ids.subList(10, 25).forEach(inventory::delete);
    inventory.generate(5);
  }

  /** The number up to which all events of the stream are vouched for. */
  private static long vouched(Connector connector) {
    List<TopicRecord> checkpoints = connector.checkpoints("default", INVENTORY);
    return checkpoints.isEmpty()
        ? 0
        : (Long) requireNonNull(checkpoints.get(checkpoints.size() - 1).at("seq"));
  }

  private static long events(Connector connector) {
    boolean flat = connector.name().equals(SOUTH);
    return connector.events(INVENTORY).stream().filter(e -> flat || !e.tombstone()).count();
  }

  private static void copyButOne(Cluster cluster) {
    TopicRecord missing =
        cluster.topics().read(NORTH + "." + INVENTORY).stream()
            .filter(event -> Objects.equals(event.at("source.seq"), MISSING))
            .findFirst()
            .orElseThrow();
    try (var producer = cluster.producer(Map.of("transactional.id", HOLE))) {
      producer.initTransactions();
      producer.beginTransaction();
      for (String topic : List.of(INVENTORY, "checkpoints")) {
        for (var event : cluster.topics().raw(NORTH + "." + topic)) {
          var copy = new ProducerRecord<>(HOLE + "." + topic, event.key(), event.value());
          if (missing.isOf(event)) {
            producer.commitTransaction();
            sendInVain(producer, copy);
            sendInVain(producer, copy);
            producer.beginTransaction();
          } else {
            var unused = producer.send(copy); // the commit reports a failure
          }
        }
      }
      producer.commitTransaction();
    }
  }

  private static void sendInVain(
      KafkaProducer<byte[], byte[]> producer, ProducerRecord<byte[], byte[]> record) {
    producer.beginTransaction();
    var unused = producer.send(record); // flush waits for it
    producer.flush();
    producer.abortTransaction();
  }

  private static String verdict(List<String> lines) {
    Matcher verdict = VERDICT.matcher(lines.get(lines.size() - 1));
    assertThat(verdict.matches()).as("%s", lines.get(lines.size() - 1)).isTrue();
    assertThat(Long.parseLong(verdict.group(2))).isGreaterThan(60);
    return verdict.group(1);
  }

  private static List<String> run(String language, Cluster cluster, String prefix)
      throws Exception {
    return consumer(language, cluster, prefix).succeeded().lines().toList();
  }

  /** Runs it; aborts the test where its language is not installed. */
  private static Program consumer(String language, Cluster cluster, String prefix)
      throws Exception {
    List<String> command =
        new ArrayList<>(
            switch (language) {
              case "java" ->
                  List.of(
                      Program.JAVA,
                      "-cp",
                      System.getProperty("java.class.path"),
                      InventoryConsumer.class.getName());
              case "node" -> List.of("node", KIT.resolve("node/inventory.mjs").toString());
              default -> List.of("python3", KIT.resolve("python/inventory.py").toString());
            });
    assumeTrue(installed(language), language + " or its libraries are not installed");
    command.add(cluster.bootstrapServers());
    command.add(cluster.registry().confluentUrl().toString());
    command.add(prefix);
    return Program.run(command);
  }

  private static boolean installed(String language) throws InterruptedException {
    return switch (language) {
      case "java" -> true;
      case "node" ->
          Files.isDirectory(KIT.resolve("node/node_modules")) && succeeds("node", "--version");
      default -> succeeds("python3", "-c", "import confluent_kafka, fastavro");
    };
  }

  private static boolean succeeds(String... command) throws InterruptedException {
    try {
      return Program.run(List.of(command)).code() == 0;
    } catch (IOException e) {
      return false;
    }
  }
}
