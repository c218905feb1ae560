package io.posconnect.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import io.posconnect.cluster.TopicRecord;
import java.util.Collection;
import java.util.Map;
import java.util.TreeMap;

/**
 * Counts one stream's events as a consumer can who wants to know that nothing is missing: each
 * number is there once, and all of them up to the one that the latest checkpoint vouches for.
 */
final class NumberCheck {

  private NumberCheck() {}

  /** Holds the events of one stream, in any order, against its checkpoints. */
  static void assertComplete(
      Collection<TopicRecord> events, Collection<TopicRecord> checkpoints, String stream) {
    Map<Object, TreeMap<Long, Integer>> epochs = new TreeMap<>();
    for (TopicRecord event : events) {
      if (!event.tombstone()) {
        epochs
            .computeIfAbsent(event.at("source.epoch_ms"), epoch -> new TreeMap<>())
            .merge((Long) event.at("source.seq"), 1, Integer::sum);
      }
    }
    epochs.forEach(
        (epoch, numbers) -> {
          String what = stream + " in the numbering of " + epoch;
          assertThat(numbers.values()).as("how often each number of %s", what).containsOnly(1);
          assertThat(numbers.firstKey()).as("the first of %s", what).isEqualTo(1);
          assertThat(numbers.lastKey())
              .as("the last of %s, without a gap before", what)
              .isEqualTo(numbers.size());
        });
    for (TopicRecord checkpoint : checkpoints) {
      int there = epochs.getOrDefault(checkpoint.at("epoch_ms"), new TreeMap<>()).size();
      assertThat((Long) checkpoint.at("seq"))
          .as("what a checkpoint of %s vouches for", stream)
          .isLessThanOrEqualTo(there);
    }
  }
}
