package io.posconnect.tool;

import io.posconnect.resource.Numbering;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.regex.Pattern;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.connect.data.Struct;

/**
 * A record of an event, in either format.
 *
 * @param value absent in a tombstone, and where it cannot be decoded
 */
record EventRecord(ConsumerRecord<?, ?> record, Optional<Struct> value) {

  /**
   * As Connect's default converter of headers writes them. Others, such as that for JSON, wrap them
   * in a schema.
   */
  private static final Pattern OP = Pattern.compile("[a-z]");

  private static final Pattern NUMBER = Pattern.compile("[0-9]{1,18}");

  /** The value of an event that is not flat. */
  Optional<Struct> envelope() {
    return value
        .filter(each -> String.valueOf(each.schema().name()).endsWith("Envelope"))
        .filter(each -> each.schema().field("after") != null);
  }

  /** The row of an event; empty for a delete. */
  Optional<Struct> row() {
    Optional<Struct> envelope = envelope();
    return envelope.isPresent() ? envelope.map(each -> each.getStruct("after")) : value;
  }

  /**
   * Returns whether the operation of an event, if it has one, fits its row, or the absence of it.
   */
  boolean isConsistent() {
    String fitting = row().isPresent() ? "cru" : "d";
    return op().filter(op -> !fitting.contains(op)).isEmpty();
  }

  /**
   * The operation of an event; a tombstone has none, and a flat event may have lost its own, or
   * have it in another form.
   */
  Optional<String> op() {
    return envelope().map(each -> each.getString("op")).or(() -> header("__op", OP));
  }

  /** The number of an event; a tombstone behind a delete has none, see {@link #op}. */
  Optional<Numbering> numbering() {
    if (envelope().isPresent()) {
      Struct source = envelope().get().getStruct("source");
      return Optional.of(new Numbering(source.getInt64("seq"), source.getInt64("epoch_ms")));
    }
    Optional<Long> epoch = header("__source_epoch_ms", NUMBER).map(Long::parseLong);
    return header("__source_seq", NUMBER)
        .map(Long::parseLong)
        .flatMap(seq -> epoch.map(millis -> new Numbering(seq, millis)));
  }

  private Optional<String> header(String name, Pattern form) {
    return Optional.ofNullable(record.headers().lastHeader(name))
        .map(Header::value)
        .map(value -> new String(value, StandardCharsets.UTF_8))
        .filter(text -> form.matcher(text).matches());
  }
}
