package io.posconnect.tool;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SimulateTest {

  @Test
  void printsAddressAndKeysFirstAndEndsInTime() {
    Run run =
        Run.of("simulate", "--seconds", "1", "--key", "k1", "--key", "k2", "--host", "127.0.0.2")
            .ending(0);
    assertThat(run.out().lines().findFirst().orElseThrow())
        .matches("base.url=http://127.0.0.2:\\d+ api.key=k1,k2");
  }

  @ParameterizedTest
  @CsvSource({
    "--port, 70000, --port is not between 0 and 65535",
    "--faults, 1.5, --faults is not between 0 and 1",
    "--changes, -1, --changes is not between 0 and 1000",
    "--key=a, --key=a, --key a is given twice",
  })
  void refusesWhatItCannotDo(String option, String value, String reason) {
    Run run =
        Run.of("simulate", "--seconds", "1", option, value).ending(ExitCode.UNREADABLE.number);
    assertThat(run.text()).contains(reason);
  }

  @Test
  void reportsPortThatIsInUse() throws IOException {
    try (ServerSocket other = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      Run run =
          Run.of("simulate", "--seconds", "1", "--port", other.getLocalPort())
              .ending(ExitCode.BROKEN.number);
      assertThat(run.text()).contains("cannot listen on port " + other.getLocalPort());
    }
  }
}
