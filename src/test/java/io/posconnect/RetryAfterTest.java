package io.posconnect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.posconnect.simulator.Fault;
import io.posconnect.simulator.LoggedRequest;
import io.posconnect.simulator.Simulator;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a service asks for with {@code Retry-After}, and what a task makes of it. */
class RetryAfterTest {

  private static final String INVENTORY = "/reporting/inventory";

  private static Map<String, String> settings(Simulator service) {
    Map<String, String> settings = new TreeMap<>(Chain.of(service, 1).settings(50, "inventory"));
    settings.put("retry.backoff.ms", "20");
    settings.put("retry.backoff.max.ms", "2500");
    return settings;
  }

  /** From the refused request to the one after it, in milliseconds. */
  private static long pauseAfterA429(Simulator service) {
    List<LoggedRequest> requests = service.requests(INVENTORY);
    for (int i = 0; i + 1 < requests.size(); i++) {
      if (requests.get(i).status() == 429) {
        return Duration.ofNanos(requests.get(i + 1).nanos() - requests.get(i).nanos()).toMillis();
      }
    }
    return -1;
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          1                             | 1000 | 2400
          31536000                      | 2500 | 7000
          99999999999999999999          | 2500 | 7000
          Fri, 31 Dec 9999 23:59:59 GMT | 2500 | 7000
          Mon, 01 Jan 2001 00:00:00 GMT |    0 | 1400
          -5                            |    0 | 1400
          soon                          |    0 | 1400
          1.5                           |    0 | 1400
          0                             |    0 | 1400
          """)
  void isHonouredUpToTheLongestBackOffAndIgnoredWhenItMakesNoSense(
      String retryAfter, long atLeast, long lessThan) {
    try (Simulator service = Simulator.builder().unlimited().start()) {
      Chain.of(service, 1).store("store000").inventory().generate(3);
      try (TaskRun run = TaskRun.start(settings(service))) {
        await().until(() -> service.requests(INVENTORY).size() > 3);
        service.faults().on(INVENTORY).times(1).then(Fault.throttled(retryAfter));
        await().until(() -> pauseAfterA429(service) >= 0);
        assertThat(pauseAfterA429(service)).isBetween(atLeast, lessThan);
        assertThat(run.failure()).isNull();
      }
    }
  }
}
