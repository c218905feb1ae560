package io.posconnect;

import static org.assertj.core.api.Assertions.assertThat;

import io.posconnect.simulator.Endpoint;
import io.posconnect.simulator.Fault;
import io.posconnect.simulator.Simulator;
import java.util.Map;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** What becomes of a broken row is configured. */
class RowErrorsTest {

  @AutoClose
  private final Simulator service = Simulator.builder().unlimited().withoutHistory().start();

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
      assertThat(run.death())
          .hasMessageContaining("POS-501 store000/inventory: ")
          .hasMessageMatching(".*too large: more than 1024 bytes of one row.* restart the task .*");
    }
  }
}
