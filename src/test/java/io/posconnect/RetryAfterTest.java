package io.posconnect;

import static org.assertj.core.api.Assertions.assertThat;

import io.posconnect.problem.Text;
import io.posconnect.simulator.Fault;
import io.posconnect.simulator.RequestLog.LoggedRequest;
import io.posconnect.simulator.Simulator;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A task waits as long as {@code Retry-After} requires, up to a limit. */
class RetryAfterTest {

  private static final String INVENTORY = "/reporting/inventory";
  private static final Pattern NEXT = Pattern.compile("Attempt \\d+ follows in (\\d+ m?s)");

  private static Map<String, String> settings(Simulator service) {
    Map<String, String> settings = new TreeMap<>(Chain.of(service, 1).settings(50, "inventory"));
    settings.put("retry.backoff.ms", "20");
    settings.put("retry.backoff.max.ms", "1500");
    return settings;
  }

  /** From the failed request to the one after it, in milliseconds; -1 before that. */
  private static long pause(Simulator service, int status) {
    List<LoggedRequest> requests = service.requests(INVENTORY);
    for (int i = 0; i + 1 < requests.size(); i++) {
      if (requests.get(i).status() == status) {
        return Duration.ofNanos(requests.get(i + 1).nanos() - requests.get(i).nanos()).toMillis();
      }
    }
    return -1;
  }

  private static String loggedPause(TaskLog log) {
    return NEXT.matcher(log.text())
        .results()
        .map(found -> found.group(1))
        .findFirst()
        .orElseThrow();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          429 | 1                             | 1000 | 1000
          429 | 31536000                      | 1500 | 1500
          429 | Fri, 31 Dec 9999 23:59:59 GMT | 1500 | 1500
          429 | 1.5                           |    0 |   20
          503 | 1                             | 1000 | 1000
          503 | 0                             |    0 |   20
          """)
  void keepsRetryAfterUpToTheLongestBackOff(
      int status, String retryAfter, long atLeast, long atMost) {
    try (Simulator service = Simulator.builder().unlimited().start();
        TaskLog log = TaskLog.listen()) {
      Chain.of(service, 1).location("store000").inventory().generate(3);
      try (DrivenTask run = DrivenTask.start(settings(service))) {
        run.until("reads", () -> service.requests(INVENTORY).size() > 3);
        Fault fault = Fault.status(status).and(Fault.header("Retry-After", retryAfter));
        service.faults().on(INVENTORY).times(1).then(fault);
        run.until("another attempt", () -> pause(service, status) >= 0);
        assertThat(pause(service, status)).isGreaterThanOrEqualTo(atLeast);
        assertThat(loggedPause(log))
            .matches(atLeast < atMost ? "\\d+ ms" : Text.duration(Duration.ofMillis(atMost)));
        assertThat(run.failure()).isNull();
      }
    }
  }
}
