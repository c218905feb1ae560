package io.posconnect.task;

import static org.assertj.core.api.Assertions.assertThat;

import io.posconnect.Messages;
import io.posconnect.TaskLog;
import io.posconnect.offset.BucketSet;
import io.posconnect.offset.DigestCodec;
import io.posconnect.offset.StreamOffset;
import io.posconnect.offset.StreamOffset.SnapshotState;
import io.posconnect.offset.StreamPartition;
import io.posconnect.resource.Key;
import io.posconnect.resource.Stream;
import io.posconnect.task.OffsetLoader.Restart;
import io.posconnect.task.OffsetLoader.Wanted;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.connect.storage.OffsetStorageReader;
import org.junit.jupiter.api.Test;

final class OffsetLoaderTest {

  private static final Stream STREAM = new Stream("downtown", "products");
  private static final Instant WATERMARK = Instant.parse("2026-03-01T12:00:00Z");
  private static final String KEYS = "location,productId:int64";
  private static final String OTHER_KEYS = "location,sku:string";
  private static final Key IN_FIRST = Key.of(1);
  private static final Key IN_SECOND = Key.of(513);

  private final Stored stored = new Stored();

  /** What Connect would give back. */
  private static final class Stored implements OffsetStorageReader {
    private final Map<Map<String, String>, Map<String, Object>> offsets = new HashMap<>();

    void position(String snapshotId) {
      position(snapshotId, KEYS);
    }

    void position(String snapshotId, String keys) {
      offsets.put(
          StreamPartition.position(STREAM).toMap(),
          StreamOffset.rewoundTo(WATERMARK)
              .withSnapshot(SnapshotState.COMPLETED, snapshotId)
              .withBuckets(2, BucketSet.NONE.with(0).with(1))
              .withKeys(keys)
              .toMap());
    }

    void rewound() {
      offsets.put(
          StreamPartition.position(STREAM).toMap(), StreamOffset.rewoundTo(WATERMARK).toMap());
    }

    void bucket(int bucket, String snapshotId, Key key) {
      bucket(bucket, snapshotId, key, KEYS);
    }

    void bucket(int bucket, String snapshotId, Key key, String keys) {
      DigestCodec.Encoder encoder = new DigestCodec.Encoder(snapshotId);
      encoder.add(key, 7, true);
      offsets.put(StreamPartition.bucket(STREAM, 2, bucket).toMap(), encoder.toMap(keys));
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
    return restore(snapshotId, KEYS);
  }

  private Restart restore(String snapshotId, String keys) {
    Wanted wanted = new Wanted(STREAM, snapshotId, 2, 100, keys);
    return new OffsetLoader(stored).restore(List.of(wanted)).get(STREAM);
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

  @Test
  void otherKeysUnderTheSameSnapshotAreRefusedWithTheRemedies() {
    stored.position("");
    stored.bucket(0, "", IN_FIRST);
    stored.bucket(1, "", IN_SECOND);

    String refusal = restore("", OTHER_KEYS).refusal();

    assertThat(refusal)
        .startsWith("POS-603 downtown/products: keys would be made of " + OTHER_KEYS)
        .contains("under keys of " + KEYS, "nothing is read or deleted")
        .contains("resources.products.key.fields (or its .occurrences,", "; put them back")
        .contains("resources.products.snapshot.id was", "give snapshot.id a new value");
    Messages.assertExplained(refusal);
    assertThat(restore("", KEYS).refusal()).as("put back").isNull();
    assertThat(restore("", KEYS).digest().contains(IN_SECOND)).as("put back").isTrue();
  }

  @Test
  void aSnapshotBegunAgainByItselfIsStillTheSameName() {
    stored.position("#2");

    assertThat(restore("", OTHER_KEYS).refusal()).isNotNull();
  }

  @Test
  void otherKeysUnderANewSnapshotReadEverythingAndForgetTheOldOnesWithAWarning() {
    stored.position("");
    stored.bucket(0, "", IN_FIRST);
    stored.bucket(1, "", IN_SECOND);

    try (TaskLog log = TaskLog.listen()) {
      Restart restart = restore("june", OTHER_KEYS);

      assertThat(restart.refusal()).isNull();
      assertThat(restart.offset())
          .isEqualTo(
              StreamOffset.rewoundTo(Instant.MIN)
                  .withSnapshot(SnapshotState.RUNNING, "june")
                  .withBuckets(2, BucketSet.NONE)
                  .withKeys(OTHER_KEYS));
      assertThat(restart.digest().size()).isZero();
      assertThat(log.lines())
          .singleElement()
          .satisfies(
              line ->
                  assertThat(line)
                      .startsWith("WARN POS-607 downtown/products: keys are made of " + OTHER_KEYS)
                      .contains("no longer of " + KEYS, "\"june\"", "delete the records"))
          .satisfies(Messages::assertExplained);
    }
  }

  @Test
  void aChangeOfKeysThatWasInterruptedGoesOn() {
    stored.position("");
    stored.bucket(0, "june", IN_FIRST, OTHER_KEYS);
    stored.bucket(1, "", IN_SECOND);

    Restart restart = restore("june", OTHER_KEYS);

    assertThat(restart.offset().snapshot()).isEqualTo(SnapshotState.RUNNING);
    assertThat(restart.digest().contains(IN_FIRST)).isTrue();
    assertThat(restart.digest().size()).isEqualTo(1);
  }

  @Test
  void aChangeOfKeysThatIsUndoneHalfwayEmitsEverythingOnceMore() {
    stored.position("");
    stored.bucket(0, "june", IN_FIRST, OTHER_KEYS);
    stored.bucket(1, "", IN_SECOND);

    Restart restart = restore("");

    assertThat(restart.refusal()).isNull();
    assertThat(restart.offset().snapshotId()).isEqualTo("#2");
    assertThat(restart.offset().snapshot()).isEqualTo(SnapshotState.RUNNING);
    assertThat(restart.digest().contains(IN_SECOND)).isFalse();
    assertThat(restart.digest().size()).as("the old key serves to find deletes").isEqualTo(1);
  }

  @Test
  void whatIsLeftOfEarlierKeysIsNeitherReadNorLost() {
    stored.offsets.put(
        StreamPartition.position(STREAM).toMap(),
        StreamOffset.rewoundTo(WATERMARK)
            .withSnapshot(SnapshotState.COMPLETED, "june")
            .withBuckets(2, BucketSet.NONE.with(0))
            .withKeys(OTHER_KEYS)
            .toMap());
    stored.bucket(0, "june", IN_FIRST, OTHER_KEYS);
    stored.bucket(1, "", IN_SECOND);

    Restart restart = restore("june", OTHER_KEYS);

    assertThat(restart.offset().snapshot()).isEqualTo(SnapshotState.COMPLETED);
    assertThat(restart.offset().acknowledged()).isEqualTo(BucketSet.NONE.with(0));
    assertThat(restart.digest().size()).isEqualTo(1);
    stored.rewound();
    assertThat(restore("june", OTHER_KEYS).offset().watermark()).isEqualTo(WATERMARK);
  }

  @Test
  void aRewoundPositionDoesNotHideThatTheKeysAreOthers() {
    stored.rewound();
    stored.bucket(0, "", IN_FIRST);
    stored.bucket(1, "", IN_SECOND);

    assertThat(restore("").offset().watermark()).isEqualTo(WATERMARK);
    assertThat(restore("", OTHER_KEYS).refusal()).contains("under keys of " + KEYS);
    Restart confirmed = restore("june", OTHER_KEYS);
    assertThat(confirmed.refusal()).isNull();
    assertThat(confirmed.offset().snapshot()).isEqualTo(SnapshotState.RUNNING);
    assertThat(confirmed.offset().watermark()).isEqualTo(Instant.MIN);
    assertThat(confirmed.digest().size()).isZero();
  }

  @Test
  void aRewoundPositionAndANewSnapshotReadEverything() {
    stored.rewound();
    stored.bucket(0, "", IN_FIRST);

    Restart restart = restore("june");

    assertThat(restart.offset().snapshot()).isEqualTo(SnapshotState.RUNNING);
    assertThat(restart.offset().watermark()).isEqualTo(Instant.MIN);
    assertThat(restart.digest().contains(IN_FIRST)).isFalse();
    assertThat(restart.digest().size()).isEqualTo(1);
  }

  @Test
  void withoutAPositionOtherKeysReadEverything() {
    stored.bucket(0, "", IN_FIRST);

    Restart restart = restore("", OTHER_KEYS);

    assertThat(restart.refusal()).isNull();
    assertThat(restart.offset().snapshot()).isEqualTo(SnapshotState.RUNNING);
    assertThat(restart.digest().size()).isZero();
  }
}
