package io.posconnect;

import static org.assertj.core.api.Assertions.assertThat;

import io.posconnect.DrivenTask.Event;
import io.posconnect.config.Props;
import io.posconnect.simulator.Endpoint;
import io.posconnect.simulator.Fault;
import io.posconnect.simulator.Faults.ActiveFault;
import io.posconnect.simulator.Faults.Aim;
import io.posconnect.simulator.SimulatedLocation;
import io.posconnect.simulator.SimulatedLocation.InitialRows;
import io.posconnect.simulator.Simulator;
import io.posconnect.simulator.Table;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** A task emits no delete of a row that the service still has, whatever its lists show. */
class DeletesTest {

  @AutoClose private final Simulator service = Simulator.builder().unlimited().start();
  private final SimulatedLocation location = service.location();

  private DrivenTask start(Props props, Table table) {
    DrivenTask task = DrivenTask.start(props.map());
    task.until("every row", () -> task.events().size() >= table.size());
    task.fetches(3);
    return task;
  }

  private static List<Event> since(DrivenTask task, int known) {
    List<Event> all = task.events();
    return all.subList(known, all.size());
  }

  private static boolean isFull(String query) {
    return !query.contains("fromLast");
  }

  private Aim ofLists() {
    return service.faults().on(Endpoint.PRODUCTS).whenQuery(DeletesTest::isFull);
  }

  private void fill(int products, int customers) {
    service.fill(location, new InitialRows(products, customers, 0, Duration.ofDays(2), 0, 0));
  }

  @Test
  void ignoresBrokenBodiesAndStaleReplicas() {
    fill(100, 0);
    Table table = location.products();
    Props props =
        DrivenTask.props(service, "products")
            .with("reconcile.interval.ms", "100")
            .with("lookback.ms", "1000");
    try (DrivenTask task = start(props, table)) {
      table.delete(7);
      table.updateAt(8, service.now().minus(Duration.ofDays(1)));
      Instant changed = service.now();
      task.until("both are found", () -> task.events().size() >= 102);
      assertThat(since(task, 100))
          .containsExactlyInAnyOrder(new Event(8, "u", table.revision(8)), new Event(7, "d", 0));

      ActiveFault broken = ofLists().times(4).then(Fault.cutChunks());
      task.until("four bodies are broken", () -> broken.hits() == 4);
      task.fetches(3);
      assertThat(since(task, 102)).as("a truncated list proves nothing").isEmpty();

      // An older list would show the deleted row, and no increment would contradict it.
      task.until("the replica has both", () -> service.now().isAfter(changed.plusMillis(600)));
      ActiveFault stale = ofLists().then(Fault.stale(Duration.ofMillis(500)));
      LongStream.range(20, 30).forEach(table::update);
      task.until("four lists are stale", () -> stale.hits() >= 4);
      stale.close();
      task.fetches(4);
      assertThat(task.folded()).isEqualTo(table.revisions());
      assertThat(since(task, 102)).extracting(Event::op).containsOnly("u").hasSize(10);
    }
  }

  @Test
  void deletesNoRowThatShiftsBetweenPages() {
    fill(0, 200);
    Table table = location.customers();
    Props props =
        DrivenTask.props(service, "customers")
            .with("resources.customers.snapshot", "pages")
            .with("resources.customers.page.size", "20")
            .with("reconcile.interval.ms", "1")
            .with("lookback.ms", "1");
    try (DrivenTask task = start(props, table)) {
      // Each delete moves every later row one place up, mostly while pages are read.
      for (long id = 1; id <= 20; id += 2) {
        table.delete(id);
        int requests = service.requests(Endpoint.CUSTOMERS_PAGINATED).size();
        task.until(
            "three pages",
            () -> service.requests(Endpoint.CUSTOMERS_PAGINATED).size() > requests + 3);
      }
      task.until("all deletes", () -> task.events().size() >= 210);
      task.fetches(3);
      assertThat(task.folded()).isEqualTo(table.revisions());
      assertThat(since(task, 200)).extracting(Event::op).containsOnly("d").hasSize(10);
    }
  }
}
