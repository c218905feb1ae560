package io.posconnect.offset;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.entry;

import io.posconnect.Messages;
import io.posconnect.change.Image.Vouched;
import io.posconnect.offset.Snapshot.State;
import io.posconnect.resource.Numbering;
import io.posconnect.resource.Stream;
import java.time.Instant;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.apache.kafka.connect.errors.ConnectException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class StreamOffsetTest {

  private static final Stream STREAM = new Stream("downtown", "products");
  private static final List<Stream> STREAMS = List.of(STREAM);
  private static final Instant NOON = Instant.parse("2026-11-21T12:00:00Z");
  private static final DigestScope SCOPE =
      new DigestScope(
          "pos.products",
          "location,productId:int64",
          "lastSeen",
          "full /products",
          "1f3a9c0b price:9");
  private static final StreamOffset OFFSET =
      new StreamOffset(
          NOON,
          NOON.minusSeconds(60),
          new Vouched(17, 40, -2, 5),
          "pass 2 rows  keys 1f:1,",
          new StreamContext(
              new Snapshot("2", 1, State.COMPLETED, NOON.minusSeconds(3_600)),
              SCOPE,
              new Numbering(70_000, 1_764_000_000_123L),
              "Acme/Downtown",
              "1f2e3d4c 00000009"));

  @Test
  void isReadableAndReadBackWithIntegersOfEitherWidth() {
    assertThat(OFFSET.toMap(STREAM))
        .containsExactlyInAnyOrderEntriesOf(
            Map.ofEntries(
                entry("watermark", "2026-11-21T12:00:00Z"),
                entry("version", 2L),
                entry("damaged", "1f2e3d4c 00000009"),
                entry("snapshot", "completed"),
                entry("snapshot.id", "2"),
                entry("start.from", "2026-11-21T11:00:00Z"),
                entry("last.reconciliation", "2026-11-21T11:59:00Z"),
                entry("digest", "segment 17 length 40 sum fffffffffffffffe slots 5"),
                entry("suspects", "pass 2 rows  keys 1f:1,"),
                entry("identity", "Acme/Downtown"),
                entry("seq", 70_000L),
                entry("epoch.ms", 1_764_000_000_123L),
                entry("topic", "pos.products"),
                entry("keys", "location,productId:int64"),
                entry("ignored", "lastSeen"),
                entry("list", "full /products"),
                entry("contract", "1f3a9c0b price:9"),
                entry("checksum", "d9038887")));
    assertThat(StreamOffset.fromMap(STREAM, OFFSET.toMap(STREAM))).contains(OFFSET);
    assertThat(StreamOffset.fromMap(STREAM, changed("version", 1))).contains(OFFSET);
  }

  @Test
  void everyStateIsReadBack() {
    StreamOffset other =
        StreamOffset.start(
                StreamContext.of(
                    Snapshot.first(""), new DigestScope("", "", "", "", ""), Numbering.NONE))
            .withWatermark(NOON.plusMillis(1));

    assertThat(other.toMap(STREAM)).doesNotContainKeys("last.reconciliation", "suspects");
    assertThat(StreamOffset.fromMap(STREAM, other.toMap(STREAM))).contains(other);
  }

  @Test
  void watermarkAloneIsRewindAndEmptyMapIsNoOffset() {
    Map<String, Object> set = Map.of("watermark", "2026-11-21T12:00:00Z");

    assertThat(StreamOffset.rewoundTo(STREAM, set)).contains(NOON);
    assertThat(StreamOffset.fromMap(STREAM, set)).isEmpty();
    assertThat(StreamOffset.rewoundTo(STREAM, OFFSET.toMap(STREAM))).isEmpty();
    assertThat(StreamOffset.rewoundTo(STREAM, Map.of())).isEmpty();
    assertThat(StreamOffset.rewoundTo(STREAM, null)).isEmpty();
    assertThat(StreamOffset.fromMap(STREAM, Map.of())).isEmpty();
    assertThat(StreamOffset.fromMap(STREAM, null)).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({
    "registerTransactionId, ''",
    "transactionId, ' by transactionId'",
    "'transactionId,other', ' by transactionId,other'"
  })
  void keysThatAnAliasWasChosenForAreOthers(String chosen, String mark) {
    Map<String, Object> stored = changed("key.names", chosen);
    stored.put("keys", "location,registerTransactionId|transactionId:int64");

    assertThat(StreamOffset.fromMap(STREAM, stored).orElseThrow().context().scope().keys())
        .isEqualTo("location,registerTransactionId|transactionId:int64" + mark);
  }

  @ParameterizedTest
  @CsvSource({
    "watermark, yesterday",
    "watermark, ",
    "version, ",
    "snapshot, paused",
    "snapshot.id, ",
    "last.reconciliation, 12:00",
    "start.from, now",
    "digest, ",
    "digest, segment 1",
    "digest, segment 1 length 2 sum 3 slots 4",
    "digest, segment -1 length 2 sum 0000000000000003 slots 4",
    "digest, segment 9999999999999999999 length 2 sum 0000000000000003 slots 4",
    "digest, segment 1 length 9999999999 sum 0000000000000003 slots 4",
    "identity, ",
    "seq, ",
    "seq, many",
    "epoch.ms, "
  })
  void damagedOffsetNamesPlaceFaultAndRemedy(String field, String value) {
    assertThatExceptionOfType(ConnectException.class)
        .isThrownBy(() -> StreamOffset.fromMap(STREAM, changed(field, value)))
        .withMessageContaining("downtown/products")
        .withMessageContaining("{\"watermark\": \"<instant>\"}");
  }

  @Test
  void refusesLaterVersion() {
    for (Map<String, Object> later :
        List.of(
            changed("version", 3L),
            Map.<String, Object>of("version", 3L),
            Map.<String, Object>of("version", 9L, "watermark", 7L))) {
      assertThatExceptionOfType(ConnectException.class)
          .isThrownBy(() -> StreamOffset.fromMap(STREAM, later))
          .withMessageStartingWith("POS-610 downtown/products: ")
          .withMessageContaining("of version " + later.get("version") + ", this build reads 2")
          .withMessageContaining("Install the newer version again");
    }
  }

  @Test
  void changedFieldIsDamage() {
    Map<String, Object> map = new HashMap<>(OFFSET.toMap(STREAM));
    map.put("watermark", "2026-11-22T12:00:00Z");

    for (Stream stream : List.of(STREAM, new Stream("airport", "products"))) {
      Map<String, Object> stored = stream.equals(STREAM) ? map : OFFSET.toMap(STREAM);
      assertThatExceptionOfType(ConnectException.class)
          .isThrownBy(() -> StreamOffset.fromMap(stream, stored))
          .withMessageStartingWith("POS-605 " + stream)
          .withMessageContaining("checksum");
    }
  }

  @Test
  void unknownVersionIsDamage() {
    assertThatExceptionOfType(ConnectException.class)
        .isThrownBy(() -> StreamOffset.fromMap(STREAM, changed("version", 0L)))
        .withMessageContaining("POS-605")
        .withMessageContaining("its version is 0");
  }

  @Test
  void missingScopeIsAnotherScope() {
    assertThat(StreamOffset.fromMap(STREAM, changed("keys", null)))
        .hasValueSatisfying(
            offset -> {
              assertThat(SCOPE.continues(offset.context().scope())).isFalse();
            });
  }

  @Test
  void streamBeginsInFull() {
    StreamOffset start =
        StreamOffset.start(StreamContext.of(Snapshot.first("june"), SCOPE, Numbering.NONE));

    assertThat(start.watermark()).isEqualTo(Instant.MIN);
    assertThat(start.snapshotted()).isFalse();
    assertThat(start.vouched()).isEqualTo(Vouched.NOTHING);
    assertThat(StreamOffset.fromMap(STREAM, start.toMap(STREAM))).contains(start);
  }

  @Test
  void allowsResetOfAnyPartition() {
    assertThatCode(
            () -> {
              OffsetRules.validate(STREAMS, Map.of("stream", "downtown/products"), null, NOON);
              OffsetRules.validate(STREAMS, Map.of("stream", "downtown/products/1"), null, NOON);
              OffsetRules.validate(STREAMS, Map.of("file", "of another connector"), null, NOON);
              OffsetRules.validate(STREAMS, Map.of("stream", "downtwon/products"), null, NOON);
              OffsetRules.validate(STREAMS, null, null, NOON);
            })
        .doesNotThrowAnyException();
  }

  /** An entry of the partition, and the entries of the offset. */
  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      quoteCharacter = '`',
      textBlock =
          """
          stream=downtown/products; ``; `{"watermark": `
          stream=downtown/products; watermark=yesterday; `{"watermark": `
          stream=downtown/products; watermark=1969-12-31T00:00:00Z; 1970
          stream=downtown/products; watermark=2026-11-21T12:00:00.001Z; not in the future
          stream=downtown/products; position=2026-11-21T12:00:00Z; `{"watermark": `
          stream=downtown/products; watermark=2026-11-21T12:00:00Z keys=location,productId:int64; `{"watermark": `
          stream=downtown/products/1; digest=AQ; only be reset
          stream=downtown/products/1; watermark=2026-11-21T12:00:00Z; only be reset
          stream=downtwon/products; watermark=2026-11-21T12:00:00Z; POS-604
          stream=downtwon/products; watermark=2026-11-21T12:00:00Z; only downtown/products
          file=x; watermark=2026-11-21T12:00:00Z; not a partition
          """)
  void allowsNothingButTheWatermarkOfAPosition(String partition, String offset, String why) {
    assertRefused(entries(partition), entries(offset), why);
  }

  @Test
  void allowsTheWatermarkOfAPositionAndNoOtherType() {
    Map<String, String> position = StreamPartition.position(STREAM).toMap();
    OffsetRules.validate(STREAMS, position, Map.of("watermark", "2026-11-21T12:00:00Z"), NOON);
    assertRefused(position, Map.of("watermark", 7L), "{\"watermark\": ");
    assertRefused(position, OFFSET.toMap(STREAM), "{\"watermark\": ");
  }

  private static Map<String, String> entries(String text) {
    return Arrays.stream(text.split(" ", -1))
        .filter(entry -> !entry.isEmpty())
        .map(entry -> entry.split("=", 2))
        .collect(Collectors.toMap(entry -> entry[0], entry -> entry[1]));
  }

  private static void assertRefused(Map<String, ?> partition, Map<String, ?> offset, String why) {
    assertThatExceptionOfType(ConnectException.class)
        .isThrownBy(() -> OffsetRules.validate(STREAMS, partition, offset, NOON))
        .withMessageContaining(why)
        .satisfies(refusal -> Messages.assertExplained(refusal.getMessage()));
  }

  private static Map<String, Object> changed(String field, Object value) {
    Map<String, Object> map = new HashMap<>(OFFSET.toMap(STREAM));
    map.remove("checksum"); // which builds before 0.1.0 did not write
    if (value == null) {
      map.remove(field);
    } else {
      map.put(field, value);
    }
    return map;
  }
}
