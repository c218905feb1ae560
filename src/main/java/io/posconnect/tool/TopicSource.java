package io.posconnect.tool;

import java.time.Instant;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/** Reads the committed records of topics. For one thread. */
interface TopicSource extends AutoCloseable {

  /**
   * What a topic may have lost on purpose, and what it does not show yet.
   *
   * @param compacted the partitions that have had records, of a topic in which a later record of
   *     its key may replace a record; some may have none left
   * @param trimmed the partitions that lost their beginning
   * @param open the partitions with an open transaction, and the time of its latest record
   */
  record State(Set<Integer> compacted, Set<Integer> trimmed, Map<Integer, Instant> open) {

    /** The partitions from which events may have been removed. */
    Set<Integer> cleaned() {
      Set<Integer> cleaned = new HashSet<>(compacted);
      cleaned.addAll(trimmed);
      return cleaned;
    }
  }

  /** The state of a topic; empty when there is no such topic. */
  Optional<State> state(String topic);

  /** Shows each record from where the call before ended to the present end of the topic. */
  void read(String topic, Consumer<? super ConsumerRecord<byte[], byte[]>> visitor);

  /** One record again; empty when it was removed meanwhile. */
  Optional<ConsumerRecord<byte[], byte[]>> record(String topic, int partition, long offset);

  @Override
  void close();

  /** One topic cannot be read; the audit goes on with the others. */
  final class UnreadableException extends RuntimeException {
    UnreadableException(String why) {
      super(why);
    }

    /** The brokers do not let this client read a topic. */
    static UnreadableException forbidden(String topic) {
      return new UnreadableException(
          "The topic %s may not be read: the audit needs READ and DESCRIBE on it".formatted(topic));
    }
  }
}
