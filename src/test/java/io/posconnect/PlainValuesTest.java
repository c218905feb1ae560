package io.posconnect;

import static org.assertj.core.api.Assertions.assertThat;

import io.posconnect.config.Props;
import io.posconnect.simulator.Endpoint;
import io.posconnect.simulator.Endpoint.Style;
import io.posconnect.simulator.Simulator;
import io.posconnect.simulator.Table;
import java.util.List;
import java.util.Optional;
import org.apache.kafka.connect.data.Struct;
import org.apache.kafka.connect.source.SourceRecord;
import org.junit.jupiter.api.Test;

/** A list of plain values, such as reason codes: each value is a row. */
class PlainValuesTest {

  private final Simulator service =
      Simulator.builder()
          .unlimited()
          .endpoint(new Endpoint("/reasons", "reasons", Style.FULL, Optional.empty(), 1_000_000))
          .start();
  private final Table reasons = service.location().table("reasons");

  private Props props(String key) {
    return DrivenTask.props(service, "reasons")
        .with("resources.reasons.path", "/reasons")
        .with("resources.reasons.retrieval", "full")
        .with("resources.reasons.key.fields", key)
        .with("deletes.max.ratio", "1")
        .with("deletes.confirm.ms", "0");
  }

  private static List<Object> keys(DrivenTask task, String op) {
    return task.keys("pos.reasons", op, "value");
  }

  @Test
  void eachValueIsRowAndItsOwnKey() {
    try (service) {
      long damaged = reasons.createRaw("\"Damaged \\u00e9\"");
      reasons.createRaw("\"Returned\"");
      reasons.createRaw("17");
      reasons.createRaw("true");
      reasons.createRaw("null");
      try (DrivenTask task = DrivenTask.start(props("value").map())) {
        task.until("four rows", () -> keys(task, "r").size() == 4);
        assertThat(keys(task, "r"))
            .containsExactlyInAnyOrder("Damaged \u00e9", "Returned", "17", "true");
        assertThat(task.records("pos.dead-letters"))
            .extracting(PlainValuesTest::reason)
            .containsOnly("not an object");

        reasons.delete(damaged);
        reasons.createRaw("\"Lost\"");
        task.until("the new one", () -> keys(task, "c").equals(List.of("Lost")));
        task.until("the old one", () -> keys(task, "d").equals(List.of("Damaged \u00e9")));
      }
    }
  }

  @Test
  void deadLetterNamesTheRemedyWithoutThatKey() {
    try (service) {
      reasons.createRaw("\"Returned\"");
      try (DrivenTask task = DrivenTask.start(props("code").map())) {
        task.until("a dead letter", () -> !task.records("pos.dead-letters").isEmpty());
        assertThat(reason(task.records("pos.dead-letters").get(0)))
            .isEqualTo("not an object: key.fields=value makes rows of plain values");
      }
    }
  }

  private static String reason(SourceRecord letter) {
    return ((Struct) letter.value()).getString("reason");
  }
}
