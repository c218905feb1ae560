package io.posconnect.offset;

import static org.assertj.core.api.Assertions.assertThat;

import io.posconnect.change.Digest;
import io.posconnect.change.Digest.Segments;
import io.posconnect.change.Digest.Stored;
import io.posconnect.change.Digest.StoredEntry;
import io.posconnect.change.Image.State;
import io.posconnect.offset.DigestReader.Loss;
import io.posconnect.offset.DigestReader.Restored;
import io.posconnect.resource.Key;
import io.posconnect.resource.Numbering;
import io.posconnect.resource.Stream;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class DigestReaderTest {

  private static final Stream STREAM = new Stream("downtown", "products");
  private static final Instant NOON = Instant.parse("2026-11-21T12:00:00Z");
  private static final DigestScope SCOPE =
      new DigestScope("pos.products", "id:int64", "", "full /products", "");
  private static final int KEYS = 600; // of about four segments

  private final StoredStream stored =
      new StoredStream(
          STREAM,
          start(Snapshot.first("a")),
          new Digest(Segments.DEFAULT, new SplittableRandom(1)));

  private static StreamOffset start(Snapshot snapshot) {
    return StreamOffset.start(StreamContext.of(snapshot, SCOPE, Numbering.beginningAt(5)));
  }

  private Map<StreamPartition, Map<String, Object>> slots() {
    return StoredStream.slots(STREAM, stored.offsets());
  }

  private Restored read() {
    return DigestReader.read(
        StreamOffset.fromMap(STREAM, stored.offsets().get(StreamPartition.position(STREAM).toMap()))
            .orElse(null),
        slots());
  }

  private Optional<String> lost() {
    return read().loss().map(Loss::detail);
  }

  private static StreamPartition slot(int number) {
    return StreamPartition.slot(STREAM, number);
  }

  private void lose(int slot) {
    stored.reset(slot(slot));
  }

  @Test
  void nothingStoredIsNoLoss() {
    assertThat(lost()).isEmpty();
    assertThat(read().newest()).isEmpty();
    stored.checkpoint(NOON);
    assertThat(lost()).isEmpty();
    assertThat(read().slots()).isZero();
  }

  @Test
  void readsEntriesInOrder() {
    stored.emit(0, KEYS, 7);
    stored.checkpoint(NOON);

    Restored restored = read();
    assertThat(restored.loss()).isEmpty();
    assertThat(
            restored.segments().stream()
                .flatMap(segment -> segment.stored().entries().stream())
                .map(StoredEntry::key))
        .containsExactlyElementsOf(IntStream.range(0, KEYS).mapToObj(Key::of).toList());
    assertThat(restored.segments()).hasSizeBetween(3, 6);
    assertThat(restored.slots()).isEqualTo(restored.segments().size());
    assertThat(restored.newest().orElseThrow().context().numbering().seq()).isEqualTo(KEYS);
    assertThat(restored.newest().orElseThrow().context().snapshot().runs()).isTrue();
    assertThat(read()).isEqualTo(restored);
  }

  @Test
  void detectsEachAbsentSegmentAndTheLossOfAll() {
    stored.emit(0, KEYS, 7);
    stored.checkpoint(NOON);

    int segments = slots().size();
    for (int slot = 0; slot < segments; slot++) {
      Map<String, Object> kept = slots().get(slot(slot));
      lose(slot);
      assertThat(lost()).as("slot %s", slot).isPresent();
      stored.put(slot(slot), kept);
    }
    assertThat(lost()).isEmpty();

    IntStream.range(0, 10).forEach(this::lose);
    assertThat(lost()).hasValueSatisfying(why -> assertThat(why).contains("nothing is there"));
    assertThat(read().segments()).isEmpty();
  }

  @Test
  void detectsEarlierImageOfSegment() {
    stored.emit(0, 100, 7);
    Map<String, Object> shorter = slots().get(slot(0));
    stored.emit(100, KEYS, 7);
    stored.checkpoint(NOON);
    stored.put(slot(0), shorter);

    assertThat(lost()).hasValueSatisfying(why -> assertThat(why).contains("too short"));
  }

  @Test
  void shorterLastSegmentIsLostOnceVouchedFor() {
    stored.emit(0, 50, 7);
    Map<String, Object> shorter = slots().get(slot(0));
    stored.emit(50, 100, 7);
    stored.put(slot(0), shorter);
    assertThat(lost()).as("not vouched for").isEmpty();

    stored.checkpoint(NOON);
    assertThat(lost()).isPresent();
  }

  @Test
  void segmentsVouchForEachOtherWithoutPosition() {
    stored.emit(0, KEYS, 7);
    assertThat(lost()).isEmpty();

    lose(1);
    assertThat(lost()).isPresent();
  }

  @Test
  void releasedSegmentsMayBeAbsent() {
    for (int round = 0; round < 20; round++) {
      stored.emit(0, 200, round);
      stored.checkpoint(NOON);
    }
    Restored restored = read();
    assertThat(restored.loss()).isEmpty();
    long head = lastOf(restored).header().head();
    assertThat(head).isGreaterThan(1);

    for (StreamPartition slot : slots().keySet()) {
      Map<String, Object> kept = slots().get(slot);
      stored.reset(slot);
      long sequence =
          restored.segments().stream()
              .map(segment -> segment.stored())
              .filter(segment -> segment.slot() == slot.number())
              .findAny()
              .orElseThrow()
              .header()
              .sequence();
      assertThat(lost().isPresent()).as("segment %s", sequence).isEqualTo(sequence >= head);
      stored.put(slot, kept);
    }
  }

  private static Stored lastOf(Restored restored) {
    return restored.segments().get(restored.segments().size() - 1).stored();
  }

  @Test
  void sameSegmentTwiceIsDamage() {
    stored.emit(0, KEYS, 7);
    stored.checkpoint(NOON);
    stored.put(slot(50), slots().get(slot(0)));

    assertThat(lost())
        .hasValueSatisfying(why -> assertThat(why).contains("another slot holds the same segment"));
  }

  @Test
  void entriesOfOtherSnapshotAreStaleAndRemovalsStay() {
    stored.emit(1, 2, 7);
    stored.emit(2, 3, 7);
    stored.delete(Key.of(2));

    assertThat(read().stored(Snapshot.first("a"), SCOPE).get(0).entries())
        .containsExactly(
            new StoredEntry(Key.of(1), State.CURRENT, 7),
            new StoredEntry(Key.of(2), State.CURRENT, 7),
            new StoredEntry(Key.of(2), State.REMOVED, 0));
    assertThat(read().stored(Snapshot.first("b"), SCOPE).get(0).entries())
        .containsExactly(
            new StoredEntry(Key.of(1), State.STALE, 0),
            new StoredEntry(Key.of(2), State.STALE, 0),
            new StoredEntry(Key.of(2), State.REMOVED, 0));
  }

  @Test
  void readsKnownSlotsAndAWindowBeyond() {
    assertThat(DigestReader.partitions(STREAM, 0, 3))
        .hasSize(3 + DigestReader.WINDOW)
        .startsWith(Map.of("stream", "downtown/products/0"));
    assertThat(DigestReader.partitions(STREAM, 259, 262))
        .hasSize(259)
        .startsWith(Map.of("stream", "downtown/products/259"));
  }
}
