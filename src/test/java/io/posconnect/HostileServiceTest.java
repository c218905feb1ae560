package io.posconnect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.posconnect.simulator.Endpoint;
import io.posconnect.simulator.Fault;
import io.posconnect.simulator.Simulator;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.kafka.connect.data.Struct;
import org.apache.kafka.connect.source.SourceRecord;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * A hostile answer is a logged error of its stream and does not end the task. An endless body is
 * read up to a limit: the process of a test has a gigabyte.
 */
class HostileServiceTest {

  private static final Duration SOON = Duration.ofSeconds(30);

  private final Simulator service = Simulator.builder().unlimited().withoutHistory().start();

  @AfterEach
  void close() {
    service.close();
  }

  private static Map<String, List<String>> operations(DrivenTask run, String resource) {
    Map<String, List<String>> operations = new TreeMap<>();
    for (SourceRecord record : run.records("chain." + resource)) {
      operations
          .computeIfAbsent(((Struct) record.key()).getString("location"), any -> new ArrayList<>())
          .add(((Struct) record.value()).getString("op"));
    }
    return operations;
  }

  /** Unreadable rows, each between two good ones. */
  private static List<String> brokenRows() {
    return List.of(
        "[".repeat(5_000) + "]".repeat(5_000),
        "{\"inventoryId\":7,\"a\":" + "9".repeat(5_000) + "}",
        "{\"inventoryId\":8,\"" + "n".repeat(5_000) + "\":1}",
        "{\"inventoryId\":9,\"a\":\"" + "x".repeat(2_000_000) + "\"}",
        "{\"inventoryId\":10" + ",\"a\":1".repeat(120_000) + "}",
        "{\"inventoryId\":11,\"a\":[" + "1,".repeat(120_000) + "1]}");
  }

  @Test
  void emitsUnreadableRowAsDeadLetterBesideOthers() {
    Chain chain = Chain.of(service, 1);
    chain.location("store000").inventory().create();
    StringBuilder body = new StringBuilder("[");
    int id = 100;
    for (String broken : brokenRows()) {
      body.append("{\"inventoryId\":").append(id++).append("},").append(broken).append(',');
    }
    body.append("{\"inventoryId\":").append(id).append(",\"a\":\"\\ud800\"}]");
    service.faults().on(Endpoint.INVENTORY).then(Fault.json(body.toString()));
    try (DrivenTask run = DrivenTask.start(chain.settings(20, "inventory"))) {
      run.fetches(3);
      assertThat(operations(run, "inventory").get("store000"))
          .isEqualTo(Collections.nCopies(brokenRows().size() + 1, "r"));
      List<SourceRecord> letters = run.records("chain.dead-letters");
      assertThat(letters)
          .as("each emitted once")
          .extracting(letter -> ((Struct) letter.value()).getInt64("row_bytes"))
          .containsExactlyElementsOf(
              brokenRows().stream().map(row -> (long) row.length()).toList());
      assertThat(letters)
          .extracting(letter -> ((Struct) letter.value()).getString("reason"))
          .allMatch(reason -> reason.startsWith("too large: more than "));
      assertThat(letters)
          .extracting(letter -> ((Struct) letter.value()).getString("row_json"))
          .allMatch(raw -> raw.startsWith("\"") && raw.length() < 300_000);
      assertThat(run.failure()).isNull();
    }
  }

  @Test
  void failsTaskForTooLargeRowOnlyIfConfigured() {
    Chain chain = Chain.of(service, 1);
    chain.location("store000").inventory().create();
    String row = "{\"inventoryId\":1,\"a\":\"" + "x".repeat(2_000) + "\"}";
    service.faults().on(Endpoint.INVENTORY).then(Fault.json("[" + row + "]"));
    Map<String, String> settings = chain.settings(20, "inventory");
    settings.put("row.max.bytes", "1024");
    settings.put("errors.rows", "skip");
    try (DrivenTask run = DrivenTask.start(settings)) {
      run.fetches(2);
      assertThat(run.records("chain.dead-letters")).isEmpty();
      assertThat(run.records("chain.inventory")).isEmpty();
    }
    settings.put("errors.rows", "fail");
    try (DrivenTask run = DrivenTask.start(settings)) {
      await().atMost(SOON).until(() -> run.failure() != null);
      assertThat(run.failure())
          .hasMessageContaining("POS-501 store000/inventory: ")
          .hasMessageContaining("too large: more than 1024 bytes of one row");
    }
  }
}
