package io.posconnect.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import io.posconnect.cluster.Cluster;
import io.posconnect.cluster.SharedCluster;
import io.posconnect.simulator.Endpoint;
import io.posconnect.simulator.Fault;
import io.posconnect.simulator.Faults.ActiveFault;
import io.posconnect.simulator.SimulatedLocation;
import io.posconnect.simulator.Simulator;
import io.posconnect.simulator.Table;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * A worker that is killed with -9 at every tenth of a baseline emits nothing of what was there, and
 * then each change once. {@code -Dbaseline.rows=5000} reads a shorter list.
 */
@Tag("practice")
@ExtendWith(SharedCluster.class)
class BaselineIT {

  private static final String RESOURCE = SimulatedLocation.INVENTORY;
  private static final int ROWS = Integer.getInteger("baseline.rows", 100_000);
  private static final int CHANGES = 500;
  private static final String ROW = "{\"inventoryId\":%d,\"revision\":1}";

  @Test
  void killedAtEveryTenthOfTheReadItEmitsNothingButChanges(Cluster cluster) {
    try (Simulator service = Simulator.builder().unlimited().withoutHistory().start();
        Connector connector = new Connector(cluster, "baseline", service)) {
      Table rows = service.location().table(RESOURCE);
      long bytes = 0;
      for (int id = 1; id <= ROWS; id++) {
        String row = ROW.formatted(id);
        bytes += row.length() + 1;
        rows.createRaw(row);
      }
      connector
          .eager(RESOURCE)
          .set("resources." + RESOURCE + ".snapshot.mode", "baseline")
          .set("reconcile.interval.ms", "5000")
          .set("validate.connection", "false");
      for (int tenth = 1; tenth < 10; tenth++) {
        try (ActiveFault part =
            service.faults().on(Endpoint.INVENTORY).then(Fault.silentAfter(bytes / 10 * tenth))) {
          if (tenth == 1) {
            connector.start();
          } else {
            cluster.worker(0).start();
          }
          long least = before(tenth);
          Connector.await("a part is read", () -> part.hits() > 0 && stored(connector) > least);
          cluster.worker(0).kill9();
        }
        System.out.printf("killed at tenth %d: %d keys stored%n", tenth, stored(connector));
        rows.update(rows.ids().get(tenth * 7));
        rows.delete(rows.ids().get(tenth * 11));
      }
      cluster.worker(0).start();
      Connector.await(
          "the baseline is complete",
          () ->
              connector.checkpoints("default", RESOURCE).stream()
                  .anyMatch(checkpoint -> "reconciliation".equals(checkpoint.at("fetch_kind"))));
      assertThat(connector.events(RESOURCE)).isEmpty();

      Map<Long, Event> due = change(rows);
      Connector.await(
          "every change", () -> Event.of(connector.events(RESOURCE)).size() >= due.size());
      int checkpoints = connector.checkpoints("default", RESOURCE).size();
      Connector.await(
          "two reads more",
          () -> connector.checkpoints("default", RESOURCE).size() >= checkpoints + 2);
      List<Event> events =
          Event.of(connector.events(RESOURCE)).stream()
              .filter(event -> !event.op().equals("t"))
              .toList();
      System.out.printf(
          "%d rows, 0 events; then %d changes, %d events%n", ROWS, due.size(), events.size());
      assertThat(events).containsExactlyInAnyOrderElementsOf(due.values());
      NumberCheck.assertComplete(
          connector.events(RESOURCE), connector.checkpoints("default", RESOURCE), RESOURCE);
    }
  }

  /** Less than a read up to that tenth stores, and more than the one before it did. */
  private static long before(int tenth) {
    return (long) ROWS / 10 * tenth - ROWS / 20;
  }

  /** How many keys the baseline has stored. */
  private static long stored(Connector connector) {
    return connector.statuses("BASELINE_STORED").stream()
        .map(CompactedTopic::parse)
        .mapToLong(part -> part.path("keys").asLong())
        .max()
        .orElse(0);
  }

  private static Map<Long, Event> change(Table rows) {
    Map<Long, Event> due = new HashMap<>();
    List<Long> ids = new ArrayList<>(rows.ids());
    for (int i = 0; i < ids.size(); i += ids.size() / CHANGES) {
      long id = ids.get(i);
      if (i % 5 == 4) {
        rows.delete(id);
        due.put(id, new Event(id, "d", 0));
      } else {
        due.put(id, new Event(id, "u", rows.update(id)));
      }
    }
    long created = rows.create();
    due.put(created, new Event(created, "c", 1));
    return due;
  }
}
