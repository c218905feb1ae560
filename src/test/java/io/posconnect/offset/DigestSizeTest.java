package io.posconnect.offset;

import static org.assertj.core.api.Assertions.assertThat;

import io.posconnect.RandomCases;
import io.posconnect.change.Digest;
import io.posconnect.offset.DigestCodec.Encoder;
import io.posconnect.resource.Key;
import java.util.List;
import java.util.Random;
import java.util.function.LongFunction;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What a digest costs once it is stored, and what it says beforehand that it will. */
class DigestSizeTest {

  private static final int KEYS = 100_000;
  private static final int BUCKETS = 64;
  private static final int CEILING = 64 * 1024;

  @Test
  void aHundredThousandIntegerKeysTakeLessThanTwelveHundredKilobytes() {
    assertFits(Key::of, 1_000_000);
  }

  @Test
  void integerKeysWithGapsTakeLessThanTwelveHundredKilobytes() {
    Random dice = new Random(7);
    long[] last = {40_000_000};
    assertFits(i -> Key.of(last[0] += 1 + dice.nextInt(60)), 1_200_000);
  }

  /** Keys of several fields are long: such a resource needs more buckets, or fewer keys. */
  @Test
  void fiftyThousandKeysOfSixFieldsFitUnderTheCeilingOfABucket() {
    Digest digest = filled(50_000, DigestSizeTest::movement);

    int[] sizes = sizes(digest);
    assertThat(IntStream.of(sizes).max().getAsInt()).isLessThan(CEILING);
    assertThat(IntStream.of(sizes).sum() / 50_000.0).isBetween(40.0, 75.0);
  }

  private static Key key(RandomGenerator random) {
    return switch (random.nextInt(3)) {
      case 0 -> Key.of(random.nextLong());
      case 1 -> Key.of(random.nextLong(5001));
      default -> {
        StringBuilder text = new StringBuilder();
        for (int length = random.nextInt(301); length > 0; length--) {
          text.append("ab\ud83dé€".charAt(random.nextInt(5)));
        }
        yield Key.of(text.toString());
      }
    };
  }

  @Test
  void theEstimateIsNeverTooLow() {
    RandomCases.check(
        300,
        random -> {
          List<Key> keys =
              IntStream.range(0, random.nextInt(301)).mapToObj(i -> key(random)).toList();
          Digest digest = new Digest(2);
          digest.tick();
          for (Key key : keys) {
            switch (random.nextInt(10)) {
              case 0 -> digest.remove(keys.get(random.nextInt(keys.size())));
              case 1 -> digest.load(digest.bucketOf(key), key, 5, false);
              default -> digest.classify(key, random.nextInt() & 0xFFFFFFFFL);
            }
            int bucket = digest.bucketOf(key);
            assertThat(digest.encodedSizeEstimate(bucket))
                .isGreaterThanOrEqualTo(stored(digest, bucket));
          }
        });
  }

  private static void assertFits(LongFunction<Key> keys, int limit) {
    Digest digest = filled(KEYS, keys);
    int[] sizes = sizes(digest);

    assertThat(IntStream.of(sizes).sum()).isLessThan(limit);
    assertThat(IntStream.of(sizes).max().getAsInt()).isLessThan(CEILING);
    for (int bucket = 0; bucket < BUCKETS; bucket++) {
      assertThat(digest.encodedSizeEstimate(bucket))
          .isBetween(sizes[bucket], sizes[bucket] * 13 / 10);
    }
  }

  private static Key movement(long i) {
    return Key.of(
        "[1042,%d,\"2026-%02d-%02dT%02d:%02d:%02dZ\",\"Earned\",%d,%d,0]"
            .formatted(
                50_000 + i * 7 % 9_000,
                1 + i % 12,
                1 + i * 5 % 28,
                i * 3 % 24,
                i * 11 % 60,
                i * 13 % 60,
                900_000 + i,
                i * 17 % 500));
  }

  private static Digest filled(int count, LongFunction<Key> keys) {
    Digest digest = new Digest(BUCKETS);
    Random dice = new Random(1);
    digest.tick();
    for (long i = 0; i < count; i++) {
      digest.classify(keys.apply(i), dice.nextLong() >>> 16);
    }
    return digest;
  }

  private static int[] sizes(Digest digest) {
    return IntStream.range(0, digest.buckets()).map(bucket -> stored(digest, bucket)).toArray();
  }

  private static int stored(Digest digest, int bucket) {
    Encoder encoder = new Encoder("1");
    digest.view(bucket).forEach(encoder::add);
    return encoder.finish().length() + "{\"digest\":\"\"}".length();
  }
}
