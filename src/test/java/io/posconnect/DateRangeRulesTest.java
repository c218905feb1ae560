package io.posconnect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.posconnect.config.Props;
import io.posconnect.location.ClientFactory;
import io.posconnect.problem.Incident;
import io.posconnect.simulator.Endpoint;
import io.posconnect.simulator.Fault;
import io.posconnect.simulator.RequestLog.LoggedRequest;
import io.posconnect.simulator.SimulatedLocation;
import io.posconnect.simulator.Simulator;
import io.posconnect.simulator.SimulatorBuilder;
import io.posconnect.simulator.Table;
import io.posconnect.validation.FakeApi;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Whatever rules a service has for the bounds of a date range, each of its rows arrives once. */
final class DateRangeRulesTest {

  private static final Duration HISTORY = Duration.ofDays(40);

  private static Simulator service(boolean bothBounds, int longestDays, boolean inclusive) {
    SimulatorBuilder rules = Simulator.builder().inclusive(inclusive, inclusive).unlimited();
    if (bothBounds) {
      rules.needsBothBounds();
    }
    if (longestDays > 0) {
      rules.longestRange(Duration.ofDays(longestDays));
    }
    return rules.start();
  }

  private static Props props(Simulator service) {
    return DrivenTask.props(service, SimulatedLocation.REGISTER_TRANSACTIONS)
        .with("resources.register-transactions.lookback.ms", "3000")
        .with("start.from", start(service).toString())
        .with("reconcile.interval.ms", "1000")
        .with("retry.backoff.ms", "20");
  }

  /** Before every row, and in the past by each clock. */
  private static Instant start(Simulator service) {
    Instant local = Instant.now();
    Instant earlier = service.now().isBefore(local) ? service.now() : local;
    return earlier.minus(HISTORY).minusSeconds(1);
  }

  private static Table fill(Simulator service) {
    Table table = service.location().registerTransactions();
    for (int hours = 0; hours < HISTORY.toHours(); hours += 7) {
      table.createAt(service.now().minus(Duration.ofHours(hours)));
    }
    return table;
  }

  private static List<LoggedRequest> requests(Simulator service) {
    return service.requests(Endpoint.REGISTER_TRANSACTIONS);
  }

  private static Instant bound(LoggedRequest request, String name) {
    String query = URLDecoder.decode(request.query(), StandardCharsets.UTF_8);
    return Instant.parse(query.replaceAll(".*" + name + "=([^&]*).*", "$1"));
  }

  private static Duration span(LoggedRequest request) {
    return Duration.between(
        bound(request, "fromLastModifiedDateUTC"), bound(request, "toLastModifiedDateUTC"));
  }

  private static List<Incident> faults(Props props) {
    return FakeApi.validator(ClientFactory.sharing()).faults(props.config());
  }

  @ParameterizedTest
  @CsvSource({
    "false, 0, false, PT0S",
    "true, 0, false, PT0S",
    "true, 0, true, PT8760H",
    "true, 5, false, PT0S",
    "false, 5, true, PT-8760H",
    "true, 1, false, PT-8760H",
    "true, 31, true, PT8760H",
  })
  void readsServiceWithAnyRuleForBounds(
      boolean bothBounds, int longestDays, boolean inclusive, Duration skew) {
    try (Simulator service = service(bothBounds, longestDays, inclusive)) {
      service.skew(skew);
      Table table = fill(service);
      assertThat(faults(props(service))).isEmpty();
      try (DrivenTask task = DrivenTask.start(props(service).map())) {
        task.rows(table);
        for (int i = 1; i <= 5; i++) {
          table.create();
          table.update(i);
          task.rows(table);
        }
        service.faults().on(Endpoint.REGISTER_TRANSACTIONS).times(3).then(Fault.status(503));
        service.faults().on(Endpoint.REGISTER_TRANSACTIONS).times(1).then(Fault.cutChunks());
        table.create();
        task.rows(table);
        task.fetches(5);
        task.assertEachRevisionOnce(table);
      }
      assertThat(requests(service)).allMatch(request -> !span(request).isNegative());
    }
  }

  @ParameterizedTest
  @CsvSource({"1", "5", "31"})
  void neverAsksForMoreThanTheLongestWindow(int days) {
    Duration longest = Duration.ofDays(days);
    try (Simulator service = service(true, days, false)) {
      Table table = fill(service);
      Props props = props(service).with("window.max.ms", Long.toString(longest.toMillis()));
      assertThat(faults(props)).isEmpty();
      try (DrivenTask task = DrivenTask.start(props.map())) {
        task.rows(table);
        table.create();
        task.rows(table);
        task.fetches(5);
      }
      // The service may still answer what the task asked last.
      await().until(() -> requests(service).stream().allMatch(LoggedRequest::finished));
      assertThat(requests(service))
          .allMatch(request -> request.status() == 200)
          .allMatch(request -> span(request).compareTo(longest) <= 0);
    }
  }

  /** Less than the first window, by which a configuration is tried. */
  @Test
  void namesSettingWhereServiceNeverAllowsLongestWindow() {
    Duration allowed = Duration.ofHours(6);
    try (Simulator service = Simulator.builder().longestRange(allowed).unlimited().start()) {
      fill(service);
      assertThat(faults(props(service)))
          .singleElement()
          .asString()
          .contains("POS-113", "lower window.max.ms");
      Props fitting = props(service).with("window.max.ms", Long.toString(allowed.toMillis()));
      assertThat(faults(fitting)).isEmpty();
    }
  }

  @Test
  void readsWindowsThatAreShorterThanTheLookback() {
    try (Simulator service = service(true, 0, false)) {
      Table table = service.location().registerTransactions();
      Props props =
          props(service)
              .with("start.from", service.now().minus(Duration.ofMinutes(20)).toString())
              .with("resources.register-transactions.lookback.ms", "600000")
              .with("reconcile.interval.ms", "0")
              .with("window.max.ms", "60000");
      try (DrivenTask task = DrivenTask.start(props.map())) {
        task.fetches(30);
        for (int i = 0; i < 3; i++) {
          table.create();
          table.createAt(service.now().minus(Duration.ofMinutes(8)));
          task.rows(table);
        }
        assertThat(task.events()).doesNotHaveDuplicates();
      }
      assertThat(requests(service))
          .allMatch(request -> span(request).compareTo(Duration.ofMinutes(1)) <= 0);
    }
  }
}
