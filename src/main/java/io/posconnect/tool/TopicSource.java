package io.posconnect.tool;

import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/** Reads the committed records of topics. For one thread. */
interface TopicSource extends AutoCloseable {

  /**
   * What a topic may have lost on purpose.
   *
   * @param compacted whether a later record of its key may replace a record
   * @param beginnings the offset of the first record that is left, by partition
   */
  record Cleaning(boolean compacted, Map<Integer, Long> beginnings) {

    /** The partitions that lost their beginning. */
    Set<Integer> trimmed() {
      return beginnings.entrySet().stream()
          .filter(beginning -> beginning.getValue() > 0)
          .map(Map.Entry::getKey)
          .collect(Collectors.toSet());
    }
  }

  /** How a topic is cleaned; empty when there is no such topic. */
  Optional<Cleaning> cleaning(String topic);

  /** Shows each record from where the call before ended to the present end of the topic. */
  void read(String topic, Consumer<? super ConsumerRecord<byte[], byte[]>> visitor);

  /** One record again; empty when it was removed meanwhile. */
  Optional<ConsumerRecord<byte[], byte[]>> record(String topic, int partition, long offset);

  /** The partitions with an open transaction, and the time of its latest record. */
  Map<Integer, Instant> openTransactions(String topic);

  @Override
  void close();

  /** The brokers do not let this client read a topic. */
  final class ForbiddenException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    ForbiddenException(String topic) {
      super(
          "The topic %s may not be read: the audit needs READ and DESCRIBE on it".formatted(topic));
    }
  }
}
