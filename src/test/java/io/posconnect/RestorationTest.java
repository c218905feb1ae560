package io.posconnect;

import static org.assertj.core.api.Assertions.assertThat;

import io.posconnect.Restoration.Restart;
import io.posconnect.Restoration.Wanted;
import io.posconnect.offset.BucketSet;
import io.posconnect.offset.DigestCodec;
import io.posconnect.offset.StreamOffset;
import io.posconnect.offset.StreamOffset.SnapshotState;
import io.posconnect.offset.StreamPartition;
import io.posconnect.resource.Key;
import io.posconnect.resource.Stream;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.connect.storage.OffsetStorageReader;
import org.junit.jupiter.api.Test;

final class RestorationTest {

  private static final Stream STREAM = new Stream("downtown", "products");
  private static final Instant WATERMARK = Instant.parse("2026-03-01T12:00:00Z");
  private static final Key IN_FIRST = Key.of(1);
  private static final Key IN_SECOND = Key.of(513);

  private final Stored stored = new Stored();

  /** What Connect would give back. */
  private static final class Stored implements OffsetStorageReader {
    private final Map<Map<String, String>, Map<String, Object>> offsets = new HashMap<>();

    void position(String snapshotId) {
      offsets.put(
          StreamPartition.position(STREAM).toMap(),
          StreamOffset.rewoundTo(WATERMARK)
              .withSnapshot(SnapshotState.COMPLETED, snapshotId)
              .withBuckets(2, BucketSet.NONE.with(0).with(1))
              .toMap());
    }

    void bucket(int bucket, String snapshotId, Key key) {
      DigestCodec.Encoder encoder = new DigestCodec.Encoder(snapshotId);
      encoder.add(key, 7, true);
      offsets.put(StreamPartition.bucket(STREAM, 2, bucket).toMap(), encoder.toMap());
    }

    @Override
    public <T> Map<String, Object> offset(Map<String, T> partition) {
      return offsets.get(partition);
    }

    @Override
    public <T> Map<Map<String, T>, Map<String, Object>> offsets(
        Collection<Map<String, T>> partitions) {
      Map<Map<String, T>, Map<String, Object>> found = new HashMap<>();
      partitions.forEach(partition -> found.put(partition, offset(partition)));
      return found;
    }
  }

  private Restart restore(String snapshotId) {
    Wanted wanted = new Wanted(STREAM, snapshotId, 2, 100);
    return new Restoration(stored).restore(List.of(wanted)).get(STREAM);
  }

  @Test
  void goesOnWhereTheStreamLeftOff() {
    stored.position("");
    stored.bucket(0, "", IN_FIRST);
    stored.bucket(1, "", IN_SECOND);

    Restart restart = restore("");

    assertThat(restart.offset().watermark()).isEqualTo(WATERMARK);
    assertThat(restart.offset().snapshot()).isEqualTo(SnapshotState.COMPLETED);
    assertThat(restart.digest().contains(IN_FIRST)).isTrue();
    assertThat(restart.digest().contains(IN_SECOND)).isTrue();
  }

  @Test
  void answersALostBucketWithEverythingOnceMore() {
    stored.position("");
    stored.bucket(1, "", IN_SECOND);

    Restart restart = restore("");

    assertThat(restart.offset().snapshot()).isEqualTo(SnapshotState.RUNNING);
    assertThat(restart.offset().snapshotId()).isEqualTo("#2");
    assertThat(restart.digest().contains(IN_SECOND)).isFalse();
    assertThat(restart.digest().size()).as("still serves to find deletes").isEqualTo(1);
  }

  @Test
  void goesOnEmittingEverythingWhenThatWasInterrupted() {
    stored.position("");
    stored.bucket(0, "#2", IN_FIRST);
    stored.bucket(1, "", IN_SECOND);

    Restart restart = restore("");

    assertThat(restart.offset().snapshot()).isEqualTo(SnapshotState.RUNNING);
    assertThat(restart.offset().snapshotId()).isEqualTo("#2");
    assertThat(restart.digest().contains(IN_FIRST)).as("was emitted again").isTrue();
    assertThat(restart.digest().contains(IN_SECOND)).as("is to be emitted again").isFalse();
  }

  @Test
  void aNewNameOfTheSnapshotEmitsEverythingWhateverWasInterrupted() {
    stored.position("");
    stored.bucket(0, "#2", IN_FIRST);
    stored.bucket(1, "", IN_SECOND);

    Restart restart = restore("june");

    assertThat(restart.offset().snapshotId()).isEqualTo("june");
    assertThat(restart.offset().snapshot()).isEqualTo(SnapshotState.RUNNING);
    assertThat(restart.digest().contains(IN_FIRST)).isFalse();
    assertThat(restart.digest().size()).isEqualTo(2);
  }
}
