package io.posconnect.change;

import static java.util.stream.Collectors.toSet;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.posconnect.change.Digest.Segments;
import io.posconnect.change.Digest.Stored;
import io.posconnect.change.Digest.StoredEntry;
import io.posconnect.change.Image.Header;
import io.posconnect.change.Image.State;
import io.posconnect.resource.Key;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** What {@link DigestLawTest} does not show: the log, its slots and what is vouched for. */
class DigestTest {

  private static final Key ONE = Key.of(1);
  private static final Key TWO = Key.of(2);
  private static final long GREATEST_HASH = (1L << 56) - 1;

  private final Digest digest = new Digest(Segments.DEFAULT, new SplittableRandom(1));

  private static Digest restored(StoredEntry... entries) {
    Header header = new Header(7, 1, entries.length, 1, 0, 1, 0, 1);
    return Digest.restore(
        List.of(new Stored(header, 0, List.of(entries))),
        List.of(),
        0,
        Segments.DEFAULT,
        new SplittableRandom(1));
  }

  private static StoredEntry current(Key key, long hash) {
    return new StoredEntry(key, State.CURRENT, hash);
  }

  /** Says something of each of so many keys, in a record of its own that is written at once. */
  private void sayOf(int from, int to, long hash) {
    digest.tick();
    for (int i = from; i < to; i++) {
      say(Key.of(i), hash).acknowledged(true);
    }
  }

  private Image say(Key key, long hash) {
    digest.remember(key, hash);
    return digest.image(1);
  }

  @Test
  void forgetsAtMostTheSurplusOldestChangeFirst() {
    sayOf(0, 5, 10);
    sayOf(0, 2, 11);

    assertThat(digest.forget(2, digest.tick(), key -> true)).isEqualTo(2);
    assertThat(digest.missing(Long.MAX_VALUE)).containsExactly(Key.of(0), Key.of(1), Key.of(4));
  }

  @Test
  void beginsNewSegmentAfterStart() {
    Digest digest = restored(current(TWO, 10));
    digest.tick();
    digest.remember(ONE, 10);
    Image image = digest.image(1);

    assertThat(image.stored()).containsExactly(current(ONE, 10));
    assertThat(image.slot()).isEqualTo(1);
    assertThat(image.header().sequence()).isEqualTo(2);
  }

  @Test
  void keyOfEarlierSnapshotIsThereAndComesAsNew() {
    StoredEntry one = new StoredEntry(ONE, State.STALE, 0);
    Digest digest = restored(one, new StoredEntry(TWO, State.STALE, 0));
    assertThat(digest.known(ONE)).isEqualTo(new Digest.Known(true, false, 0, 0));
    assertThat(digest.missing(1)).containsExactly(ONE, TWO);
    digest.tick();
    assertThat(digest.remember(ONE, 10)).isTrue();
    digest.remove(TWO);
    assertThat(digest.image(1).stored())
        .containsExactly(current(ONE, 10), new StoredEntry(TWO, State.REMOVED, 0));
    assertThat(digest.size()).isEqualTo(1);
  }

  @Test
  void aRecordWithoutAnEntryHasAnImageToo() {
    assertThat(digest.image(1).stored()).isEmpty();
    assertThat(restored(current(ONE, 10)).image(1).stored()).isEmpty();
  }

  @Test
  void aSlotIsUsedAgainOnceNothingOfItIsNeeded() {
    for (int round = 0; round < 50; round++) {
      sayOf(0, 200, round);
    }

    Image last = digest.image(1);
    assertThat(last.header().sequence()).isGreaterThan(20);
    assertThat(last.header().slots()).isLessThan(8);
    assertThat(digest.entries()).isLessThan(1000);
  }

  @Test
  void rowsOfOneTransactionTakeFewSegments() {
    Set<Integer> slots = new HashSet<>();
    for (int first = 0; first < 40_000; first += 4_000) {
      digest.tick();
      List<Image> transaction = new ArrayList<>();
      for (int i = first; i < first + 4_000; i++) {
        transaction.add(say(Key.of(i), i));
      }
      slots = transaction.stream().map(Image::slot).collect(toSet());
      transaction.forEach(image -> image.acknowledged(true));
    }
    assertThat(slots).hasSizeLessThan(6);
  }

  @Test
  void aChangeIsStoredWithFewOthers() {
    rowsOfOneTransactionTakeFewSegments();
    digest.tick();
    for (int i = 0; i < 1_000; i++) {
      Image image = say(Key.of(i), 1_000_000 + i);
      assertThat(image.header().length()).isLessThan(300);
      image.acknowledged(true);
    }
  }

  @Test
  void carryingAnEntryKeepsItsProof() {
    sayOf(0, 200, 1);
    digest.prove(digest.end());
    for (int round = 0; round < 50; round++) {
      sayOf(150, 400, round + 2);
    }

    assertThat(digest.provenKeys()).isEqualTo(150);
    assertThat(digest.isProven(Key.of(149))).isTrue();
    assertThat(digest.isProven(Key.of(150))).as("changed since").isFalse();
    assertThat(digest.isProven(Key.of(399))).as("new since").isFalse();
    assertThat(digest.isProven(Key.of(400))).as("not there").isFalse();
  }

  @Test
  void endReadsItsEarlierForm() {
    assertThat(Digest.End.parse("17.4")).hasValue(new Digest.End(17, 4, 1));
    assertThat(Digest.End.parse("17.4.30")).hasValue(new Digest.End(17, 4, 30));
    assertThat(Digest.End.parse("17")).isEmpty();
  }

  @Test
  void logStaysSmallWithRecordsAlwaysUnderWay() {
    SplittableRandom random = new SplittableRandom(3);
    List<Image> underWay = new ArrayList<>();
    int largest = 0;
    for (int i = 0; i < 200_000; i++) {
      digest.tick();
      underWay.add(say(Key.of(i < 2000 ? i : random.nextInt(2000)), i));
      if (underWay.size() == 100) {
        underWay.forEach(image -> image.acknowledged(true));
        underWay.clear();
      }
      largest = Math.max(largest, digest.entries());
    }
    assertThat(largest).isLessThan(5000);
  }

  @Test
  void deadLettersThatVanishTakeOneEntryEachUntilRecordsFollow() {
    sayOf(0, 5_000, 1);
    for (int i = 0; i < 5_000; i++) {
      say(Key.deadLetter(i), 1).acknowledged(true);
    }
    for (int i = 0; i < 5_000; i++) {
      digest.remove(Key.deadLetter(i));
    }
    assertThat(digest.entries()).isEqualTo(15_000);

    sayOf(0, 2_000, 2);
    assertThat(digest.entries()).isLessThan(7_500);
  }

  @Test
  void aHashBeyondFiftySixBitsIsRefused() {
    digest.tick();
    assertThatIllegalArgumentException()
        .isThrownBy(() -> digest.remember(ONE, GREATEST_HASH + 1))
        .withMessageContaining("56 bits");
    assertThat(digest.remember(ONE, GREATEST_HASH)).isTrue();
    assertThat(digest.known(ONE).is(GREATEST_HASH)).isTrue();
  }

  @Test
  void doesNotReuseNumbersOfUnstoredSegments() {
    Digest digest =
        Digest.restore(List.of(), List.of(), 4, Segments.DEFAULT, new SplittableRandom(1));
    digest.tick();
    digest.remember(ONE, 1);
    assertThat(digest.image(1).header().sequence()).isEqualTo(5);
    assertThat(digest.image(1).header().floor()).isEqualTo(5);
  }

  @Test
  void countsDeadLettersApartFromKeys() {
    Key broken = Key.deadLetter(10);
    Digest digest =
        restored(current(ONE, 10), current(broken, 10), current(Key.deadLetter(11), 11));
    assertThat(digest.keys()).isEqualTo(1);
    assertThat(digest.deadLetters()).isEqualTo(2);

    digest.tick();
    digest.remember(TWO, 10);
    digest.remember(Key.deadLetter(12), 12);
    digest.remove(broken);
    assertThat(digest.keys()).isEqualTo(2);
    assertThat(digest.deadLetters()).isEqualTo(2);

    assertThat(digest.forget(10, digest.tick(), key -> true)).isEqualTo(4);
    assertThat(digest.keys()).isZero();
    assertThat(digest.deadLetters()).isZero();
  }
}
