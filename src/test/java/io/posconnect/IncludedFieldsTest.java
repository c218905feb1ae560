package io.posconnect;

import static org.assertj.core.api.Assertions.assertThat;

import io.posconnect.metrics.Readings;
import io.posconnect.simulator.Endpoint;
import io.posconnect.simulator.Endpoint.Style;
import io.posconnect.simulator.Simulator;
import io.posconnect.simulator.Table;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.kafka.connect.source.SourceRecord;
import org.junit.jupiter.api.Test;

/** Of a resource with a list of fields to keep no other value is written anywhere. */
class IncludedFieldsTest {

  private static final String MARK = "planted-";

  @Test
  void otherFieldsAreInNoRecordOffsetOrLogAndAreReportedOnce() {
    try (Simulator service =
            Simulator.builder()
                .unlimited()
                .endpoint(
                    new Endpoint("/people", "people", Style.FULL, Optional.empty(), 1_000_000))
                .start();
        TaskLog log = TaskLog.listenToEverything()) {
      Table people = service.location().table("people");
      people.createRaw(
          "{\"id\":1,\"city\":\"Zug\",\"a\":{\"b\":5,\"c\":\"%s\"},\"mail\":\"%s\"}"
              .formatted(MARK, MARK));
      people.createRaw("\"%s\"".formatted(MARK));
      // It is believed when it comes twice. With a comma behind its last field its end would be
      // uncertain, and no row of the list could be read.
      people.createRaw("{\"id\":3,\"c\":\"%s\",\"mail\":01}".formatted(MARK));
      people.createRaw("{\"city\":\"Bern\",\"mail\":\"%s\"}".formatted(MARK));
      List<SourceRecord> records = new ArrayList<>();
      DrivenTask task =
          DrivenTask.start(
              DrivenTask.props(service, "people")
                  .with("resources.people.path", "/people")
                  .with("resources.people.retrieval", "full")
                  .with("resources.people.key.fields", "id")
                  .with("retry.backoff.ms", "1")
                  .with("retry.backoff.max.ms", "1")
                  .with("resources.people.include.fields", "ID,city,a.b")
                  .map());
      try (task) {
        task.until("the letters", () -> task.records("pos.dead-letters").size() >= 3);
        task.fetches(3);
        people.createRaw("{\"id\":5,\"phone\":\"%s\",\"mail\":\"\"}".formatted(MARK));
        task.until("the new row", () -> task.records("pos.people").size() == 2);
        task.fetches(3);
        for (String topic : List.of("people", "dead-letters", "status", "checkpoints")) {
          records.addAll(task.records("pos." + topic));
        }
        assertThat(Readings.inJmx("stream-metrics,resource=people", "unlisted-fields"))
            .isEqualTo(4);
      }

      assertThat(records.toString() + task.offsets() + log.text()).doesNotContain(MARK);
      assertThat(task.records("pos.people").get(0).value().toString()).contains("Zug", "{\"b\":5}");
      assertThat(task.statuses("FIELD_UNLISTED"))
          .satisfiesExactly(
              status -> assertThat(status).contains("rows have the field a.c, c, mail."),
              status -> assertThat(status).contains("rows have the field phone."));
    }
  }
}
