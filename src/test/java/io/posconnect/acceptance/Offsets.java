package io.posconnect.acceptance;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import io.posconnect.cluster.Cluster;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.ProducerRecord;

/** The offsets of a connector: read through REST, or overwritten in the topic. */
final class Offsets {

  private final Cluster cluster;
  private final String connector;

  Offsets(Cluster cluster, String connector) {
    this.cluster = cluster;
    this.connector = connector;
  }

  /** Every offset by the text of its partition, as the REST interface shows it. */
  Map<String, JsonNode> shown() {
    Map<String, JsonNode> offsets = new TreeMap<>();
    for (JsonNode each : cluster.connect().offsets(connector)) {
      offsets.put(each.at("/partition/stream").asText(), each.path("offset"));
    }
    return offsets;
  }

  /** The partition of that text, as a request wants it. */
  static Map<String, String> partition(String text) {
    return Map.of("stream", text);
  }

  /** Replaces what is stored of a partition by these bytes; null is a tombstone. */
  void overwrite(String partition, byte[] value) {
    write(partition, partition, value);
  }

  /** Stores these bytes of a partition, beside one of which something is stored. */
  void write(String neighbour, String partition, byte[] value) {
    ConsumerRecord<byte[], byte[]> last = stored(neighbour);
    byte[] key = new String(last.key(), UTF_8).replace(neighbour, partition).getBytes(UTF_8);
    try (var producer = cluster.producer(Map.of())) {
      // Partitioned by its key, as the worker's own records are.
      producer.send(new ProducerRecord<>(last.topic(), key, value)).get();
    } catch (ExecutionException e) {
      throw new IllegalStateException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  /** Keys and values that a worker keeps in memory: the latest of each partition. */
  long storedBytes() {
    Map<String, Integer> latest = new TreeMap<>();
    for (ConsumerRecord<byte[], byte[]> record : topic()) {
      int value = record.value() == null ? 0 : record.value().length;
      latest.put(new String(record.key(), UTF_8), record.key().length + value);
    }
    return latest.values().stream().mapToLong(Integer::longValue).sum();
  }

  private ConsumerRecord<byte[], byte[]> stored(String partition) {
    ConsumerRecord<byte[], byte[]> last = null;
    for (ConsumerRecord<byte[], byte[]> record : topic()) {
      JsonNode key = CompactedTopic.parse(new String(record.key(), UTF_8));
      if (key.path(0).asText().equals(connector)
          && key.at("/1/stream").asText().equals(partition)) {
        last = record;
      }
    }
    if (last == null) {
      throw new IllegalStateException("nothing is stored of " + partition);
    }
    return last;
  }

  private List<ConsumerRecord<byte[], byte[]>> topic() {
    return cluster.topics().raw(cluster.offsetsTopic());
  }
}
