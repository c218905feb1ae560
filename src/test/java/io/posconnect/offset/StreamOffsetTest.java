package io.posconnect.offset;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.posconnect.Messages;
import io.posconnect.offset.StreamOffset.Retention;
import io.posconnect.offset.StreamOffset.SnapshotState;
import io.posconnect.resource.Stream;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.connect.errors.ConnectException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class StreamOffsetTest {

  private static final Stream STREAM = new Stream("downtown", "products");
  private static final List<Stream> STREAMS = List.of(STREAM);
  private static final Instant NOON = Instant.parse("2026-11-21T12:00:00Z");
  private static final StreamOffset OFFSET =
      new StreamOffset(
          NOON,
          SnapshotState.COMPLETED,
          "2",
          NOON.minusSeconds(60),
          64,
          BucketSet.NONE.with(0).with(17).with(63),
          Retention.FULL,
          0,
          "Acme/Downtown",
          "location,productId:int64");

  @Test
  void isReadableAndReadBack() {
    assertThat(OFFSET.toMap())
        .containsExactlyInAnyOrderEntriesOf(
            Map.of(
                "watermark", "2026-11-21T12:00:00Z",
                "version", 1L,
                "snapshot", "completed",
                "snapshot.id", "2",
                "last.reconciliation", "2026-11-21T11:59:00Z",
                "buckets", 64L,
                "acknowledged", "0100020000000080",
                "retention", "full",
                "identity", "Acme/Downtown",
                "keys", "location,productId:int64"));
    assertThat(StreamOffset.fromMap(STREAM, OFFSET.toMap())).contains(OFFSET);
  }

  @Test
  void everyStateIsReadBack() {
    StreamOffset other =
        OFFSET
            .withWatermark(NOON.plusMillis(1))
            .withSnapshot(SnapshotState.RUNNING, "")
            .withLastReconciliation(StreamOffset.NEVER)
            .withBuckets(1024, BucketSet.NONE)
            .withWindowRetention(100_000)
            .withIdentity("")
            .withKeys("");

    assertThat(other.lastReconciliation()).isEqualTo(StreamOffset.NEVER);
    assertThat(other.toMap()).doesNotContainKey("last.reconciliation");
    assertThat(StreamOffset.fromMap(STREAM, other.toMap())).contains(other);
  }

  @Test
  void aWatermarkAloneRewindsAndLeavesTheRestToTheConfiguration() {
    Map<String, Object> set = Map.of("watermark", "2026-11-21T12:00:00Z");

    StreamOffset rewound = StreamOffset.fromMap(STREAM, set).orElseThrow();
    assertThat(rewound).isEqualTo(StreamOffset.rewoundTo(NOON));
    assertThat(rewound.rewound()).isTrue();
    assertThat(rewound.snapshot()).isEqualTo(SnapshotState.COMPLETED);
    assertThat(rewound.lastReconciliation()).isEqualTo(StreamOffset.NEVER);
    assertThat(rewound.acknowledged()).isEqualTo(BucketSet.NONE);
    assertThat(rewound.toMap()).isEqualTo(set);
  }

  @Test
  void nothingStoredIsNoOffset() {
    assertThat(StreamOffset.fromMap(STREAM, null)).isEmpty();
    assertThat(StreamOffset.fromMap(STREAM, Map.of())).isEmpty();
  }

  @Test
  void integersMayComeBackInEitherWidth() {
    assertThat(StreamOffset.fromMap(STREAM, changed("buckets", 64))).contains(OFFSET);
  }

  @ParameterizedTest
  @CsvSource({
    "watermark, yesterday",
    "watermark, ",
    "version, ",
    "snapshot, paused",
    "snapshot.id, ",
    "last.reconciliation, 12:00",
    "buckets, many",
    "acknowledged, xyz",
    "acknowledged, ffffffffffffffff01",
    "retention, FULL",
    "identity, ",
    "keys, "
  })
  void aDamagedOffsetSaysWhereWhatAndWhatToDo(String field, String value) {
    assertThatExceptionOfType(ConnectException.class)
        .isThrownBy(() -> StreamOffset.fromMap(STREAM, changed(field, value)))
        .withMessageContaining("downtown/products")
        .withMessageContaining("{\"watermark\": \"<instant>\"}");
  }

  @Test
  void aLaterVersionIsNotGuessedAt() {
    assertThatExceptionOfType(ConnectException.class)
        .isThrownBy(() -> StreamOffset.fromMap(STREAM, changed("version", 2L)))
        .withMessageContaining("version is 2");
  }

  @Test
  void keysThatAreNoTextAreDamage() {
    assertThatExceptionOfType(ConnectException.class)
        .isThrownBy(() -> StreamOffset.fromMap(STREAM, changed("keys", 1L)))
        .withMessageContaining("keys is 1, not a text");
  }

  @Test
  void anAcknowledgedBucketBeyondTheLastIsRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> OFFSET.withBuckets(16, OFFSET.acknowledged()))
        .withMessageContaining("bucket 63 of 16");
  }

  @Test
  void aResetIsAllowedForAnyPartition() {
    assertThatCode(
            () -> {
              OffsetRules.validate(STREAMS, Map.of("stream", "downtown/products"), null);
              OffsetRules.validate(STREAMS, Map.of("stream", "downtown/products/64/1"), null);
              OffsetRules.validate(STREAMS, Map.of("file", "of another connector"), null);
              OffsetRules.validate(STREAMS, null, null);
            })
        .doesNotThrowAnyException();
  }

  @Test
  void aPositionMayBeGivenAWatermarkAndNothingElse() {
    Map<String, String> position = StreamPartition.position(STREAM).toMap();
    OffsetRules.validate(STREAMS, position, Map.of("watermark", "2026-11-21T12:00:00Z"));

    assertRefused(position, Map.of(), "{\"watermark\": ");
    assertRefused(position, Map.of("watermark", "yesterday"), "{\"watermark\": ");
    assertRefused(position, Map.of("watermark", "1969-12-31T00:00:00Z"), "1970");
    assertRefused(position, Map.of("watermark", "+10000-01-01T00:00:00Z"), "9999");
    assertRefused(position, Map.of("watermark", 7L), "{\"watermark\": ");
    assertRefused(position, Map.of("position", "2026-11-21T12:00:00Z"), "{\"watermark\": ");
    assertRefused(
        position,
        Map.of("watermark", "2026-11-21T12:00:00Z", "keys", "location,productId:int64"),
        "{\"watermark\": ");
    assertRefused(position, OFFSET.toMap(), "{\"watermark\": ");
  }

  @Test
  void aBucketMayOnlyBeReset() {
    assertRefused(
        StreamPartition.bucket(STREAM, 64, 1).toMap(), Map.of("digest", "AQ"), "only be reset");
    assertRefused(
        StreamPartition.bucket(STREAM, 64, 1).toMap(),
        Map.of("watermark", "2026-11-21T12:00:00Z"),
        "only be reset");
  }

  @Test
  void aForeignPartitionIsRefused() {
    assertRefused(
        Map.of("file", "x"), Map.of("watermark", "2026-11-21T12:00:00Z"), "not a partition");
  }

  private static void assertRefused(Map<String, ?> partition, Map<String, ?> offset, String why) {
    assertThatExceptionOfType(ConnectException.class)
        .isThrownBy(() -> OffsetRules.validate(STREAMS, partition, offset))
        .withMessageContaining(why)
        .satisfies(refusal -> Messages.assertExplained(refusal.getMessage()));
  }

  private static Map<String, Object> changed(String field, Object value) {
    Map<String, Object> map = new HashMap<>(OFFSET.toMap());
    if (value == null) {
      map.remove(field);
    } else {
      map.put(field, value);
    }
    return map;
  }

  @Test
  void theWatermarkOfAStreamThatIsNotConfiguredIsRefusedAndItsResetIsNot() {
    Map<String, String> misspelt = Map.of("stream", "downtwon/products");

    assertThatExceptionOfType(ConnectException.class)
        .isThrownBy(
            () ->
                OffsetRules.validate(
                    STREAMS, misspelt, Map.of("watermark", "2026-11-21T12:00:00Z")))
        .withMessageContaining("POS-604")
        .withMessageContaining("downtwon/products")
        .withMessageContaining("only downtown/products");
    assertThatCode(() -> OffsetRules.validate(STREAMS, misspelt, null)).doesNotThrowAnyException();
  }
}
