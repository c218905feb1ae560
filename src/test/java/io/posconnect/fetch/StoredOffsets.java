package io.posconnect.fetch;

import io.posconnect.fetch.Oracle.Violation;
import io.posconnect.fetch.Table.Version;
import io.posconnect.offset.BucketSet;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.connect.storage.OffsetStorageReader;

/** Connect's stored offsets, and what they must amount to. */
final class StoredOffsets implements OffsetStorageReader {

  private final Wiring wiring;
  private final boolean filtered;
  private final Map<Map<String, ?>, Map<String, Object>> stored = new HashMap<>();
  private final Map<Integer, Version> saved = new HashMap<>();

  /**
   * @param filtered whether increments exist
   */
  StoredOffsets(Wiring wiring, boolean filtered) {
    this.wiring = wiring;
    this.filtered = filtered;
  }

  /** Stores the offset of a record. */
  void store(EmittedRecord sent) {
    stored.put(sent.partition(), stored(wiring.offset(sent)));
    sent.owner().saved(sent, saved);
  }

  /** What Connect gives back of what was stored. */
  private static Map<String, Object> stored(Map<String, ?> offset) {
    if (offset == null) {
      return null;
    }
    Map<String, Object> read = new HashMap<>();
    offset.forEach(
        (name, value) -> {
          if (value instanceof String || value instanceof Long || value instanceof Boolean) {
            read.put(name, value);
          } else {
            throw new Violation("an offset holds " + value.getClass());
          }
        });
    return read;
  }

  /** What the digest was last told about each key in offsets that are stored. */
  Map<Integer, Version> saved() {
    return saved;
  }

  /** Whether the next process begins with an increment. */
  boolean snapshotted(String snapshotId) {
    Map<String, Object> position = stored.get(Map.of("stream", SimulatedTask.STREAM.id()));
    return filtered
        && position != null
        && position.get("snapshot").equals("completed")
        && position.get("snapshot.id").equals(snapshotId);
  }

  /** Whether a checkpoint says that a bucket's state must be there. */
  boolean vouchedFor(int bucket) {
    Map<String, Object> position = stored.get(Map.of("stream", SimulatedTask.STREAM.id()));
    return position != null
        && BucketSet.parse((String) position.get("acknowledged")).contains(bucket);
  }

  /** Loses the state of a bucket; returns the keys that were in it, or none if it was not there. */
  List<Integer> lose(int bucket, int buckets) {
    Map<String, String> partition =
        Map.of("stream", SimulatedTask.STREAM.id() + "/" + buckets + "/" + bucket);
    List<Integer> lost = new ArrayList<>();
    if (stored.remove(partition) != null) {
      saved.keySet().stream().filter(key -> key % buckets == bucket).forEach(lost::add);
      lost.forEach(saved::remove);
    }
    return lost;
  }

  @Override
  public <T> Map<String, Object> offset(Map<String, T> partition) {
    return stored.get(partition);
  }

  @Override
  public <T> Map<Map<String, T>, Map<String, Object>> offsets(
      Collection<Map<String, T>> partitions) {
    Map<Map<String, T>, Map<String, Object>> answer = new HashMap<>();
    partitions.forEach(partition -> answer.put(partition, stored.get(partition)));
    return answer;
  }
}
