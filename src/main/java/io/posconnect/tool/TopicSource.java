package io.posconnect.tool;

import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
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

    /** Returns whether a partition lost its beginning. */
    boolean isTrimmed() {
      return beginnings.values().stream().anyMatch(first -> first > 0);
    }
  }

  /** How a topic is cleaned; empty when there is no such topic. */
  Optional<Cleaning> cleaning(String topic);

  /** Shows each record from where the call before ended to the present end of the topic. */
  void read(String topic, Consumer<? super ConsumerRecord<byte[], byte[]>> visitor);

  /** One record again; empty when it was removed meanwhile. */
  Optional<ConsumerRecord<byte[], byte[]>> record(String topic, int partition, long offset);

  @Override
  void close();
}
