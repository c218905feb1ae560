package io.posconnect;

import static io.posconnect.simulator.Endpoint.INVENTORY;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.posconnect.config.Props;
import io.posconnect.simulator.Simulator;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** While a worker does not poll, the task sends no requests; then it resumes. */
class PausedTest {

  private static final Duration SOON = Duration.ofSeconds(30);
  private static final Duration A_WHILE = Duration.ofMillis(700);

  @Test
  void sendsNoRequestsUntilPolledAgain() {
    try (Simulator service = Simulator.builder().unlimited().start()) {
      service.location().inventory().generate(5);
      ShiftedTime time = new ShiftedTime();
      Props props = DrivenTask.props(service, "inventory");
      try (DrivenTask task = DrivenTask.start(props::map, time)) {
        task.fetches(3);
        task.pause();
        time.pass(Duration.ofSeconds(11));
        // One may be under way.
        int[] seen = {-1};
        await()
            .atMost(SOON)
            .during(A_WHILE)
            .pollInterval(A_WHILE.dividedBy(5))
            .until(() -> isStill(service, seen));

        service.location().inventory().create();
        task.resume();

        task.until("the new row", () -> task.folded().size() == 6);
        task.fetches(3);
        assertThat(task.failure()).isNull();
      }
    }
  }

  private static boolean isStill(Simulator service, int[] seen) {
    int before = seen[0];
    seen[0] = service.requests(INVENTORY).size();
    return seen[0] == before;
  }
}
