package io.posconnect.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.posconnect.cluster.Artefacts;
import io.posconnect.cluster.Cluster;
import io.posconnect.cluster.Program;
import io.posconnect.cluster.SharedCluster;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Flink reads every topic through the tables that the tool prints, as they are printed. */
@Tag("practice")
@ExtendWith(SharedCluster.class)
class FlinkIT {

  private static final Path READER = Path.of("src", "test", "cluster", "flink", "ReadTables.java");
  private static final int EVENTS = 400;

  @TempDir private Path folder;

  @ParameterizedTest
  @ValueSource(strings = {"envelope", "flat"})
  void printedTablesHoldTheRowsOfTheService(String format, Cluster cluster) throws Exception {
    try (ConsumedStore store = new ConsumedStore(cluster, "flink-" + format, folder)) {
      if (format.equals("flat")) {
        withTransform(store.connector);
      }
      store.connector.set("event.format", format).start();
      store.churn(EVENTS);
      store.awaitPublished();

      read(cluster, store);

      for (String resource : ConsumedStore.RESOURCES) {
        List<JsonNode> table = lines(store.table(resource)).map(FlinkIT::row).toList();
        List<String> rows = ConsumedStore.ROWS.rows(table);
        System.out.printf("%s: %d rows of %s in Flink%n", format, rows.size(), resource);
        assertThat(CompactedTopic.difference(rows, store.truth(resource))).as(resource).isEmpty();
      }
      assertThat(lines("flink_" + format + "_checkpoints")).hasSize(6);
    }
  }

  /** One of Kafka's own that fails at a tombstone, kept from it as the page says. */
  private static void withTransform(Connector connector) {
    connector
        .set("transforms", "store")
        .set("transforms.store.type", "org.apache.kafka.connect.transforms.HeaderFrom$Value")
        .set("transforms.store.fields", "location")
        .set("transforms.store.headers", "store")
        .set("transforms.store.operation", "copy")
        .set("transforms.store.predicate", "isTombstone")
        .set("transforms.store.negate", "true")
        .set("predicates", "isTombstone")
        .set(
            "predicates.isTombstone.type",
            "org.apache.kafka.connect.transforms.predicates.RecordIsTombstone");
  }

  /** The row that an envelope holds; a flat one is the row. */
  private static JsonNode row(String line) {
    JsonNode columns = CompactedTopic.parse(line);
    return columns.path("after").isObject() ? columns.path("after") : columns;
  }

  private void read(Cluster cluster, ConsumedStore store) throws IOException {
    String printed =
        store
            .tool("schemas", "--flink")
            .succeeded()
            .replace("'BROKERS'", "'" + cluster.bootstrapServers() + "'")
            .replace("'REGISTRY'", "'" + cluster.registry().confluentUrl() + "'");
    Path statements = Files.writeString(folder.resolve("flink.sql"), printed);
    String[] arguments =
        Stream.of(
                Stream.of(statements.toString(), folder.toString()),
                store.tables(),
                Stream.of(store.table("checkpoints")))
            .flatMap(all -> all)
            .toArray(String[]::new);
    Program.source(Artefacts.consumer("flink"), READER, arguments).succeeded();
  }

  private Stream<String> lines(String table) throws IOException {
    return Files.readAllLines(folder.resolve(table)).stream();
  }
}
