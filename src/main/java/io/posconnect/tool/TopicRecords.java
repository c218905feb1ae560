package io.posconnect.tool;

import io.posconnect.json.Row;
import io.posconnect.record.TopicSchemas;
import io.posconnect.tool.AuditedKeys.Place;
import io.posconnect.tool.TopicSource.Cleaning;
import java.time.Instant;
import java.util.Collection;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.connect.data.Schema;
import org.apache.kafka.connect.data.Struct;
import org.jspecify.annotations.Nullable;

/** Hands the records of one topic to the streams that share it. */
final class TopicRecords {

  private final TopicSchemas schemas;
  private final TopicSource topics;
  private final RecordDecoder decoder;
  private final Optional<Cleaning> cleaning;
  private final Map<String, AuditedStream> streams = new TreeMap<>();
  private final Set<Integer> partitions = new HashSet<>();
  private final Set<Integer> intact = new HashSet<>();
  private Optional<Instant> oldest = Optional.empty();
  private long undecodable;

  /**
   * @param schemas of the topic, for JSON without any
   * @param streams by location
   */
  TopicRecords(
      TopicSchemas schemas,
      TopicSource topics,
      RecordDecoder decoder,
      Map<String, AuditedStream> streams) {
    this.schemas = schemas;
    this.topics = topics;
    this.decoder = decoder;
    this.cleaning = topics.cleaning(schemas.topic());
    this.streams.putAll(streams);
  }

  String topic() {
    return schemas.topic();
  }

  Collection<AuditedStream> streams() {
    return streams.values();
  }

  boolean exists() {
    return cleaning.isPresent();
  }

  /** Number of records whose key is not that of an event. */
  long undecodable() {
    return undecodable;
  }

  void update() {
    if (exists()) {
      topics.read(topic(), this::add);
    }
  }

  private void add(ConsumerRecord<byte[], byte[]> record) {
    partitions.add(record.partition());
    Instant time = Instant.ofEpochMilli(record.timestamp());
    oldest = oldest.filter(known -> known.isBefore(time)).or(() -> Optional.of(time));
    Optional<Struct> key =
        decoded(record.key(), schemas.key())
            .filter(each -> each.schema().field("location") != null);
    if (key.isEmpty()) {
      undecodable++;
      return;
    }
    AuditedStream stream = streams.get(String.valueOf(key.get().get("location")));
    if (stream != null) {
      boolean isIntact = !isCompacted() || intact.contains(record.partition());
      if (stream.add(record, key.get(), decoded(record.value(), schemas.value()), isIntact)) {
        intact.add(record.partition());
      }
    }
  }

  private Optional<Struct> decoded(byte @Nullable [] bytes, Schema expected) {
    return bytes == null ? Optional.empty() : decoder.decode(bytes, expected);
  }

  /** The row of a record; empty when it was removed meanwhile. */
  Optional<Row> row(AuditedStream stream, Place place) {
    Optional<ConsumerRecord<byte[], byte[]>> record =
        topics.record(topic(), place.partition(), place.offset());
    Optional<Struct> key = record.flatMap(each -> decoded(each.key(), schemas.key()));
    Optional<Struct> value = record.flatMap(each -> decoded(each.value(), schemas.value()));
    return key.flatMap(one -> value.flatMap(other -> stream.content(one, other)));
  }

  private boolean isCompacted() {
    return cleaning.filter(Cleaning::compacted).isPresent();
  }

  /** The partitions from which events may have been removed. */
  Set<Integer> cleaned() {
    Set<Integer> cleaned = isCompacted() ? new HashSet<>(partitions) : new HashSet<>();
    cleaning.stream()
        .flatMap(known -> known.beginnings().entrySet().stream())
        .filter(beginning -> beginning.getValue() > 0)
        .forEach(beginning -> cleaned.add(beginning.getKey()));
    return cleaned;
  }

  /** The time of the oldest record, if retention removed others; empty for a whole topic. */
  Optional<Instant> trimmedTo() {
    return oldest.filter(time -> cleaning.filter(Cleaning::isTrimmed).isPresent());
  }
}
