package io.posconnect.task;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.posconnect.config.Props;
import io.posconnect.config.SourceConfig;
import io.posconnect.fetch.Buffer;
import io.posconnect.fetch.Scheduler;
import io.posconnect.record.Commit;
import io.posconnect.record.Commit.Delivery;
import io.posconnect.record.TrackedRecord;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.utils.Time;
import org.apache.kafka.connect.data.Schema;
import org.apache.kafka.connect.data.SchemaBuilder;
import org.apache.kafka.connect.data.Struct;
import org.apache.kafka.connect.header.ConnectHeaders;
import org.apache.kafka.connect.source.SourceRecord;
import org.junit.jupiter.api.Test;

class RunningTaskTest {

  private static final Schema KEY = SchemaBuilder.struct().field("id", Schema.INT64_SCHEMA).build();

  /** Connect only logs what an acknowledgement throws, so no checkpoint would ever follow. */
  @Test
  void failsWhenMemoryRunsOutInAnAcknowledgement() {
    Buffer buffer = new Buffer(10, 1_000, false);
    Scheduler idle = new Scheduler(List.of(), "task", buffer, Time.SYSTEM);
    SourceConfig config = Props.one().config();
    try (RunningTask task =
        new RunningTask(config, buffer, idle, new ArrayDeque<>(List.of(idle)), Time.SYSTEM)) {
      OutOfMemoryError error = new OutOfMemoryError("Java heap space");
      SourceRecord record =
          record(
              written -> {
                throw error;
              });

      assertThatThrownBy(() -> task.acknowledged(record, true)).isSameAs(error);
      assertThatThrownBy(task::poll).hasCause(error);
    }
  }

  private static SourceRecord record(Delivery delivery) {
    return new TrackedRecord(
        new Commit(Map.of(), Map.of(), delivery),
        "topic",
        new Struct(KEY).put("id", 1L),
        null,
        0,
        new ConnectHeaders());
  }
}
