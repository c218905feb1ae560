package io.posconnect;

import static io.posconnect.simulator.Endpoint.INVENTORY;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.posconnect.config.Props;
import io.posconnect.simulator.Simulator;
import java.time.Duration;
import java.util.function.Supplier;
import org.apache.kafka.common.utils.Time;
import org.junit.jupiter.api.Test;

/** While nobody polls nothing is asked for and nothing grows; then it goes on. */
class PausedTest {

  private static final Duration SOON = Duration.ofSeconds(30);
  private static final Duration A_WHILE = Duration.ofMillis(700);

  /** Monotonic time that can be made to pass. */
  private static final class PassingTime implements Time {
    private volatile long passed;

    @Override
    public long milliseconds() {
      return SYSTEM.milliseconds();
    }

    @Override
    public long nanoseconds() {
      return SYSTEM.nanoseconds() + passed;
    }

    @Override
    public void sleep(long millis) {
      SYSTEM.sleep(millis);
    }

    @Override
    public void waitObject(Object object, Supplier<Boolean> condition, long deadline)
        throws InterruptedException {
      SYSTEM.waitObject(object, condition, deadline);
    }
  }

  @Test
  void whileNobodyPollsNoRequestIsMadeUntilSomebodyPollsAgain() {
    try (Simulator service = Simulator.builder().unlimited().start()) {
      service.location().inventory().generate(5);
      PassingTime time = new PassingTime();
      Props props = DrivenTask.props(service, "inventory");
      try (DrivenTask task = DrivenTask.start(props::map, time)) {
        task.fetches(3);
        task.pause();
        time.passed = Duration.ofSeconds(11).toNanos();
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
