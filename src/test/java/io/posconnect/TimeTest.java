package io.posconnect;

import static org.assertj.core.api.Assertions.assertThat;

import io.posconnect.config.Props;
import io.posconnect.simulator.Fault;
import io.posconnect.simulator.SimulatedLocation;
import io.posconnect.simulator.SimulatedLocation.InitialRows;
import io.posconnect.simulator.Simulator;
import io.posconnect.simulator.Table;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * With any clocks, the connector misses no change and emits none twice. The crash law varies rows
 * that are late within the lookback, and dates that are wrong once.
 */
final class TimeTest {

  private static final InitialRows SOME = new InitialRows(60, 1, 60, Duration.ofDays(3), 0, 0);

  @AutoClose private final Simulator service = Simulator.builder().unlimited().start();

  @BeforeEach
  void fill() {
    service.fill(service.location(), SOME);
  }

  private static Props products(Simulator service, Duration lookback) {
    return DrivenTask.props(service, SimulatedLocation.PRODUCTS)
        .with("resources.products.lookback.ms", Long.toString(lookback.toMillis()))
        .with("reconcile.interval.ms", "0");
  }

  private static Props transactions(Simulator service, Duration lookback) {
    return DrivenTask.props(service, SimulatedLocation.REGISTER_TRANSACTIONS)
        .with("resources.register-transactions.lookback.ms", Long.toString(lookback.toMillis()))
        .with("start.from", service.now().minus(Duration.ofDays(4)).toString())
        .with("reconcile.interval.ms", "0");
  }

  private static void assertEachChangeOnce(DrivenTask task, Table table) {
    task.fetches(3);
    task.assertEachRevisionOnce(table);
  }

  private static void changeAndFollow(DrivenTask task, Table table, int changes) {
    for (int i = 0; i < changes; i++) {
      table.update(1 + i % table.size());
      table.create();
      task.rows(table);
    }
  }

  @Test
  void storesWatermarksInMilliseconds() {
    try (DrivenTask task = DrivenTask.start(products(service, Duration.ofSeconds(3)).map())) {
      task.fetches(3);
      assertThat(task.offsets().values())
          .filteredOn(offset -> offset.containsKey("watermark"))
          .isNotEmpty()
          .allSatisfy(
              offset ->
                  assertThat(offset.get("watermark").toString()).matches("[^.]*(\\.\\d{3})?Z"));
    }
  }

  @Test
  void followsServerWhoseClockJumps() {
    Table table = service.location().products();
    try (DrivenTask task = DrivenTask.start(products(service, Duration.ofSeconds(3)).map())) {
      task.rows(table);
      for (long minutes : new long[] {120, -60, 0, 300, -300, 5, -5}) {
        service.skew(Duration.ofMinutes(minutes));
        changeAndFollow(task, table, 3);
      }
      assertEachChangeOnce(task, table);
    }
  }

  @Test
  void usesLocalClockUpToTwoMinutesAheadWithoutDate() {
    Table table = service.location().products();
    service.skew(Duration.ofSeconds(-118));
    service.faults().everywhere().then(Fault.noDate());
    try (DrivenTask task = DrivenTask.start(products(service, Duration.ofSeconds(1)).map())) {
      task.rows(table);
      changeAndFollow(task, table, 10);
      assertEachChangeOnce(task, table);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"PT0S", "PT3H", "PT-90S"})
  void stampsEventWithDateOfItsResponse(String skew) {
    service.skew(Duration.parse(skew));
    Instant earliest = service.now().truncatedTo(ChronoUnit.SECONDS);
    Table table = service.location().products();
    try (DrivenTask task = DrivenTask.start(products(service, Duration.ofSeconds(3)).map())) {
      task.rows(table);
      assertThat(times(task)).hasSize(table.size()).allMatch(t -> !t.isBefore(earliest));
      assertThat(times(task)).allMatch(t -> !t.isAfter(service.now()));
    }
  }

  @Test
  void stampsEventWithArrivalWithoutDate() {
    service.skew(Duration.ofHours(3));
    service.faults().everywhere().then(Fault.noDate());
    Instant earliest = Instant.now().truncatedTo(ChronoUnit.MILLIS);
    Table table = service.location().products();
    try (DrivenTask task = DrivenTask.start(products(service, Duration.ofSeconds(1)).map())) {
      task.rows(table);
      assertThat(times(task)).allMatch(t -> !t.isBefore(earliest) && !t.isAfter(Instant.now()));
    }
  }

  /** The {@code source.ts_ms} of each event. */
  private static List<Instant> times(DrivenTask task) {
    return task.values("pos.products").stream()
        .map(value -> Instant.ofEpochMilli(value.getStruct("source").getInt64("ts_ms")))
        .toList();
  }

  @Test
  void ignoresLocalClockWhileThereIsDate() {
    Table table = service.location().products();
    ShiftedTime local = new ShiftedTime();
    try (DrivenTask task = DrivenTask.start(products(service, Duration.ofSeconds(3))::map, local)) {
      task.rows(table);
      for (long hours : new long[] {5, -5, 48, -48}) {
        local.set(Duration.ofHours(hours));
        changeAndFollow(task, table, 3);
      }
      assertEachChangeOnce(task, table);
    }
  }

  @ParameterizedTest
  @CsvSource({"true,true", "true,false", "false,true", "false,false"})
  void readsRowsOnInclusiveOrExclusiveBounds(boolean from, boolean to) {
    Simulator service = Simulator.builder().inclusive(from, to).unlimited().start();
    try (service) {
      Table table = service.location().registerTransactions();
      Instant begin = service.now().minus(Duration.ofDays(2)).truncatedTo(ChronoUnit.SECONDS);
      // On every bound of every window, beside it, and many on one.
      for (Instant at = begin.plusSeconds(1);
          at.isBefore(service.now());
          at = at.plus(Duration.ofHours(3))) {
        for (long millis : new long[] {-1000, -1, 0, 0, 0, 1, 999, 1000}) {
          table.createAt(at.plusMillis(millis));
        }
      }
      Props props =
          transactions(service, Duration.ofSeconds(3))
              .with("start.from", begin.minusSeconds(1).toString())
              .with("window.max.ms", Long.toString(Duration.ofHours(3).toMillis()));
      try (DrivenTask task = DrivenTask.start(props.map())) {
        task.rows(table);
        changeAndFollow(task, table, 5);
        assertEachChangeOnce(task, table);
      }
    }
  }

  @Test
  void readsManyRowsOfOneMoment() {
    Table table = service.location().products();
    try (DrivenTask task = DrivenTask.start(products(service, Duration.ofSeconds(3)).map())) {
      task.rows(table);
      Instant moment = service.now();
      for (int i = 0; i < 200; i++) {
        table.createAt(moment);
      }
      table.ids().subList(0, 50).forEach(id -> table.updateAt(id, moment));
      task.rows(table);
      assertEachChangeOnce(task, table);
    }
  }

  @Test
  void findsLateRowsOfDateRangeWithinReconcileWindow() {
    Table table = service.location().registerTransactions();
    Props props =
        transactions(service, Duration.ofSeconds(3))
            .with("reconcile.interval.ms", "300")
            .with("reconcile.window.ms", Long.toString(Duration.ofDays(2).toMillis()));
    try (DrivenTask task = DrivenTask.start(props.map())) {
      task.rows(table);
      int known = task.events().size();
      long beyond = table.createAt(service.now().minus(Duration.ofHours(49)));
      long within = table.createAt(service.now().minus(Duration.ofHours(47)));
      task.until("the late row", () -> task.events().size() > known);
      task.fetches(20);
      assertThat(task.events().subList(known, task.events().size()))
          .containsExactly(new DrivenTask.Event(within, "c", 1));
      assertThat(beyond).isLessThan(within);
    }
  }

  @Test
  void repeatsFirstWindowOnlyAfterRestartAtLeastOnce() {
    Table table = service.location().products();
    table.ids().forEach(table::update);
    Props props = products(service, Duration.ofMinutes(10)).without("exactly.once.support");
    try (DrivenTask task = DrivenTask.start(props.map())) {
      task.rows(table);
      task.fetches(3);
      assertThat(task.events()).hasSize(table.size());

      task.restart();
      task.fetches(3);
      assertThat(task.events()).as("its first window").hasSize(2 * table.size());
    }
  }
}
