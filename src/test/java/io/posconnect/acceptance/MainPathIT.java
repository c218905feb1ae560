package io.posconnect.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import io.posconnect.cluster.Cluster;
import io.posconnect.cluster.SharedCluster;
import io.posconnect.cluster.TopicRecord;
import io.posconnect.simulator.SimulatedLocation;
import io.posconnect.simulator.SimulatedLocation.InitialRows;
import io.posconnect.simulator.Simulator;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.apache.avro.generic.GenericRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Every published resource becomes typed events, exactly one for each row, on real parts. */
@ExtendWith(SharedCluster.class)
class MainPathIT {

  private static final Map<String, Integer> ROWS =
      Map.of(
          SimulatedLocation.PRODUCTS, 5_000,
          SimulatedLocation.CUSTOMERS, 3_000,
          SimulatedLocation.REGISTER_TRANSACTIONS, 2_000,
          SimulatedLocation.INVENTORY, 4_000,
          SimulatedLocation.LOCATIONS, 1,
          SimulatedLocation.LOYALTY, 500);

  @Test
  void snapshotsEqualTheServiceFieldByField(Cluster cluster) {
    try (Simulator service = Simulator.builder().unlimited().start()) {
      SimulatedLocation location = service.location();
      service.fill(location, new InitialRows(5_000, 3_000, 2_000, Duration.ofDays(10), 4_000, 500));
      try (Connector connector = new Connector(cluster, "snapshot", service)) {
        connector
            .eager(ROWS.keySet().toArray(String[]::new))
            // Few rows would let the windows grow.
            .set("window.max.ms", "86400000")
            .set("start.from", service.now().minus(Duration.ofHours(10 * 24 + 1)).toString())
            .start();
        ROWS.keySet().forEach(resource -> connector.awaitTruth(location, resource));

        ROWS.forEach((resource, rows) -> assertReadOnce(connector.events(resource), rows));
        assertBackfilledInWindows(
            connector.checkpoints("default", SimulatedLocation.REGISTER_TRANSACTIONS));
        assertKeepsTheRest(connector.events(SimulatedLocation.PRODUCTS), 60);
      }
    }
  }

  private static void assertReadOnce(List<TopicRecord> events, int rows) {
    assertThat(events).hasSize(rows);
    assertThat(events).extracting(event -> event.at("op")).containsOnly("r");
    assertThat(events).extracting(event -> String.valueOf(event.key())).doesNotHaveDuplicates();
  }

  /** Days side by side without a gap, the newest of them open. */
  private static void assertBackfilledInWindows(List<TopicRecord> checkpoints) {
    List<TopicRecord> windows =
        checkpoints.stream()
            .filter(checkpoint -> "backfill".equals(checkpoint.at("fetch_kind")))
            .toList();
    List<TopicRecord> filled =
        windows.stream().filter(window -> (long) window.at("created") > 0).toList();
    assertThat(filled).hasSizeGreaterThanOrEqualTo(10);
    assertThat(filled.stream().mapToLong(window -> (long) window.at("created")).sum())
        .isEqualTo(2_000);
    for (int i = 1; i < windows.size(); i++) {
      assertThat(time(windows.get(i), "window_from"))
          .isBefore(time(windows.get(i - 1), "window_to"))
          .isAfterOrEqualTo(time(windows.get(i - 1), "window_to").minusSeconds(1));
    }
    assertThat(windows.get(windows.size() - 1).at("window_to")).isNull();
  }

  private static Instant time(TopicRecord checkpoint, String field) {
    return Instant.ofEpochMilli((long) checkpoint.at(field));
  }

  private static void assertKeepsTheRest(List<TopicRecord> events, int fields) {
    assertThat(events)
        .extracting(event -> (GenericRecord) event.at("after"))
        .allSatisfy(
            row -> assertThat(CompactedTopic.row(row).size()).isGreaterThanOrEqualTo(fields))
        .allSatisfy(row -> assertThat(row.get("extra")).isNotNull());
  }
}
