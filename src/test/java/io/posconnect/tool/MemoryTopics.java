package io.posconnect.tool;

import io.apicurio.registry.utils.converter.avro.AvroData;
import io.posconnect.config.SourceConfig;
import io.posconnect.json.Row;
import io.posconnect.record.BrokenRowException;
import io.posconnect.record.Checkpoint;
import io.posconnect.record.Envelope.Operation;
import io.posconnect.record.Provenance;
import io.posconnect.record.Provenance.FetchKind;
import io.posconnect.resource.Counts;
import io.posconnect.resource.Numbering;
import io.posconnect.resource.Stream;
import io.posconnect.resource.Window;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import org.apache.avro.generic.GenericDatumWriter;
import org.apache.avro.io.BinaryEncoder;
import org.apache.avro.io.EncoderFactory;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.record.TimestampType;
import org.apache.kafka.connect.data.Schema;
import org.apache.kafka.connect.json.JsonConverter;
import org.apache.kafka.connect.source.SourceRecord;
import org.jspecify.annotations.Nullable;

/** Topics in memory, to which the connector's own classes write events as a converter would. */
final class MemoryTopics implements TopicSource {

  /** Forms of keys and values. */
  enum Form {
    AVRO,
    JSON,
    JSON_WITH_SCHEMA
  }

  private final Form form;
  private final Map<String, List<ConsumerRecord<byte[], byte[]>>> topics = new HashMap<>();
  private final Map<String, Integer> positions = new HashMap<>();
  final Map<Stream, Numbering> numbers = new HashMap<>();
  private final List<org.apache.avro.Schema> schemas = new ArrayList<>();
  private final AvroData avro = new AvroData(100);
  private final List<Runnable> beforeReads = new ArrayList<>();
  boolean compacted;
  private final Set<Integer> written = new HashSet<>();
  Set<Integer> trimmed = Set.of();

  /** Where the next records go, with that time; the write changes them first. */
  int partition;

  Instant time = Instant.now();

  /** By each read of the connector. */
  Duration taken = Duration.ZERO;

  Consumer<SourceRecord> tampering = record -> {};

  final Map<Integer, Instant> open = new HashMap<>();
  final Set<String> forbidden = new HashSet<>();

  MemoryTopics(Form form) {
    this.form = form;
  }

  RecordDecoder decoder() {
    return new RecordDecoder(
        id -> id < schemas.size() ? Optional.of(schemas.get(id)) : Optional.empty());
  }

  /** Runs these before the first reads of topics with events, one for each. */
  void beforeReads(Runnable... actions) {
    beforeReads.addAll(List.of(actions));
  }

  /** A topic without a record. */
  void create(String topic) {
    topics.putIfAbsent(topic, new ArrayList<>());
  }

  void publish(SourceConfig config, Stream stream, String json) {
    publish(RowWriter.of(config, stream, Instant.now()), stream, json);
  }

  void publish(RowWriter writer, Stream stream, String json) {
    Row row = Row.parse(json);
    try {
      write(
          writer
              .builder()
              .change(
                  Operation.CREATE,
                  writer.key(row),
                  row,
                  provenance(stream),
                  RowWriter.UNCOMMITTED));
    } catch (BrokenRowException e) {
      throw new IllegalArgumentException(e);
    }
  }

  void delete(SourceConfig config, Stream stream, String json) {
    RowWriter writer = RowWriter.of(config, stream, Instant.now());
    try {
      writer
          .builder()
          .delete(writer.key(Row.parse(json)), provenance(stream), RowWriter.UNCOMMITTED)
          .forEach(this::write);
    } catch (BrokenRowException e) {
      throw new IllegalArgumentException(e);
    }
  }

  private Provenance provenance(Stream stream) {
    return new Provenance(FetchKind.INCREMENT, Instant.now(), false).numbered(skip(stream));
  }

  /** The next number, which no event gets. */
  Numbering skip(Stream stream) {
    return numbers.merge(stream, new Numbering(1, 7), (before, first) -> before.next());
  }

  void checkpoint(SourceConfig config, Stream stream, Instant completeTo) {
    checkpoint(config, stream, FetchKind.RECONCILIATION, Window.ALL, completeTo);
  }

  void checkpoint(
      SourceConfig config, Stream stream, FetchKind kind, Window window, Instant completeTo) {
    Numbering numbering = numbers.getOrDefault(stream, Numbering.beginningAt(7));
    Checkpoint checkpoint =
        new Checkpoint(kind, window, completeTo, new Counts(), numbering, taken);
    write(
        RowWriter.of(config, stream, Instant.now())
            .builder()
            .checkpoint(checkpoint, RowWriter.UNCOMMITTED));
  }

  private void write(SourceRecord record) {
    tampering.accept(record);
    RecordHeaders headers = new RecordHeaders();
    record
        .headers()
        .forEach(
            header ->
                headers.add(
                    header.key(), String.valueOf(header.value()).getBytes(StandardCharsets.UTF_8)));
    byte[] key = bytes(record.keySchema(), record.key());
    byte[] value = record.value() == null ? null : bytes(record.valueSchema(), record.value());
    add(record.topic(), key, value, headers);
  }

  void add(String topic, byte @Nullable [] key, byte @Nullable [] value, RecordHeaders headers) {
    create(topic);
    List<ConsumerRecord<byte[], byte[]>> records = topics.get(topic);
    written.add(topic.endsWith(".checkpoints") ? 0 : partition);
    records.add(
        new ConsumerRecord<>(
            topic,
            topic.endsWith(".checkpoints") ? 0 : partition,
            records.size(),
            (topic.endsWith(".checkpoints") ? Instant.now() : time).toEpochMilli(),
            TimestampType.CREATE_TIME,
            0,
            0,
            key,
            value,
            headers,
            Optional.empty()));
  }

  private byte[] bytes(Schema schema, Object value) {
    if (form != Form.AVRO) {
      JsonConverter converter = new JsonConverter(false);
      boolean withSchema = form == Form.JSON_WITH_SCHEMA;
      converter.configure(
          Map.of("converter.type", "value", "schemas.enable", Boolean.toString(withSchema)));
      return converter.fromConnectData("", schema, value);
    }
    org.apache.avro.Schema writer = avro.fromConnectSchema(schema);
    if (!schemas.contains(writer)) {
      schemas.add(writer);
    }
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try {
      new DataOutputStream(bytes).write(0);
      new DataOutputStream(bytes).writeInt(schemas.indexOf(writer));
      BinaryEncoder encoder = EncoderFactory.get().binaryEncoder(bytes, null);
      new GenericDatumWriter<>(writer).write(avro.fromConnectData(schema, value), encoder);
      encoder.flush();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return bytes.toByteArray();
  }

  /** The records of a topic, to be dropped, repeated or replaced; none was read before. */
  List<ConsumerRecord<byte[], byte[]>> records(String topic) {
    return topics.getOrDefault(topic, List.of());
  }

  void drop(String topic) {
    topics.remove(topic);
  }

  /** Shows the new records of a topic, and forgets them. */
  void drain(String topic, Consumer<? super ConsumerRecord<byte[], byte[]>> visitor) {
    read(topic, visitor);
    topics.get(topic).clear();
    positions.remove(topic);
  }

  @Override
  public Optional<State> state(String topic) {
    refuse(topic);
    return topics.containsKey(topic)
        ? Optional.of(new State(compacted ? written : Set.of(), trimmed, open))
        : Optional.empty();
  }

  @Override
  public void read(String topic, Consumer<? super ConsumerRecord<byte[], byte[]>> visitor) {
    refuse(topic);
    if (!topic.endsWith(".checkpoints") && !beforeReads.isEmpty()) {
      beforeReads.remove(0).run();
    }
    List<ConsumerRecord<byte[], byte[]>> records = topics.getOrDefault(topic, List.of());
    int end = records.size();
    records.subList(positions.getOrDefault(topic, 0), end).forEach(visitor);
    positions.put(topic, end);
  }

  @Override
  public Optional<ConsumerRecord<byte[], byte[]>> record(String topic, int partition, long offset) {
    return topics.get(topic).stream()
        .filter(record -> record.partition() == partition && record.offset() == offset)
        .findFirst();
  }

  private void refuse(String topic) {
    if (forbidden.contains(topic)) {
      throw UnreadableException.forbidden(topic);
    }
  }

  @Override
  public void close() {}
}
