package io.posconnect.offset;

import static org.assertj.core.api.Assertions.assertThat;

import io.posconnect.offset.BucketReader.Expected;
import io.posconnect.offset.BucketReader.Foreign;
import io.posconnect.offset.BucketReader.Restored;
import io.posconnect.offset.DigestCodec.Encoder;
import io.posconnect.resource.Key;
import io.posconnect.resource.Stream;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class BucketReaderTest {

  private static final Stream STREAM = new Stream("downtown", "products");
  private static final BucketSet MARKED = BucketSet.NONE.with(0).with(1);

  private final Map<Map<String, String>, Map<String, Object>> offsets = new HashMap<>();
  private final List<String> seen = new ArrayList<>();

  @Test
  void absentAndNeverAcknowledgedIsEmpty() {
    store(0, "a", 1, true);
    store(1, "a", 600, true);

    Restored restored = read("a");
    assertThat(restored.complete()).isTrue();
    assertThat(restored.entries()).isEqualTo(2);
    assertThat(restored.present()).isEqualTo(MARKED);
    assertThat(seen).containsExactly("0 1 current", "1 600 current");
  }

  @Test
  void absentThoughAcknowledgedIsLost() {
    store(0, "a", 1, true);
    offsets.put(StreamPartition.bucket(STREAM, 4, 1).toMap(), null);

    assertThat(read("a").lost()).containsOnlyKeys(1);
    assertThat(seen).containsExactly("0 1 current");
  }

  @Test
  void damagedIsLostAndShowsNothing() {
    store(0, "a", 1, true);
    store(1, "a", 600, true);
    offsets.put(StreamPartition.bucket(STREAM, 4, 3).toMap(), Map.of("digest", "AQAA"));

    Restored restored = read("a");
    assertThat(restored.complete()).isFalse();
    assertThat(restored.lost()).containsOnlyKeys(3);
    assertThat(restored.lost().get(3)).contains("truncated");
    assertThat(restored.present().contains(3)).isFalse();
  }

  @Test
  void presentThoughNotMarkedIsRead() {
    store(0, "a", 1, true);
    store(1, "a", 600, true);
    store(2, "a", 1100, true);

    assertThat(read("a").entries()).isEqualTo(3);
  }

  @Test
  void entriesOfAnotherSnapshotAreStale() {
    store(0, "a", 1, true);
    store(1, "b", 600, true);
    store(2, "b", 1100, false);

    Restored restored = read("b");
    assertThat(restored.snapshotIds()).containsExactly("a", "b");
    assertThat(seen).containsExactly("0 1 stale", "1 600 current", "2 1100 stale");
  }

  @Test
  void keysMadeOfOtherFieldsAreNotThere() {
    store(0, "a", 1, true);
    store(1, "a", 600, true, "name");
    store(2, "b", 1100, true, "name");

    Restored restored = read("a");
    assertThat(seen).containsExactly("0 1 current");
    assertThat(restored.present()).isEqualTo(BucketSet.NONE.with(0));
    assertThat(restored.lost()).containsOnly(Map.entry(1, "its keys are made of name"));
    assertThat(restored.foreign())
        .containsExactlyInAnyOrder(new Foreign("a", "name"), new Foreign("b", "name"));
    assertThat(restored.snapshotIds()).containsExactly("a", "b");
  }

  @Test
  void asksForEveryBucket() {
    assertThat(BucketReader.partitions(STREAM, 4))
        .hasSize(4)
        .contains(Map.of("stream", "downtown/products/4/3"));
  }

  private void store(int bucket, String snapshotId, long key, boolean current) {
    store(bucket, snapshotId, key, current, "id");
  }

  private void store(int bucket, String snapshotId, long key, boolean current, String keys) {
    Encoder encoder = new Encoder(snapshotId);
    encoder.add(Key.of(key), 5, current);
    offsets.put(StreamPartition.bucket(STREAM, 4, bucket).toMap(), encoder.toMap(keys));
  }

  private Restored read(String snapshotId) {
    return BucketReader.read(
        STREAM,
        4,
        new Expected(MARKED, snapshotId, "id"),
        offsets,
        (entry, bucket) ->
            seen.add(bucket + " " + entry.key() + (entry.current() ? " current" : " stale")));
  }
}
