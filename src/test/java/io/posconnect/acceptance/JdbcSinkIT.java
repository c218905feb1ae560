package io.posconnect.acceptance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.posconnect.Io;
import io.posconnect.StrictFiles;
import io.posconnect.cluster.Artefacts;
import io.posconnect.cluster.Cluster;
import io.posconnect.cluster.ClusterOptions;
import io.posconnect.cluster.ConnectClient;
import io.posconnect.cluster.Postgres;
import io.posconnect.simulator.Churn;
import io.posconnect.simulator.SimulatedLocation;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Debezium's JDBC sink keeps tables of a real PostgreSQL equal to the service, from events in the
 * envelope, unwrapped and flat, while rows change, a contract grows, and both sides of the sink are
 * killed. {@code -Djdbc.seconds} is how long.
 */
@Tag("practice")
class JdbcSinkIT {

  private static final Duration DAY = Duration.ofSeconds(Integer.getInteger("jdbc.seconds", 60));
  private static final String UNWRAPPED = "unwrapped_";
  private static final double CHANGES_PER_SECOND = 30;

  @TempDir private Path folder;

  /** A sink of all topics of a store into tables whose names begin with a prefix. */
  private record Sink(String name, ConsumedStore store, String prefix) {

    void start(ConnectClient connect, Postgres server, Map<String, String> more) {
      Map<String, String> settings = StrictFiles.settings(CompactedTopic.parse(page("json")));
      settings.put("topics.regex", store.connector.name() + "\\..*");
      settings.put("connection.url", server.url());
      settings.put("connection.password", "");
      settings.put("collection.name.format", prefix + "${topic}");
      settings.putAll(more);
      connect.put(name, settings);
      connect.awaitRunning(name);
    }

    /** The sink makes the others by itself, and would allow no null in this one's key. */
    void createTable(Postgres server) throws SQLException {
      String documented = "\"pos_" + SimulatedLocation.LOYALTY + '"';
      String create = page("sql");
      assertThat(create).contains(documented);
      try (Connection connection = server.connect();
          Statement statement = connection.createStatement()) {
        statement.execute(create.replace(documented, table(SimulatedLocation.LOYALTY)));
      }
    }

    private String table(String resource) {
      return '"' + prefix + store.connector.name() + "_" + resource + '"';
    }

    /** The rows of a table, each as the database writes it in JSON. */
    List<JsonNode> rows(Postgres server, String resource) throws SQLException {
      List<JsonNode> rows = new ArrayList<>();
      try (Connection connection = server.connect();
          Statement statement = connection.createStatement();
          ResultSet found =
              statement.executeQuery("SELECT to_jsonb(t) FROM " + table(resource) + " t")) {
        while (found.next()) {
          JsonNode row = CompactedTopic.parse(found.getString(1));
          if (!"true".equals(row.path("__deleted").asText())) {
            rows.add(((ObjectNode) row).without("__deleted"));
          }
        }
      }
      return rows;
    }

    /** The sink's own deletes compare with =, and never find a null in a key. */
    private List<String> deletable(List<String> rows, String resource) {
      boolean all = !prefix.isEmpty() || !resource.equals(SimulatedLocation.LOYALTY);
      return rows.stream().filter(row -> all || row.contains("registertransactionid")).toList();
    }

    String difference(Postgres server, String resource) {
      try {
        List<String> rows = ConsumedStore.ROWS.rows(rows(server, resource));
        List<String> truth = store.truth(resource);
        return CompactedTopic.difference(deletable(rows, resource), deletable(truth, resource));
      } catch (SQLException e) {
        return e.toString();
      }
    }
  }

  @Test
  void tablesEqualTheServiceAfterCrashesAndGrowth() throws Exception {
    Optional<Path> programs = Postgres.installed();
    assumeTrue(programs.isPresent(), "no PostgreSQL 15 or newer is installed");
    ClusterOptions options =
        ClusterOptions.of("jdbc")
            .withWorkerHeap("768m")
            .withWorkerSettings(workerSettings())
            .withPlugins(Artefacts.consumer("debezium-connector-jdbc"));
    try (Postgres server = Postgres.start(programs.orElseThrow());
        Cluster cluster = Cluster.start(options);
        ConsumedStore first = new ConsumedStore(cluster, "enveloped", folder);
        ConsumedStore second = new ConsumedStore(cluster, "flat", folder)) {
      cluster.registry().compatibility("FULL_TRANSITIVE");
      first.connector.start();
      second.connector.set("event.format", "flat").start();
      List<Sink> sinks =
          List.of(
              new Sink("sink-enveloped", first, ""),
              new Sink("sink-unwrapped", first, UNWRAPPED),
              new Sink("sink-flat", second, ""));
      assertRefusesOtherOverrides(cluster.connect());
      for (Sink sink : sinks) {
        sink.createTable(server);
        sink.start(cluster.connect(), server, sink.prefix().isEmpty() ? Map.of() : unwrapped());
      }

      try (Churn one = first.begin(CHANGES_PER_SECOND);
          Churn two = second.begin(CHANGES_PER_SECOND)) {
        ChaosRun.pass(DAY.dividedBy(4));
        cluster.worker(0).kill9();
        cluster.worker(0).start();
        ChaosRun.pass(DAY.dividedBy(4));
        widen(first);
        widen(second);
        ChaosRun.pass(DAY.dividedBy(4));
        server.kill9();
        server.start();
        ChaosRun.pass(DAY.dividedBy(4));
        System.out.println("changes: " + one.counts() + ", " + two.counts());
      }
      first.delete();
      second.delete();
      first.awaitPublished();
      second.awaitPublished();
      for (Sink sink : sinks) {
        for (String resource : ConsumedStore.RESOURCES) {
          awaitEqual(cluster.connect(), server, sink, resource);
          int rows = sink.rows(server, resource).size();
          System.out.printf("%s: %d rows of %s in PostgreSQL%n", sink.name(), rows, resource);
        }
      }
      assertWidened(server, sinks);
    }
  }

  /** The overrides that the shipped worker allows; and consumers that find new topics soon. */
  private static Map<String, String> workerSettings() throws IOException {
    Map<String, String> settings = StrictFiles.properties(Path.of("docker", "worker.properties"));
    settings.keySet().removeIf(name -> !name.startsWith("connector.client.config.override."));
    settings.put("consumer.metadata.max.age.ms", "5000");
    return settings;
  }

  private static void assertRefusesOtherOverrides(ConnectClient connect) throws IOException {
    Map<String, String> settings = StrictFiles.settings(CompactedTopic.parse(page("json")));
    String sink = settings.get("connector.class");
    assertThat(connect.validate(sink, settings).keySet())
        .noneMatch(name -> name.contains("override"));
    String other = "consumer.override.bootstrap.servers";
    settings.put(other, "elsewhere:9092");
    assertThat(connect.validate(sink, settings)).containsKey(other);
  }

  private static Map<String, String> unwrapped() {
    return Map.of(
        "transforms", "unwrap",
        "transforms.unwrap.type", "io.debezium.transforms.ExtractNewRecordState",
        "transforms.unwrap.delete.tombstone.handling.mode", "rewrite");
  }

  /** The first block of that language on the page. */
  private static String page(String language) {
    String page = Io.unchecked(() -> Files.readString(Path.of("docs", "consuming.md")));
    Matcher block = Pattern.compile("```" + language + "\n(.*?)```", Pattern.DOTALL).matcher(page);
    assertThat(block.find()).isTrue();
    return block.group(1);
  }

  /** Types all that the customers of the service have, as a user would. */
  private void widen(ConsumedStore store) throws IOException {
    Path typed = folder.resolve(store.connector.name() + "-typed");
    store
        .tool("discover", "--resource", SimulatedLocation.CUSTOMERS, "--out", typed.toString())
        .succeeded();
    for (Path file : Io.list(typed)) {
      if (file.toString().endsWith(".json")) {
        Map<String, String> settings = StrictFiles.settings(StrictFiles.json(file));
        // The others are as they were, but for the key, which has become a reference.
        settings.keySet().removeIf(name -> !name.startsWith("resources."));
        settings.forEach(store.connector::set);
      }
    }
    store.connector.start();
  }

  /** A task whose database was gone may have failed, and waits for its operator. */
  private static void awaitEqual(
      ConnectClient connect, Postgres server, Sink sink, String resource) {
    String difference =
        Connector.await(
            resource + " of " + sink.name() + " equals the service's",
            () -> {
              if (connect.status(sink.name()).failed()) {
                System.out.println(connect.status(sink.name()));
                connect.restart(sink.name());
                connect.awaitRunning(sink.name());
              }
              return sink.difference(server, resource);
            },
            String::isEmpty);
    assertThat(difference).isEmpty();
  }

  private static void assertWidened(Postgres server, List<Sink> sinks) throws SQLException {
    for (Sink sink : sinks) {
      List<JsonNode> customers = sink.rows(server, SimulatedLocation.CUSTOMERS);
      assertThat(customers).anyMatch(row -> row.path("lastmodifieddateutc").isTextual());
    }
  }
}
