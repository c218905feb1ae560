package io.posconnect.fetch;

import io.posconnect.record.Destination;
import io.posconnect.record.Destination.EventFormat;
import io.posconnect.record.RecordBuilder;
import io.posconnect.record.RowSchema;
import io.posconnect.record.Topics;
import io.posconnect.resource.Resource;
import io.posconnect.resource.Stream;
import java.time.Instant;
import org.apache.kafka.connect.data.Struct;
import org.apache.kafka.connect.source.SourceRecord;

/** The stream that fakes of this room serve: rows of an id and a content. */
final class Things {

  static final Stream STREAM = new Stream("downtown", "things");

  static final Destination DESTINATION = destination(EventFormat.ENVELOPE, true);

  private Things() {}

  static Destination destination(EventFormat format, boolean tombstones) {
    return new Destination(
        STREAM,
        new Topics(
            "pos", "{prefix}.{resource}", "pos.checkpoints", "pos.status", "pos.dead-letters"),
        format,
        tombstones);
  }

  static RowSchema contract(Resource resource) {
    return KeyKind.of(resource.keyFields()).contract(resource.occurrences());
  }

  /** Returns whether it is no tombstone: without an envelope, headers stand beside the row. */
  static boolean isEvent(SourceRecord record) {
    return record.value() != null || isFlat(record);
  }

  private static boolean isFlat(SourceRecord record) {
    return record.headers().lastWithName("__op") != null;
  }

  /** The row of an event; null for a delete. */
  static Struct after(SourceRecord event) {
    Struct value = (Struct) event.value();
    return isFlat(event) ? value : value.getStruct("after");
  }

  /** A field of an event's source. */
  static Object source(SourceRecord event, String field) {
    return isFlat(event)
        ? event.headers().lastWithName("__source_" + field).value()
        : ((Struct) event.value()).getStruct("source").get(field);
  }

  static RecordBuilder records(RowSchema contract, Destination destination, SimulatedTime time) {
    return new RecordBuilder(
        contract, destination, () -> Instant.ofEpochMilli(time.milliseconds()));
  }
}
