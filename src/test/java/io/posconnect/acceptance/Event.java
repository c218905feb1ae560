package io.posconnect.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import io.posconnect.cluster.TopicRecord;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.avro.generic.GenericRecord;
import org.apache.avro.generic.IndexedRecord;

/**
 * One change event, as far as tests count them.
 *
 * @param id the last field of the key
 * @param op its {@code op}, or {@code t} for a tombstone
 * @param revision the row's, 0 where the event has no row or the row no revision
 */
record Event(long id, String op, int revision) {

  static List<Event> of(Collection<TopicRecord> records) {
    List<Event> events = new ArrayList<>();
    records.forEach(record -> events.add(of(record)));
    return events;
  }

  static Event of(TopicRecord record) {
    IndexedRecord key = (IndexedRecord) record.key();
    Object last = key.get(key.getSchema().getFields().size() - 1);
    long id = last instanceof Number number ? number.longValue() : -1;
    if (record.tombstone()) {
      return new Event(id, "t", 0);
    }
    Object after = record.at("after");
    int revision =
        after == null ? 0 : CompactedTopic.row((GenericRecord) after).path("revision").asInt();
    return new Event(id, String.valueOf(record.at("op")), revision);
  }

  /** Fails unless each key has one partition, and each delete its tombstone right behind it. */
  static void assertOrderedByKey(List<TopicRecord> records) {
    Map<String, TopicRecord> last = new HashMap<>();
    for (TopicRecord record : records) {
      TopicRecord before = last.put(String.valueOf(record.key()), record);
      assertThat(record.tombstone())
          .as("%s is a tombstone", record)
          .isEqualTo(before != null && isDelete(before));
      if (before != null) {
        assertThat(record.partition()).as("partition of %s", record).isEqualTo(before.partition());
      }
    }
    assertThat(last.values()).as("deletes without a tombstone").noneMatch(Event::isDelete);
  }

  private static boolean isDelete(TopicRecord record) {
    return !record.tombstone() && "d".equals(record.at("op"));
  }
}
