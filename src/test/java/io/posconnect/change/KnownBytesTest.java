package io.posconnect.change;

import static org.assertj.core.api.Assertions.assertThat;

import io.posconnect.RandomCases;
import io.posconnect.change.Digest.Segments;
import io.posconnect.resource.Key;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class KnownBytesTest {

  private Digest digest = new Digest(Segments.DEFAULT, new SplittableRandom(1));

  private static byte[] bytes(String row) {
    return row.getBytes(StandardCharsets.US_ASCII);
  }

  private boolean find(String row) {
    digest.knownBytes().expected();
    return digest.knownBytes().find(bytes(row), 0, row.length());
  }

  /** Reads a row as the connector does; returns whether its bytes were known. */
  private boolean read(String row, Key key, long hash) {
    KnownBytes known = digest.knownBytes();
    if (find(row) && digest.known(known.key()).is(known.contentHash())) {
      assertThat(known.key()).isEqualTo(key);
      assertThat(known.contentHash()).isEqualTo(hash);
      known.follow();
      return true;
    }
    if (digest.remember(key, hash)) {
      digest.image(1).acknowledged(true);
    }
    known.learn(key, hash);
    return false;
  }

  @Test
  void findsTheKeyAndTheContentOfARowByItsBytes() {
    assertThat(read("row 1", Key.of(1), 10)).isFalse();
    assertThat(read("row 2", Key.of("[2]"), 20)).isFalse();

    assertThat(read("row 1", Key.of(1), 10)).as("whose place is new").isFalse();
    assertThat(read("row 2", Key.of("[2]"), 20)).isTrue();
    assertThat(read("row 1", Key.of(1), 10)).isTrue();
    assertThat(find("row 3")).isFalse();
  }

  private int readAll(IntStream order) {
    return (int) order.filter(i -> read("row " + i, Key.of(i), i)).count();
  }

  @Test
  void findsRowsThatComeInAnyOrderOnceTheyCameOutOfIt() {
    assertThat(readAll(IntStream.range(0, 100))).isZero();
    assertThat(readAll(IntStream.range(0, 100).map(i -> i * 37 % 100))).isLessThan(3);
    assertThat(readAll(IntStream.range(0, 100).map(i -> i * 71 % 100))).isGreaterThan(96);
  }

  @Test
  void parsesTwoRowsAtMostWhereOneChangedOrCameOrWent() {
    readAll(IntStream.range(0, 100));
    readAll(IntStream.range(0, 1));

    assertThat(readAll(IntStream.range(1, 100).filter(i -> i != 40))).isGreaterThanOrEqualTo(97);
    assertThat(readAll(IntStream.range(0, 100))).isGreaterThanOrEqualTo(98);
    read("first, changed", Key.of(0), 1000);
    assertThat(readAll(IntStream.range(1, 100))).isGreaterThanOrEqualTo(98);
  }

  @Test
  void expectsTheRowThatFollowedLastTime() {
    read("first", Key.of(1), 1);
    read("second one", Key.of(2), 2);
    read("3rd", Key.of(3), 3);
    read("first", Key.of(1), 1);
    assertThat(digest.knownBytes().expected()).isEqualTo("second one".length());

    read("new", Key.of(4), 4);
    assertThat(digest.knownBytes().expected()).isZero();
    read("3rd", Key.of(3), 3);
    read("first", Key.of(1), 1);
    assertThat(digest.knownBytes().expected()).isEqualTo("new".length());
    read("new", Key.of(4), 4);
    assertThat(digest.knownBytes().expected()).isEqualTo("3rd".length());
  }

  @Test
  void learnsNothingThatTheDigestDoesNotHold() {
    find("row");
    digest.knownBytes().learn(Key.of(1), 10);
    digest.remember(Key.of(1), 11);
    digest.knownBytes().learn(Key.of(1), 10);

    assertThat(find("row")).isFalse();
  }

  @Test
  void learnsOnlyTheRowThatWasBegunLast() {
    digest.remember(Key.of(1), 10);
    find("rejected");
    digest.knownBytes().expected();
    digest.knownBytes().learn(Key.of(1), 10);

    assertThat(find("rejected")).isFalse();
  }

  @Test
  void findsNoMoreOutOfOrderThanTheLimit() {
    digest.knownBytes().limit(4);
    readAll(IntStream.range(0, 100));
    readAll(IntStream.range(0, 100).map(i -> i * 37 % 100));

    assertThat(IntStream.range(0, 100).filter(i -> find("row " + i)).count()).isBetween(1L, 5L);
  }

  /** Whatever is appended, carried, released and forgotten in between. */
  @Test
  void neverFindsAnotherRow() {
    RandomCases.check(
        200,
        random -> {
          digest = new Digest(new Segments(1 + random.nextInt(6), 1, 1), random);
          Map<Long, String> rows = new HashMap<>();
          int known = 0;
          for (int i = 0; i < 600; i++) {
            long key = random.nextInt(30);
            String row = rows.getOrDefault(key, "");
            if (row.isEmpty() || random.nextInt(4) == 0) {
              row = key + "=" + random.nextInt(4);
              rows.put(key, row);
            }
            if (random.nextInt(40) == 0) {
              digest.remove(Key.of(key));
              digest.image(1).acknowledged(random.nextBoolean());
              digest.forget(random.nextInt(3), digest.tick(), any -> true);
            }
            known += read(row, Key.of(key), row.hashCode() & 0xFFFF_FFFFL) ? 1 : 0;
          }
          assertThat(known).isGreaterThan(20);
        });
  }
}
