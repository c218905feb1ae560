package io.posconnect;

import static org.assertj.core.api.Assertions.assertThat;

import io.posconnect.simulator.Simulator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.slf4j.MDC;

/**
 * Connect sets the logging context only on its own threads; the connector sets it on its others.
 */
class LoggingContextTest {

  private static final String KEY = "connector.context";

  @AfterEach
  void leave() {
    MDC.remove(KEY);
  }

  @Test
  void fetchThreadsLogWithConnectorAndTask() {
    try (Simulator service = Simulator.builder().unlimited().start();
        TaskLog log = TaskLog.listen()) {
      Chain chain = Chain.of(service, 1);
      chain.location("store000").inventory().generate(1);
      MDC.put(KEY, "[chain|task-0] ");
      try (DrivenTask run = DrivenTask.start(chain.settings(50, "inventory"))) {
        run.until("a row", () -> !run.records("chain.inventory").isEmpty());
        service.revoke(Chain.key("store000"));
        run.until("a refusal", () -> log.text().contains("POS-201"));
      }
      assertThat(log.lines()).allMatch(line -> line.startsWith("ERROR [chain|task-0] POS-201"));
    }
  }
}
