package io.posconnect;

import static org.assertj.core.api.Assertions.assertThat;

import io.posconnect.DrivenTask.Event;
import io.posconnect.simulator.Endpoint;
import io.posconnect.simulator.Fault;
import io.posconnect.simulator.Faults.ActiveFault;
import io.posconnect.simulator.Simulator;
import io.posconnect.simulator.Table;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.kafka.connect.data.Struct;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * With {@code snapshot.mode=baseline} the first read emits nothing, and from then on each change is
 * one event. {@code -Dbaseline.rows=100000} reads a longer list.
 */
class BaselineTest {

  private static final int ROWS = Integer.getInteger("baseline.rows", 5_000);

  @AutoClose
  private final Simulator service = Simulator.builder().unlimited().withoutHistory().start();

  private final Table inventory = service.location().inventory();
  @AutoClose private final DrivenRuns runs = new DrivenRuns();

  @BeforeEach
  void fill() {
    for (int i = 1; i <= ROWS; i++) {
      inventory.createRaw("{\"inventoryId\":%d,\"revision\":1}".formatted(i));
    }
  }

  private Map<String, String> settings(String... more) {
    Map<String, String> settings = new TreeMap<>(DrivenTask.props(service, "inventory").map());
    settings.put("resources.inventory.snapshot.mode", "baseline");
    settings.put("resources.inventory.poll.interval.ms", "500");
    for (int i = 0; i < more.length; i += 2) {
      settings.put(more[i], more[i + 1]);
    }
    return settings;
  }

  /** Changes rows in every way; returns the events that are due. */
  private List<Event> change() {
    List<Event> due = new ArrayList<>();
    List<Long> ids = List.copyOf(inventory.ids());
    for (int i = 0; i < ids.size(); i += Math.max(1, ids.size() / 500)) {
      long id = ids.get(i);
      if (i % 5 == 4) {
        inventory.delete(id);
        due.add(new Event(id, "d", 0));
      } else {
        due.add(new Event(id, "u", inventory.update(id)));
      }
    }
    due.add(new Event(inventory.create(), "c", 1));
    return due;
  }

  private static void expect(DrivenTask run, List<Event> due) {
    run.until("every change", () -> run.events().size() >= due.size());
    run.fetches(2);
    assertThat(run.events()).containsExactlyInAnyOrderElementsOf(due);
  }

  @Test
  void firstReadEmitsNothingAndEachChangeAfterItIsOneEvent() {
    DrivenTask first = runs.start(settings("deletes.max.ratio", "1"), Map.of());
    first.fetches(2);

    assertThat(first.events()).isEmpty();
    List<Struct> checkpoints = first.values("pos.checkpoints");
    assertThat(checkpoints)
        .extracting(value -> value.getString("fetch_kind"))
        .startsWith("baseline", "reconciliation");
    Struct checkpoint = checkpoints.get(0);
    assertThat(checkpoint.getInt64("created")).isZero();
    assertThat(checkpoint.getInt64("seq")).isZero();
    assertThat(first.statuses("SNAPSHOT_STARTED"))
        .containsExactly("default/inventory SNAPSHOT_STARTED {\"mode\":\"baseline\"}");
    assertThat(first.statuses("SNAPSHOT_COMPLETED"))
        .singleElement()
        .asString()
        .contains("\"mode\":\"baseline\"");
    assertThat(first.statuses("BASELINE_STORED"))
        .last()
        .asString()
        .endsWith(" {\"keys\":\"%d\"}".formatted(ROWS));

    expect(first, change());
    first.close();
    expect(runs.start(settings("deletes.max.ratio", "1"), first.offsets()), change());
  }

  @Test
  void killedAtEveryTenthOfTheReadItEmitsNothing() {
    Map<Map<String, ?>, Map<String, Object>> offsets = Map.of();
    long bytes = inventory.ids().size() * 31L;
    for (int tenth = 1; tenth < 10; tenth++) {
      try (ActiveFault fault =
          service.faults().on(Endpoint.INVENTORY).then(Fault.cutAfter(bytes / 10 * tenth))) {
        DrivenTask run = runs.start(settings(), offsets);
        run.until("a part of it", () -> fault.hits() > 1);
        inventory.update(inventory.ids().get(tenth * 7));
        inventory.delete(inventory.ids().get(tenth * 11));
        run.close();
        assertThat(run.events()).isEmpty();
        offsets = run.offsets();
      }
    }
    DrivenTask last = runs.start(settings("deletes.max.ratio", "1"), offsets);
    last.fetches(2);
    assertThat(last.events()).isEmpty();
    expect(last, change());
  }

  @Test
  void laterSnapshotFillsTheTopicAndDeletesWhatVanished() {
    DrivenTask first = runs.start(settings(), Map.of());
    first.fetches(2);
    first.close();
    long gone = inventory.ids().get(0);
    inventory.delete(gone);

    DrivenTask filled = runs.start(settings("snapshot.id", "june"), first.offsets());
    filled.until("every row", () -> filled.events().size() >= ROWS);
    filled.fetches(2);

    assertThat(filled.events()).contains(new Event(gone, "d", 0)).hasSize(ROWS);
    assertThat(filled.folded()).hasSize(ROWS - 1);
  }

  @Test
  void hasNoEffectOnStreamThatHasEvents() {
    Map<String, String> initial = settings();
    initial.remove("resources.inventory.snapshot.mode");
    DrivenTask first = runs.start(initial, Map.of());
    first.until("every row", () -> first.events().size() >= ROWS);
    first.fetches(2);
    first.close();
    try (TaskLog log = TaskLog.listen()) {
      DrivenTask second = runs.start(settings("deletes.max.ratio", "1"), first.offsets());
      expect(second, change());

      assertThat(log.lines())
          .singleElement()
          .satisfies(line -> assertThat(line).startsWith("WARN POS-614 default/inventory: "))
          .satisfies(Messages::assertExplained);
    }
  }

  @Test
  void positionSetToNullEmitsWhatChangedSince() {
    DrivenTask first = runs.start(settings(), Map.of());
    first.fetches(2);
    first.close();
    long changed = inventory.ids().get(3);
    int revision = inventory.update(changed);
    Map<Map<String, ?>, Map<String, Object>> offsets = new HashMap<>(first.offsets());
    offsets.remove(Map.of("stream", "default/inventory"));

    expect(runs.start(settings(), offsets), List.of(new Event(changed, "u", revision)));
  }
}
