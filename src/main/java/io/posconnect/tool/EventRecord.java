package io.posconnect.tool;

import io.posconnect.resource.Numbering;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.regex.Pattern;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.connect.data.Schema;
import org.apache.kafka.connect.data.Struct;

/** Takes the row, the operation and the number from a record of an event. */
final class EventRecord {

  /**
   * As Connect's default converter of headers writes them. Others, such as that for JSON, wrap them
   * in a schema.
   */
  private static final Pattern OP = Pattern.compile("[a-z]");

  private static final Pattern NUMBER = Pattern.compile("[0-9]{1,18}");

  private EventRecord() {}

  static boolean isEnvelope(Schema schema) {
    return String.valueOf(schema.name()).endsWith("Envelope") && schema.field("after") != null;
  }

  /** The row of an event in either format; empty for a delete. */
  static Optional<Struct> row(Struct value) {
    return Optional.ofNullable(isEnvelope(value.schema()) ? value.getStruct("after") : value);
  }

  /**
   * Returns whether the operation of an event, if it has one, fits its row, or the absence of it.
   */
  static boolean isConsistent(ConsumerRecord<?, ?> record, Optional<Struct> value) {
    String fitting = value.flatMap(EventRecord::row).isPresent() ? "cru" : "d";
    return op(record, value).filter(op -> !fitting.contains(op)).isEmpty();
  }

  /**
   * The operation of an event; a tombstone has none, and a flat event may have lost its own, or
   * have it in another form.
   */
  static Optional<String> op(ConsumerRecord<?, ?> record, Optional<Struct> value) {
    return value
        .filter(each -> isEnvelope(each.schema()))
        .map(each -> each.getString("op"))
        .or(() -> header(record, "__op", OP));
  }

  /** The number of an event; a tombstone behind a delete has none, see {@link #op}. */
  static Optional<Numbering> numbering(ConsumerRecord<?, ?> record, Optional<Struct> value) {
    if (value.isPresent() && isEnvelope(value.get().schema())) {
      Struct source = value.get().getStruct("source");
      return Optional.of(new Numbering(source.getInt64("seq"), source.getInt64("epoch_ms")));
    }
    Optional<Long> epoch = header(record, "__source_epoch_ms", NUMBER).map(Long::parseLong);
    return header(record, "__source_seq", NUMBER)
        .map(Long::parseLong)
        .flatMap(seq -> epoch.map(millis -> new Numbering(seq, millis)));
  }

  private static Optional<String> header(ConsumerRecord<?, ?> record, String name, Pattern form) {
    return Optional.ofNullable(record.headers().lastHeader(name))
        .map(Header::value)
        .map(value -> new String(value, StandardCharsets.UTF_8))
        .filter(text -> form.matcher(text).matches());
  }
}
