package io.posconnect.consumers;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.posconnect.Checkpoint;
import io.posconnect.InventoryLevel;
import io.posconnect.InventoryLevelKey;
import io.posconnect.inventory.Envelope;
import java.net.URI;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.avro.Schema;
import org.apache.avro.io.DecoderFactory;
import org.apache.avro.specific.SpecificData;
import org.apache.avro.specific.SpecificDatumReader;
import org.apache.avro.util.ClassSecurityValidator;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/** Folds the topic of inventory into the present rows, and reports whether any event is missing. */
public final class InventoryConsumer {
  private static final Map<Integer, Schema> SCHEMAS = new HashMap<>();
  private static final Map<InventoryLevelKey, InventoryLevel> ROWS = new HashMap<>();
  private static final Map<String, BitSet> SEEN = new HashMap<>(); // by location and numbering
  private static final Map<String, Checkpoint> VOUCHED = new HashMap<>(); // by location

  /** Arguments: bootstrap servers, address of the registry (Confluent's API), topic prefix. */
  public static void main(String[] args) throws Exception {
    // Avro loads a class that a schema names only if it is trusted.
    ClassSecurityValidator.setGlobal(
        ClassSecurityValidator.composite(
            ClassSecurityValidator.DEFAULT,
            type -> type.getPackageName().startsWith("io.posconnect")));
    Map<String, Object> settings =
        Map.of(
            "bootstrap.servers", args[0],
            "isolation.level", "read_committed",
            "allow.auto.create.topics", "false"); // those that Connect creates are compacted
    var bytes = new ByteArrayDeserializer();
    try (var consumer = new KafkaConsumer<>(settings, bytes, bytes)) {
      // Checkpoints first: the events that one vouches for are in the topic before it.
      for (String topic : List.of(args[2] + ".checkpoints", args[2] + ".inventory")) {
        List<TopicPartition> partitions =
            consumer.partitionsFor(topic).stream()
                .map(partition -> new TopicPartition(topic, partition.partition()))
                .toList();
        if (partitions.isEmpty()) {
          throw new IllegalArgumentException("there is no topic " + topic);
        }
        consumer.assign(partitions);
        consumer.seekToBeginning(partitions);
        Map<TopicPartition, Long> ends = consumer.endOffsets(partitions); // or poll for ever
        while (partitions.stream().anyMatch(p -> consumer.position(p) < ends.get(p))) {
          for (var message : consumer.poll(Duration.ofSeconds(1))) {
            fold(message, args[1]);
          }
        }
      }
    }
    ROWS.forEach(
        (key, row) -> {
          String extra = row.getExtra() == null ? "{}" : row.getExtra();
          System.out.println(key.getLocation() + " " + key.getInventoryId() + " " + extra);
        });
    for (Checkpoint last : VOUCHED.values()) {
      String numbering = last.getLocation() + " " + last.getEpochMs();
      int first = SEEN.getOrDefault(numbering, new BitSet()).nextClearBit(1);
      String found = first > last.getSeq() ? "complete" : first + " is missing";
      System.out.println(last.getLocation() + ": " + found + " up to " + last.getSeq());
    }
  }

  private static void fold(ConsumerRecord<byte[], byte[]> message, String registry)
      throws Exception {
    Object value = message.value() == null ? null : read(message.value(), registry);
    if (value instanceof Checkpoint checkpoint) {
      if (checkpoint.getResourceName().equals("inventory")) {
        VOUCHED.put(checkpoint.getLocation(), checkpoint);
      }
    } else if (read(message.key(), registry) instanceof InventoryLevelKey key) {
      if (value instanceof Envelope event) { // whose after is null if the row is deleted
        ROWS.compute(key, (same, before) -> event.getAfter());
        see(key, event.getSource().getEpochMs(), event.getSource().getSeq());
      } else { // a flat event is the row; a tombstone is its delete
        ROWS.compute(key, (same, before) -> (InventoryLevel) value);
        if (message.headers().lastHeader("__source_seq") != null) {
          see(key, header(message, "__source_epoch_ms"), header(message, "__source_seq"));
        }
      }
    }
  }

  private static void see(InventoryLevelKey key, long epoch, long seq) {
    SEEN.computeIfAbsent(key.getLocation() + " " + epoch, n -> new BitSet()).set((int) seq);
  }

  private static long header(ConsumerRecord<byte[], byte[]> message, String name) {
    return Long.parseLong(new String(message.headers().lastHeader(name).value(), UTF_8));
  }

  /** Decodes a zero byte, four bytes with the id of the writer's schema, and Avro. */
  private static Object read(byte[] message, String registry) throws Exception {
    int id = ByteBuffer.wrap(message).getInt(1);
    if (!SCHEMAS.containsKey(id)) {
      var answer =
          new ObjectMapper()
              .readTree(URI.create(registry + "/schemas/ids/" + id).toURL().openStream());
      SCHEMAS.put(id, new Schema.Parser().parse(answer.path("schema").asText()));
    }
    Schema writer = SCHEMAS.get(id);
    Schema reader = SpecificData.get().getSchema(SpecificData.get().getClass(writer));
    var decoder = DecoderFactory.get().binaryDecoder(message, 5, message.length - 5, null);
    return new SpecificDatumReader<>(writer, reader).read(null, decoder);
  }
}
