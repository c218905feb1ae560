package io.posconnect.tool;

import io.posconnect.resource.Numbering;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.connect.data.Schema;
import org.apache.kafka.connect.data.Struct;
import org.jspecify.annotations.Nullable;

/** Takes the row and the number from a record of an event. */
final class EventRecord {

  private EventRecord() {}

  private static boolean isEnvelope(Schema schema) {
    return String.valueOf(schema.name()).endsWith("Envelope") && schema.field("after") != null;
  }

  /** The row of an event in either format; empty for a delete. */
  static Optional<Struct> row(Struct value) {
    return Optional.ofNullable(isEnvelope(value.schema()) ? value.getStruct("after") : value);
  }

  /** The number of an event; a tombstone behind a delete has none. */
  static Optional<Numbering> numbering(ConsumerRecord<?, ?> record, Optional<Struct> value) {
    if (value.isPresent() && isEnvelope(value.get().schema())) {
      Struct source = value.get().getStruct("source");
      return Optional.of(new Numbering(source.getInt64("seq"), source.getInt64("epoch_ms")));
    }
    @Nullable Header seq = record.headers().lastHeader("__source_seq");
    @Nullable Header epoch = record.headers().lastHeader("__source_epoch_ms");
    return seq == null || epoch == null
        ? Optional.empty()
        : Optional.of(new Numbering(number(seq), number(epoch)));
  }

  private static long number(Header header) {
    return Long.parseLong(new String(header.value(), StandardCharsets.UTF_8));
  }
}
