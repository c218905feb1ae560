package io.posconnect;

import static org.assertj.core.api.Assertions.assertThat;

import io.posconnect.simulator.Simulator;
import io.posconnect.simulator.Table;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
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

  @Test
  void rowIsDeletedUnderTheKeyThatItCameWith() {
    try (Simulator service = Simulator.builder().unlimited().withoutHistory().start()) {
      Table table = service.location().inventory();
      KEYS.forEach(key -> table.createRaw("{\"id\":\"" + key + "\"}"));
      DrivenTask run = DrivenTask.start(settings(service));
      run.until("all", () -> run.keys("pos.things", "r", "id").size() == KEYS.size());
      run.fetches(2);
      List<Object> told = run.keys("pos.things", "r", "id");
      assertThat(told).hasSize(KEYS.size()).doesNotHaveDuplicates();
      assertThat(run.records("pos.dead-letters")).isEmpty();

      try (DrivenTask later = run.restart(settings(service))) {
        later.fetches(2);
        assertThat(later.events()).isEmpty();
        table.ids().forEach(table::delete);
        later.until("all deleted", () -> later.keys("pos.things", "d", "id").size() >= KEYS.size());
        assertThat(later.keys("pos.things", "d", "id")).containsExactlyInAnyOrderElementsOf(told);
      }
    }
  }
}
