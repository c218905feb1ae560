package io.posconnect;

import static org.assertj.core.api.Assertions.assertThat;

import io.posconnect.DrivenTask.Event;
import io.posconnect.simulator.Endpoint;
import io.posconnect.simulator.Fault;
import io.posconnect.simulator.Simulator;
import io.posconnect.simulator.Table;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * A setting changes on a running connector and changes back, with rows that are created, updated
 * and deleted in between: nothing is lost, and nothing is told twice but where the docs say so.
 */
class ChangedSettingTest {

  private static final int ROWS = 30;

  @AutoClose
  private final Simulator service = Simulator.builder().unlimited().withoutHistory().start();

  private final List<Event> consumed = new ArrayList<>();
  @AutoClose private DrivenTask run;
  private Table table;

  private void run(String resource, String settings) {
    Map<String, String> props = new TreeMap<>(DrivenTask.props(service, resource).map());
    props.put("lookback.ms", "1000");
    props.put("reconcile.interval.ms", "300");
    for (String setting : settings.split(" ", -1)) {
      String[] parts = setting.split("=", 2);
      props.put(parts[0].replaceFirst("^~", "resources." + resource + "."), parts[1]);
    }
    if (resource.equals("inventory")) {
      props.remove("lookback.ms");
    }
    if (run != null) {
      run.close();
      assertThat(run.failure()).isNull();
      consumed.addAll(run.events());
    }
    run = run == null ? DrivenTask.start(props) : run.restart(props);
  }

  private Map<Long, Integer> truth() {
    List<Event> all = new ArrayList<>(consumed);
    all.addAll(run.events());
    return DrivenTask.folded(all);
  }

  private void awaitTruth() {
    run.until("the truth", () -> truth().equals(table.revisions()));
  }

  private void change(boolean deletes) {
    table.update(table.ids().get(1));
    table.create();
    if (deletes) {
      table.delete(table.ids().get(2));
    }
    awaitTruth();
  }

  private boolean isSuspended() {
    return !run.statuses("SUSPENDED").isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          # Taken over: no event but of what changes.
          inventory | row.max.bytes=900000 | row.max.bytes=16384 | QUIET
          inventory | tombstones.on.delete=true | tombstones.on.delete=false | QUIET
          inventory | digest.max.keys=1000000 | digest.max.keys=100 | QUIET
          inventory | errors.rows=skip | errors.rows=fail | QUIET
          inventory | deletes.max.ratio=0 deletes.confirm.ms=0 | deletes.max.ratio=1 | QUIET
          inventory | checkpoints.topic=pos.checkpoints | checkpoints.topic=other.checkpoints | QUIET
          inventory | ~fields= | ~fields=productId:long,quantityAvailable:decimal | QUIET
          customers | ~snapshot=list | ~snapshot=pages | QUIET
          customers | ~snapshot=pages | ~snapshot=pages ~page.size=7 | QUIET
          customers | ~snapshot=pages ~page.size=1 | batch.max.records=2 buffer.max.bytes=1 | QUIET
          products | lookback.ms=0 | lookback.ms=1000 | QUIET
          products | reconcile.interval.ms=1 | reconcile.interval.ms=500 | QUIET
          products | decimal.handling.mode=precise | decimal.handling.mode=double | QUIET
          products | decimal.handling.mode=string | decimal.handling.mode=double | QUIET
          register-transactions | start.from=earliest | start.from=now | QUIET_KEPT
          register-transactions | reconcile.window.ms=0 | reconcile.window.ms=604800000 | QUIET_KEPT
          register-transactions | window.max.ms=31536000000 | window.max.ms=60000 | QUIET_KEPT
          register-transactions | lookback.ms=0 | lookback.ms=86400000 | QUIET_KEPT
          products | reconcile.interval.ms=0 | reconcile.interval.ms=300 | QUIET_KEPT
          products | snapshot.mode=initial | snapshot.mode=baseline | QUIET
          products | poll.interval.ms=1 | poll.interval.ms=50 | QUIET
          # One more snapshot.
          inventory | snapshot.id= | snapshot.id=a | REPEATS
          inventory | ~ignore.fields= | ~ignore.fields=quantityAvailable | REPEATS
          inventory | topic.template={prefix}.{resource} | topic.template={prefix}.{location}.{resource} | REPEATS
          products | ~exclude.fields= | ~exclude.fields=name | REPEATS
          customers | ~retrieval=modified-since | ~retrieval=pages | REPEATS
          customers | ~retrieval=pages | ~retrieval=full ~path=/customer/customers | REPEATS
          register-transactions | ~retrieval=date-range | ~retrieval=modified-since | REPEATS_KEPT
          products | hash.salt=0123456789abcdef ~hash.fields=name | hash.salt=fedcba9876543210 ~hash.fields=name | REPEATS
          # Refused.
          inventory | schema.namespace=io.posconnect | schema.namespace=com.example | SUSPENDED
          """)
  void isTakenOverInBothDirections(String resource, String former, String later, String outcome) {
    table = service.location().table(resource);
    table.generate(ROWS);
    boolean deletes = !outcome.endsWith("KEPT");
    run(resource, former);
    awaitTruth();
    run.snapshots(1);
    change(deletes);
    run.fetches(2);

    run(resource, later);
    expect(outcome);
    if (!outcome.equals("SUSPENDED")) {
      change(deletes);
      run.fetches(2);
    }

    run(resource, former);
    expect(outcome.equals("SUSPENDED") ? "QUIET" : outcome);
    change(deletes);
  }

  /** Its row is a dead letter while the limit is low, and an event once it is not. */
  @Test
  void rowThatChangesWhileItIsTooLargeIsToldLater() {
    table = service.location().inventory();
    table.generate(ROWS);
    run("inventory", "row.max.bytes=900000");
    awaitTruth();
    run.snapshots(1);

    run("inventory", "row.max.bytes=1024");
    table.update(table.ids().get(1));
    table.create();
    table.delete(table.ids().get(2));
    run.until("the delete", () -> run.events().size() == 1);
    run.fetches(3);
    assertThat(run.events()).hasSize(1).allMatch(event -> event.op().equals("d"));

    run("inventory", "row.max.bytes=900000");
    awaitTruth();
    run.fetches(3);
    assertThat(run.operations("pos.inventory")).containsExactlyInAnyOrder("c", "u");
  }

  /** A consumer has it, so it is none that is new at the till. */
  @Test
  void rowThatTheLatestSnapshotLacksIsReadLater() {
    table = service.location().inventory();
    table.generate(ROWS);
    run("inventory", "snapshot.id=");
    awaitTruth();
    run.snapshots(1);

    try (var loss = service.faults().on(Endpoint.INVENTORY).then(Fault.firstHalf())) {
      run("inventory", "snapshot.id=a");
      run.fetches(2);
    }
    run.until("the rest", () -> run.events().size() >= ROWS);
    assertThat(run.operations("pos.inventory")).hasSize(ROWS).containsOnly("r");
  }

  /**
   * A decimal that is written as a text is another key than that text: the digest would find every
   * row new and every key of before gone, and the deletes would hit the rows that are there.
   */
  @Test
  void keyThatBecomesDecimalIsAnotherKeyThoughBothAreTexts() {
    service.location().inventory().generate(ROWS);
    String things =
        "~path=/reporting/inventory ~retrieval=full ~key.fields=inventoryId deletes.max.ratio=1"
            + " decimal.handling.mode=string";
    run("things", things);
    run.until("the snapshot", () -> run.events().size() == ROWS);
    run.snapshots(1);

    run("things", things + " ~fields=inventoryId:decimal");
    run.until("suspended", () -> isSuspended() || !run.events().isEmpty());
    assertThat(run.events()).isEmpty();

    run("things", things);
    run.fetches(3);
    assertThat(run.events()).isEmpty();
  }

  private void expect(String outcome) {
    int rows = table.revisions().size();
    if (outcome.startsWith("REPEATS")) {
      run.until("the snapshot", () -> run.events().size() >= rows);
      run.snapshots(1);
      run.fetches(3);
      assertThat(run.events()).hasSize(rows).allMatch(event -> event.op().equals("r"));
    } else if (outcome.startsWith("QUIET")) {
      run.fetches(3);
      assertThat(run.events()).isEmpty();
    } else {
      run.until("suspended", this::isSuspended);
      assertThat(run.events()).isEmpty();
    }
  }
}
