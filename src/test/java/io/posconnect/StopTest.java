package io.posconnect;

import static org.assertj.core.api.Assertions.assertThat;

import io.posconnect.simulator.Fault;
import io.posconnect.simulator.Faults.ActiveFault;
import io.posconnect.simulator.Simulator;
import java.time.Duration;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A task that is stopped on purpose, in the middle of something. */
class StopTest {

  static Stream<Fault> waits() {
    return Stream.of(Fault.silentBody(), Fault.slowHeaders(Duration.ofMinutes(1)));
  }

  @ParameterizedTest
  @MethodSource("waits")
  void logsNothingAboutCanceledRequest(Fault wait) {
    try (Simulator service = Simulator.builder().unlimited().start();
        TaskLog log = TaskLog.listen()) {
      Chain chain = Chain.of(service, 1);
      chain.location("store000").inventory().generate(3);
      try (ActiveFault fault = service.faults().on("/reporting/inventory").then(wait)) {
        try (DrivenTask run = DrivenTask.start(chain.settings(50, "inventory"))) {
          run.until("a request", () -> fault.hits() > 0);
          assertThat(run.failure()).isNull();
        }
      }
      assertThat(log.lines()).isEmpty();
    }
  }
}
