package io.posconnect.tool;

import io.posconnect.config.SourceConfig;
import io.posconnect.json.Row;
import io.posconnect.record.TopicSchemas;
import io.posconnect.resource.Key;
import io.posconnect.resource.Stream;
import io.posconnect.task.RecordContracts;
import io.posconnect.tool.AuditedKeys.Place;
import io.posconnect.tool.TopicSource.State;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.connect.data.Schema;
import org.apache.kafka.connect.data.Struct;
import org.jspecify.annotations.Nullable;

/** Hands the records of one topic to the streams that share it. */
final class TopicRecords {

  final String topic;
  private final TopicSchemas schemas;
  private final Auditor audit;
  final Optional<State> state;
  final Instant asked = Instant.now();

  /** The locations whose rows go to this topic, those that are not audited too. */
  private final Set<String> writers;

  /** The streams that are audited, by location. */
  final Map<String, AuditedStream> streams = new TreeMap<>();

  private final Set<Integer> intact = new HashSet<>();
  private final Map<Integer, Instant> oldest = new HashMap<>();

  /** Number of its events by location, of those that do not write to it. */
  final Map<String, Long> foreign = new TreeMap<>();

  /** Number of its records that are no events of this connector, such as those of a transform. */
  long unreadable;

  /**
   * @param audit whose topic it is
   * @param ofTopic the streams that are audited
   */
  TopicRecords(Auditor audit, List<Stream> ofTopic) {
    SourceConfig config = audit.config();
    Stream any = ofTopic.get(0);
    this.schemas =
        TopicSchemas.of(RecordContracts.contract(config, any), config.destination(any)).get(0);
    this.topic = schemas.topic();
    this.audit = audit;
    this.state = audit.topics().state(topic);
    this.writers =
        config.streams().stream()
            .filter(each -> config.topics().of(each).equals(topic))
            .map(Stream::location)
            .collect(Collectors.toSet());
    ofTopic.forEach(each -> streams.put(each.location(), new AuditedStream(audit, each)));
  }

  boolean has(Predicate<AuditedStream> which) {
    return streams.values().stream().anyMatch(which);
  }

  void update() {
    if (state.isPresent()) {
      audit.topics().read(topic, this::add);
    }
  }

  private void add(ConsumerRecord<byte[], byte[]> record) {
    Instant time = Instant.ofEpochMilli(record.timestamp());
    oldest.merge(record.partition(), time, (one, other) -> one.isBefore(other) ? one : other);
    Optional<Struct> key =
        decoded(record.key(), schemas.key())
            .filter(each -> each.schema().field("location") != null);
    if (key.isEmpty()) {
      unreadable++;
      return;
    }
    String location = String.valueOf(key.get().get("location"));
    AuditedStream stream = streams.get(location);
    if (stream == null && !writers.contains(location)) {
      foreign.merge(location, 1L, Long::sum);
    }
    if (stream != null) {
      boolean isIntact =
          state.filter(known -> !known.compacted().isEmpty()).isEmpty()
              || intact.contains(record.partition());
      if (stream.add(event(record), key.get(), isIntact)) {
        intact.add(record.partition());
      }
    }
  }

  private EventRecord event(ConsumerRecord<byte[], byte[]> record) {
    return new EventRecord(record, decoded(record.value(), schemas.value()));
  }

  private Optional<Struct> decoded(byte @Nullable [] bytes, Schema expected) {
    return audit.decoder().decode(bytes, expected);
  }

  /** The row of a key's record; empty when it was removed meanwhile. */
  Optional<Row> row(AuditedStream stream, Key key) {
    Place place = stream.keys.place(key);
    return audit
        .topics()
        .record(topic, place.partition(), place.offset())
        .flatMap(record -> event(record).row())
        .map(row -> stream.content.of(key, row));
  }

  /** The time up to which events were removed from the beginning; the distant past if none were. */
  Instant removedTo() {
    return state.stream()
        .flatMap(known -> known.trimmed().stream())
        .map(partition -> oldest.getOrDefault(partition, Instant.MAX))
        .max(Comparator.naturalOrder())
        .orElse(Instant.MIN);
  }
}
