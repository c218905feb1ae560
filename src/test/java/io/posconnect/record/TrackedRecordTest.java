package io.posconnect.record;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.AbstractMap;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.connect.data.Schema;
import org.apache.kafka.connect.data.SchemaBuilder;
import org.apache.kafka.connect.data.Struct;
import org.apache.kafka.connect.header.ConnectHeaders;
import org.junit.jupiter.api.Test;

class TrackedRecordTest {

  private static final Schema KEY = SchemaBuilder.struct().field("id", Schema.INT64_SCHEMA).build();

  /** A row whose content nobody may ask for. */
  private static final Struct UNREAD =
      new Struct(SchemaBuilder.struct().build()) {
        @Override
        public int hashCode() {
          throw new AssertionError("hashed");
        }

        @Override
        public boolean equals(Object other) {
          throw new AssertionError("compared");
        }
      };

  private final List<Boolean> acknowledgements = new ArrayList<>();

  private TrackedRecord record(long id) {
    Map<String, Object> offset =
        new AbstractMap<>() {
          @Override
          public Set<Entry<String, Object>> entrySet() {
            throw new AssertionError("read");
          }
        };
    Struct key = new Struct(KEY).put("id", id);
    Commit commit = new Commit(Map.of(), offset, acknowledgements::add);
    return new TrackedRecord(commit, "topic", key, UNREAD, 0, new ConnectHeaders());
  }

  @Test
  void isFoundInAHashMapWithoutItsContent() {
    TrackedRecord one = record(1);
    TrackedRecord same = record(1);
    assertThat(Set.of(one, same, record(2))).hasSize(3).contains(one, same);
  }

  @Test
  void isAcknowledgedOnce() {
    TrackedRecord record = record(1);
    assertThat(record.isDone()).isFalse();
    record.acknowledged(true);
    assertThat(record.isDone()).isTrue();
    record.acknowledged(false);
    assertThat(acknowledgements).containsExactly(true);
  }
}
