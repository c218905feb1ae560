package io.posconnect.acceptance;

import io.posconnect.cluster.TopicRecord;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
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
}
