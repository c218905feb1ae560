package io.posconnect.change;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.posconnect.resource.Key;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class DigestTest {

  private static final Key ONE = Key.of(1);
  private static final Key TWO = Key.of(2);
  private static final Key TEXT = Key.of("[\"a\",1]");

  private final Digest digest = new Digest(4);

  @Test
  void aKeyIsCreatedThenUpdatedAndOtherwiseTheSame() {
    digest.tick();
    assertThat(digest.classify(ONE, 10)).isEqualTo(Change.CREATE);
    assertThat(digest.classify(ONE, 10)).isEqualTo(Change.SAME);
    digest.tick();
    assertThat(digest.classify(ONE, 10)).isEqualTo(Change.SAME);
    digest.tick();
    assertThat(digest.classify(ONE, 11)).isEqualTo(Change.UPDATE);
    assertThat(digest.hash(ONE)).hasValue(11);
  }

  @Test
  void ofAKeyThatComesTwiceInOneResponseTheFirstIsKept() {
    digest.tick();
    digest.classify(ONE, 10);
    assertThat(digest.classify(ONE, 11)).isEqualTo(Change.REPEATED);
    assertThat(digest.hash(ONE)).hasValue(10);
    digest.tick();
    assertThat(digest.classify(ONE, 11)).isEqualTo(Change.UPDATE);
    assertThat(digest.classify(ONE, 10)).isEqualTo(Change.REPEATED);
  }

  @Test
  void aKeyThatWasLoadedIsKnownButNotYetSeen() {
    digest.load(digest.bucketOf(ONE), ONE, 10, true);
    digest.load(digest.bucketOf(TEXT), TEXT, 11, true);
    long tick = digest.tick();

    assertThat(digest.missing(tick)).containsExactly(ONE, TEXT);
    assertThat(digest.classify(ONE, 10)).isEqualTo(Change.SAME);
    assertThat(digest.missing(tick)).containsExactly(TEXT);
  }

  @Test
  void aStaleKeyIsCreatedAgainAndStillFoundMissing() {
    digest.tick();
    digest.classify(ONE, 10);
    digest.classify(TWO, 10);
    digest.staleAll();
    long tick = digest.tick();

    assertThat(digest.contains(ONE)).isFalse();
    assertThat(digest.hash(ONE)).isEmpty();
    assertThat(digest.size()).isEqualTo(2);
    assertThat(digest.classify(ONE, 10)).isEqualTo(Change.CREATE);
    assertThat(digest.contains(ONE)).isTrue();
    assertThat(digest.missing(tick)).containsExactly(TWO);
  }

  @Test
  void whatIsSeenIsNotMissingWhateverItsContent() {
    digest.tick();
    digest.classify(ONE, 10);
    long tick = digest.tick();
    digest.see(ONE);
    digest.see(TWO);

    assertThat(digest.missing(tick)).isEmpty();
    assertThat(digest.contains(TWO)).isFalse();
  }

  @Test
  void forgettingDropsWhatWasNotSeenSinceAndCounts() {
    digest.tick();
    digest.classify(ONE, 10);
    long tick = digest.tick();
    digest.classify(TWO, 10);

    assertThat(digest.forget(tick)).isEqualTo(1);
    assertThat(digest.contains(ONE)).isFalse();
    assertThat(digest.size()).isEqualTo(1);
    assertThat(digest.forget(tick)).isZero();
  }

  @Test
  void aRemovedKeyIsCreatedAgain() {
    digest.tick();
    digest.classify(ONE, 10);
    digest.remove(ONE);
    digest.remove(ONE);

    assertThat(digest.size()).isZero();
    assertThat(digest.classify(ONE, 10)).isEqualTo(Change.CREATE);
  }

  @Test
  void neighbouringNumbersShareABucketAndNegativeOnesHaveOne() {
    Digest wide = new Digest(64);
    assertThat(wide.bucketOf(Key.of(0))).isEqualTo(wide.bucketOf(Key.of(511))).isZero();
    assertThat(wide.bucketOf(Key.of(512))).isEqualTo(1);
    assertThat(wide.bucketOf(Key.of(-1))).isEqualTo(63);
    assertThat(wide.bucketOf(Key.of(Long.MIN_VALUE))).isBetween(0, 63);
  }

  @Test
  void textsKeepTheirBucketForEverAndSpread() {
    Digest wide = new Digest(64);
    assertThat(List.of(wide.bucketOf(Key.of("")), wide.bucketOf(TEXT), wide.bucketOf(Key.of("é"))))
        .containsExactly(43, 40, 22);

    int[] sizes = new int[64];
    for (int i = 0; i < 64_000; i++) {
      sizes[wide.bucketOf(Key.of("[" + i + "]"))]++;
    }
    assertThat(Arrays.stream(sizes).boxed())
        .allSatisfy(size -> assertThat(size).isBetween(850, 1150));
  }

  @Test
  void aStateOfAnotherNumberOfBucketsIsRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> digest.load(3, ONE, 10, true))
        .withMessageContaining("bucket 0")
        .withMessageContaining("bucket 3");
  }
}
