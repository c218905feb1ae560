package io.posconnect.simulator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.awaitility.Awaitility.await;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class SimulatorMainTest {

  private final ByteArrayOutputStream printed = new ByteArrayOutputStream();
  private final PrintStream out = new PrintStream(printed, true, StandardCharsets.UTF_8);

  @Test
  void printsWhereItIsAndKeepsTheStoresBusy() {
    try (SimulatorMain.Running running =
        SimulatorMain.start(
            out, "--key=a", "--key=b", "--products=10", "--events-per-second=200")) {
      String first = printed.toString(StandardCharsets.UTF_8).lines().findFirst().orElseThrow();
      assertThat(first).isEqualTo("base.url=" + running.service().baseUrl() + " api.key=a,b");
      Store store = running.service().store("b");
      int before = store.registerTransactions().size();
      await().until(() -> store.registerTransactions().size() > before);
    }
  }

  @Test
  void refusesWhatItDoesNotKnow() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> SimulatorMain.start(out, "--product=10").close())
        .withMessageContaining("--product");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> SimulatorMain.start(out, "--port=x").close())
        .withMessageContaining("--port");
  }
}
