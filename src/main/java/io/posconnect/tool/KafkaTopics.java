package io.posconnect.tool;

import io.posconnect.tool.Tool.FailedException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.config.TopicConfig;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/**
 * Reads topics of a cluster. The end of a topic is its last stable offset at the time of the call:
 * an open transaction does not delay it, and neither do the markers of ended ones, since positions
 * are compared and not records counted.
 */
final class KafkaTopics implements TopicSource {

  private static final Duration POLL = Duration.ofMillis(500);
  private static final long STALL_NANOS = TimeUnit.SECONDS.toNanos(60);
  private static final String ANSWER_MS = "30000";

  private final String brokers;
  private final Map<String, Object> settings;
  private final KafkaConsumer<byte[], byte[]> consumer;
  private final Map<TopicPartition, Long> positions = new HashMap<>();

  /**
   * @param settings of a Kafka client; nothing is shown of them but the addresses
   */
  KafkaTopics(Map<String, String> settings) {
    this.settings = new HashMap<>(settings);
    this.brokers = settings.getOrDefault(ConsumerConfig.BOOTSTRAP_SERVERS_CONFIG, "");
    this.settings.put(ConsumerConfig.ISOLATION_LEVEL_CONFIG, "read_committed");
    this.settings.put(ConsumerConfig.ALLOW_AUTO_CREATE_TOPICS_CONFIG, "false");
    this.settings.put(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "earliest");
    this.settings.put(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, "false");
    this.settings.putIfAbsent(ConsumerConfig.DEFAULT_API_TIMEOUT_MS_CONFIG, ANSWER_MS);
    this.settings.putIfAbsent(ConsumerConfig.REQUEST_TIMEOUT_MS_CONFIG, ANSWER_MS);
    ByteArrayDeserializer bytes = new ByteArrayDeserializer();
    this.consumer = tried(() -> new KafkaConsumer<>(this.settings, bytes, bytes));
  }

  @Override
  public Optional<Cleaning> cleaning(String topic) {
    List<TopicPartition> partitions = partitions(topic);
    if (partitions.isEmpty()) {
      return Optional.empty();
    }
    Map<Integer, Long> beginnings =
        tried(() -> consumer.beginningOffsets(partitions)).entrySet().stream()
            .collect(Collectors.toMap(each -> each.getKey().partition(), Map.Entry::getValue));
    return Optional.of(new Cleaning(isCompacted(topic), beginnings));
  }

  /** A topic whose settings may not be read could be compacted. */
  private boolean isCompacted(String topic) {
    ConfigResource resource = new ConfigResource(ConfigResource.Type.TOPIC, topic);
    try (Admin admin = tried(() -> Admin.create(settings))) {
      return admin.describeConfigs(List.of(resource)).all().get().values().stream()
          .map(config -> config.get(TopicConfig.CLEANUP_POLICY_CONFIG).value())
          .anyMatch(policy -> policy.contains(TopicConfig.CLEANUP_POLICY_COMPACT));
    } catch (ExecutionException e) {
      return true;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw failed(e);
    }
  }

  private List<TopicPartition> partitions(String topic) {
    return tried(consumer::listTopics).getOrDefault(topic, List.of()).stream()
        .map(info -> new TopicPartition(topic, info.partition()))
        .toList();
  }

  @Override
  public void read(String topic, Consumer<? super ConsumerRecord<byte[], byte[]>> visitor) {
    List<TopicPartition> partitions = partitions(topic);
    consumer.assign(partitions);
    Map<TopicPartition, Long> beginnings = tried(() -> consumer.beginningOffsets(partitions));
    Map<TopicPartition, Long> ends = tried(() -> consumer.endOffsets(partitions));
    beginnings.forEach(
        (each, beginning) -> consumer.seek(each, positions.getOrDefault(each, beginning)));
    long moved = System.nanoTime();
    long before = -1;
    while (ends.entrySet().stream().anyMatch(end -> position(end.getKey()) < end.getValue())) {
      tried(() -> consumer.poll(POLL)).forEach(visitor);
      long sum = partitions.stream().mapToLong(this::position).sum();
      long now = System.nanoTime();
      moved = sum == before ? moved : now;
      before = sum;
      if (now - moved > STALL_NANOS) {
        throw new FailedException(
            "%s was not read to its end: no record came within 60 s".formatted(topic));
      }
    }
    partitions.forEach(each -> positions.put(each, position(each)));
  }

  private long position(TopicPartition partition) {
    return tried(() -> consumer.position(partition));
  }

  @Override
  public Optional<ConsumerRecord<byte[], byte[]>> record(String topic, int partition, long offset) {
    TopicPartition one = new TopicPartition(topic, partition);
    consumer.assign(List.of(one));
    consumer.seek(one, offset);
    long deadline = System.nanoTime() + STALL_NANOS;
    while (position(one) <= offset && System.nanoTime() < deadline) {
      for (ConsumerRecord<byte[], byte[]> record : tried(() -> consumer.poll(POLL))) {
        return Optional.of(record).filter(found -> found.offset() == offset);
      }
    }
    return Optional.empty();
  }

  /** Without the message of a client, which may quote a setting. */
  private <T> T tried(Supplier<T> call) {
    try {
      return call.get();
    } catch (KafkaException | LinkageError e) {
      throw failed(e);
    }
  }

  private FailedException failed(Throwable e) {
    Throwable root = e;
    while (root.getCause() != null) {
      root = root.getCause();
    }
    String codec =
        root instanceof LinkageError || root instanceof ClassNotFoundException
            ? " (a topic may be compressed with a codec that this tool does not have)"
            : "";
    return new FailedException(
        "The topics at %s cannot be read: %s%s"
            .formatted(brokers, root.getClass().getSimpleName(), codec));
  }

  @Override
  public void close() {
    consumer.close();
  }
}
