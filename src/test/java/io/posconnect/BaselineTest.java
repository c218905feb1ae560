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
import org.apache.kafka.common.utils.Time;
import org.apache.kafka.connect.data.Struct;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * With {@code snapshot.mode=baseline} the first read emits nothing, and from then on each change is
 * one event. {@code -Dbaseline.rows=100000} reads a longer list.
 */
class BaselineTest {

  private static final int ROWS = Integer.getInteger("baseline.rows", 5_000);

  private final Simulator service = Simulator.builder().unlimited().withoutHistory().start();
  private final Table inventory = service.location().inventory();
  private final List<DrivenTask> runs = new ArrayList<>();

  @BeforeEach
  void fill() {
    for (int i = 1; i <= ROWS; i++) {
      inventory.createRaw("{\"inventoryId\":%d,\"revision\":1}".formatted(i));
    }
  }

  @AfterEach
  void close() {
    runs.forEach(DrivenTask::close);
    service.close();
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

  private DrivenTask run(
      Map<String, String> settings, Map<Map<String, ?>, Map<String, Object>> offsets) {
    DrivenTask run = DrivenTask.start(settings, Time.SYSTEM, new HashMap<>(offsets));
    runs.add(run);
    return run;
  }

  private static List<Struct> values(DrivenTask run, String topic) {
    return run.records(topic).stream().map(record -> (Struct) record.value()).toList();
  }

  private static List<String> kinds(DrivenTask run) {
    return values(run, "pos.checkpoints").stream().map(v -> v.getString("fetch_kind")).toList();
  }

  private static List<String> statuses(DrivenTask run, String type) {
    return values(run, "pos.status").stream()
        .filter(value -> value.getString("type").equals(type))
        .map(value -> value.getString("additional_data"))
        .toList();
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
    DrivenTask first = run(settings("deletes.max.ratio", "1"), Map.of());
    first.fetches(2);

    assertThat(first.events()).isEmpty();
    assertThat(kinds(first)).startsWith("baseline", "reconciliation");
    Struct checkpoint = values(first, "pos.checkpoints").get(0);
    assertThat(checkpoint.getInt64("created")).isZero();
    assertThat(checkpoint.getInt64("seq")).isZero();
    assertThat(statuses(first, "SNAPSHOT_STARTED")).containsExactly("{\"mode\":\"baseline\"}");
    assertThat(statuses(first, "SNAPSHOT_COMPLETED"))
        .singleElement()
        .asString()
        .contains("\"mode\":\"baseline\"");
    assertThat(
            statuses(first, "BASELINE_STORED").get(statuses(first, "BASELINE_STORED").size() - 1))
        .isEqualTo("{\"keys\":\"%d\"}".formatted(ROWS));

    expect(first, change());
    first.close();
    expect(run(settings("deletes.max.ratio", "1"), first.offsets()), change());
  }

  @Test
  void killedAtEveryTenthOfTheReadItEmitsNothing() {
    Map<Map<String, ?>, Map<String, Object>> offsets = Map.of();
    long bytes = inventory.ids().size() * 31L;
    for (int tenth = 1; tenth < 10; tenth++) {
      try (ActiveFault fault =
          service.faults().on(Endpoint.INVENTORY).then(Fault.cutAfter(bytes / 10 * tenth))) {
        DrivenTask run = run(settings(), offsets);
        run.until("a part of it", () -> fault.hits() > 1);
        inventory.update(inventory.ids().get(tenth * 7));
        inventory.delete(inventory.ids().get(tenth * 11));
        run.close();
        assertThat(run.events()).isEmpty();
        offsets = run.offsets();
      }
    }
    DrivenTask last = run(settings("deletes.max.ratio", "1"), offsets);
    last.fetches(2);
    assertThat(last.events()).isEmpty();
    expect(last, change());
  }

  @Test
  void laterSnapshotFillsTheTopicAndDeletesWhatVanished() {
    DrivenTask first = run(settings(), Map.of());
    first.fetches(2);
    first.close();
    long gone = inventory.ids().get(0);
    inventory.delete(gone);

    DrivenTask filled = run(settings("snapshot.id", "june"), first.offsets());
    filled.until("every row", () -> filled.events().size() >= ROWS);
    filled.fetches(2);

    assertThat(filled.events()).contains(new Event(gone, "d", 0)).hasSize(ROWS);
    assertThat(filled.folded()).hasSize(ROWS - 1);
  }

  @Test
  void hasNoEffectOnStreamThatHasEvents() {
    Map<String, String> initial = settings();
    initial.remove("resources.inventory.snapshot.mode");
    DrivenTask first = run(initial, Map.of());
    first.until("every row", () -> first.events().size() >= ROWS);
    first.fetches(2);
    first.close();
    try (TaskLog log = TaskLog.listen()) {
      DrivenTask second = run(settings("deletes.max.ratio", "1"), first.offsets());
      expect(second, change());

      assertThat(log.lines())
          .singleElement()
          .satisfies(line -> assertThat(line).startsWith("WARN POS-614 default/inventory: "))
          .satisfies(Messages::assertExplained);
    }
  }

  @Test
  void positionSetToNullEmitsWhatChangedSince() {
    DrivenTask first = run(settings(), Map.of());
    first.fetches(2);
    first.close();
    long changed = inventory.ids().get(3);
    int revision = inventory.update(changed);
    Map<Map<String, ?>, Map<String, Object>> offsets = new HashMap<>(first.offsets());
    offsets.remove(Map.of("stream", "default/inventory"));

    expect(run(settings(), offsets), List.of(new Event(changed, "u", revision)));
  }
}
