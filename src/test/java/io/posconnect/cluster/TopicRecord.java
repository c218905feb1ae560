package io.posconnect.cluster;

import java.time.Instant;
import java.util.Map;
import org.apache.avro.generic.IndexedRecord;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.jspecify.annotations.Nullable;

/**
 * One record of a topic, decoded.
 *
 * @param headers name → text; of several with one name the last
 * @param key as Avro's generic classes have it, or null
 * @param value likewise; null is a tombstone
 */
public record TopicRecord(
    String topic,
    int partition,
    long offset,
    Instant timestamp,
    Map<String, String> headers,
    @Nullable Object key,
    @Nullable Object value) {

  public TopicRecord {
    headers = Map.copyOf(headers);
  }

  /** Whether that is the record as it was written. */
  public boolean isOf(ConsumerRecord<?, ?> raw) {
    return raw.topic().equals(topic) && raw.partition() == partition && raw.offset() == offset;
  }

  public boolean tombstone() {
    return value == null;
  }

  /** A field of the key, such as {@code productId}; null where a record on the way is. */
  public @Nullable Object keyAt(String path) {
    return at(key, path);
  }

  /** A field of the value, such as {@code after.name}; null where a record on the way is. */
  public @Nullable Object at(String path) {
    return at(value, path);
  }

  private static @Nullable Object at(@Nullable Object from, String path) {
    Object value = from;
    for (String name : path.split("\\.", -1)) {
      if (value == null) {
        return null;
      }
      if (!(value instanceof IndexedRecord record)) {
        throw new IllegalArgumentException(
            path + ": before " + name + " there is no record but " + value);
      }
      var field = record.getSchema().getField(name);
      if (field == null) {
        throw new IllegalArgumentException(
            path + ": no field " + name + " in " + record.getSchema());
      }
      value = plain(record.get(field.pos()));
    }
    return value;
  }

  /** Avro's own kind of text compares with no other. */
  private static @Nullable Object plain(@Nullable Object value) {
    return value instanceof CharSequence text ? text.toString() : value;
  }
}
