package io.posconnect.cluster;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import org.apache.kafka.clients.consumer.CloseOptions;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.CooperativeStickyAssignor;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.IsolationLevel;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.awaitility.Awaitility;

/**
 * Reads topics as a careful consumer does: only what is committed, decoded with the registry's
 * schemas.
 */
public final class TopicReader {

  private static final Duration POLL = Duration.ofMillis(200);
  private static final Duration LIMIT = Duration.ofMinutes(1);

  private final String bootstrapServers;
  private final ConfluentAvro avro;

  TopicReader(String bootstrapServers, Registry schemas) {
    this.bootstrapServers = bootstrapServers;
    this.avro = new ConfluentAvro(schemas);
  }

  /** Names of all topics but Kafka's own, sorted. */
  public List<String> topics() {
    try (var consumer = consumer()) {
      return new TreeSet<>(consumer.listTopics().keySet())
          .stream().filter(topic -> !topic.startsWith("__")).toList();
    }
  }

  /**
   * Everything on the topic that is committed at the moment of the call; nothing when there is no
   * such topic. Within a partition in order.
   */
  public List<TopicRecord> read(String topic) {
    List<TopicRecord> records = new ArrayList<>();
    readRaw(topic, IsolationLevel.READ_COMMITTED, message -> records.add(decode(message)));
    return records;
  }

  /** The same, as it was written. */
  public List<ConsumerRecord<byte[], byte[]>> raw(String topic) {
    List<ConsumerRecord<byte[], byte[]>> records = new ArrayList<>();
    readRaw(topic, IsolationLevel.READ_COMMITTED, records::add);
    return records;
  }

  /** Shows everything that is on the topic at the moment of the call, as it was written. */
  public void readRaw(
      String topic,
      IsolationLevel isolation,
      Consumer<? super ConsumerRecord<byte[], byte[]>> visitor) {
    try (var consumer = consumer(isolation)) {
      List<TopicPartition> partitions = assign(consumer, topic);
      Map<TopicPartition, Long> ends = consumer.endOffsets(partitions);
      long deadline = System.nanoTime() + LIMIT.toNanos();
      while (partitions.stream().anyMatch(p -> consumer.position(p) < ends.get(p))) {
        if (System.nanoTime() > deadline) {
          throw new AssertionError(topic + " was not read to " + ends + " within " + LIMIT);
        }
        consumer.poll(POLL).forEach(visitor);
      }
    }
  }

  /**
   * Reads the topic until that is enough; an {@link AssertionError} with what there was when it
   * never is.
   */
  public List<TopicRecord> await(
      String topic, String what, Predicate<List<TopicRecord>> enough, Duration limit) {
    long deadline = System.nanoTime() + limit.toNanos();
    List<TopicRecord> records = new ArrayList<>();
    try (var consumer = consumer()) {
      Awaitility.await("topic " + topic)
          .atMost(limit)
          .pollInSameThread()
          .until(() -> consumer.listTopics().containsKey(topic));
      assign(consumer, topic);
      while (!enough.test(Collections.unmodifiableList(records))) {
        if (System.nanoTime() > deadline) {
          throw new AssertionError(
              what + " did not come to " + topic + " within " + limit + "; " + last(records));
        }
        records.addAll(poll(consumer));
      }
      return records;
    }
  }

  /** Follows every topic of that name, from its beginning, those that come later too. */
  public Follower follow(Pattern topics) {
    KafkaConsumer<byte[], byte[]> consumer = consumer();
    consumer.subscribe(topics);
    return new Follower(consumer);
  }

  /** A consumer that is in no hurry to end. For one thread. */
  public final class Follower implements AutoCloseable {
    private final KafkaConsumer<byte[], byte[]> consumer;

    private Follower(KafkaConsumer<byte[], byte[]> consumer) {
      this.consumer = consumer;
    }

    /** The next records, after at most about 200 ms; maybe none. */
    public List<TopicRecord> poll() {
      return TopicReader.this.poll(consumer);
    }

    @Override
    public void close() {
      consumer.close(CloseOptions.timeout(Duration.ofSeconds(1)));
    }
  }

  private static List<TopicPartition> assign(KafkaConsumer<byte[], byte[]> consumer, String topic) {
    List<TopicPartition> partitions =
        consumer.listTopics().getOrDefault(topic, List.of()).stream()
            .map(info -> new TopicPartition(topic, info.partition()))
            .toList();
    consumer.assign(partitions);
    consumer.seekToBeginning(partitions);
    return partitions;
  }

  private List<TopicRecord> poll(KafkaConsumer<byte[], byte[]> consumer) {
    List<TopicRecord> records = new ArrayList<>();
    consumer.poll(POLL).forEach(message -> records.add(decode(message)));
    return records;
  }

  private TopicRecord decode(ConsumerRecord<byte[], byte[]> message) {
    Map<String, String> headers = new HashMap<>();
    message
        .headers()
        .forEach(header -> headers.put(header.key(), new String(header.value(), UTF_8)));
    return new TopicRecord(
        message.topic(),
        message.partition(),
        message.offset(),
        Instant.ofEpochMilli(message.timestamp()),
        headers,
        message.key() == null ? null : avro.decode(message.key()),
        message.value() == null ? null : avro.decode(message.value()));
  }

  private static String last(List<TopicRecord> records) {
    return records.isEmpty()
        ? "it is empty"
        : records.size() + " records, the last " + records.get(records.size() - 1);
  }

  private KafkaConsumer<byte[], byte[]> consumer() {
    return consumer(IsolationLevel.READ_COMMITTED);
  }

  private KafkaConsumer<byte[], byte[]> consumer(IsolationLevel isolation) {
    return new KafkaConsumer<>(
        Map.of(
            "bootstrap.servers", bootstrapServers,
            "group.id", "reader-" + UUID.randomUUID(),
            "isolation.level", isolation.toString(),
            "auto.offset.reset", "earliest",
            "enable.auto.commit", "false",
            "allow.auto.create.topics", "false",
            "metadata.max.age.ms", "1000",
            // Topics that appear later must not make the earlier ones begin again.
            "partition.assignment.strategy", CooperativeStickyAssignor.class.getName(),
            "max.poll.records", "5000"),
        new ByteArrayDeserializer(),
        new ByteArrayDeserializer());
  }
}
