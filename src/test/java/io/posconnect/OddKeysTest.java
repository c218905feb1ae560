package io.posconnect;

import static org.assertj.core.api.Assertions.assertThat;

import io.posconnect.simulator.Simulator;
import io.posconnect.simulator.Table;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.kafka.connect.data.Struct;
import org.apache.kafka.connect.source.SourceRecord;
import org.junit.jupiter.api.Test;

/** Whatever text a key is, its row is told once, known after a restart, and deleted under it. */
class OddKeysTest {

  private static final List<String> KEYS =
      List.of(
          "",
          " ",
          " x ",
          "x",
          "X",
          "\\u0000",
          "\\u0000x",
          "\\ufeffx",
          "\\ud834\\udd1e",
          "\ud83d\ude00",
          "\u00e9",
          "e\u0301",
          "\\\"",
          "\\\\",
          "[\\\"x\\\"]",
          "!0",
          "a/b",
          "\\ufffd",
          "a".repeat(1000),
          "\u00e9".repeat(500));

  private static Map<String, String> settings(Simulator service) {
    Map<String, String> settings = new TreeMap<>(DrivenTask.props(service, "things").map());
    settings.put("resources.things.path", "/reporting/inventory");
    settings.put("resources.things.retrieval", "full");
    settings.put("resources.things.key.fields", "id");
    settings.put("deletes.max.ratio", "1");
    return settings;
  }

  private static List<Object> keys(DrivenTask run, String op) {
    List<Object> keys = new ArrayList<>();
    for (SourceRecord record : run.records("pos.things")) {
      if (record.value() != null && ((Struct) record.value()).getString("op").equals(op)) {
        keys.add(((Struct) record.key()).get("id"));
      }
    }
    return keys;
  }

  @Test
  void rowIsDeletedUnderTheKeyThatItCameWith() {
    try (Simulator service = Simulator.builder().unlimited().withoutHistory().start()) {
      Table table = service.location().inventory();
      KEYS.forEach(key -> table.createRaw("{\"id\":\"" + key + "\"}"));
      DrivenTask run = DrivenTask.start(settings(service));
      run.until("all", () -> keys(run, "r").size() == KEYS.size());
      run.fetches(2);
      List<Object> told = keys(run, "r");
      assertThat(told).hasSize(KEYS.size()).doesNotHaveDuplicates();
      assertThat(run.records("pos.dead-letters")).isEmpty();

      try (DrivenTask later = run.restart(settings(service))) {
        later.fetches(2);
        assertThat(later.events()).isEmpty();
        table.ids().forEach(table::delete);
        later.until("all deleted", () -> keys(later, "d").size() >= KEYS.size());
        assertThat(keys(later, "d")).containsExactlyInAnyOrderElementsOf(told);
      }
    }
  }
}
