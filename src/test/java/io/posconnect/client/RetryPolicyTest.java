package io.posconnect.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.posconnect.RandomCases;
import java.time.Duration;
import java.util.Optional;
import java.util.Random;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

class RetryPolicyTest {

  private static final Optional<Duration> NOT_ASKED = Optional.empty();
  private static final Duration MAX = Duration.ofMinutes(5);
  private final RetryPolicy policy = new RetryPolicy(Duration.ofSeconds(1), MAX);

  @Test
  void staysWithinASpanThatDoubles() {
    RandomCases.check(
        1_000,
        random -> {
          int failures = failures(random);
          long span =
              failures > 9 ? MAX.toSeconds() : Math.min(MAX.toSeconds(), 1L << (failures - 1));

          assertThat(policy.delay(failures, NOT_ASKED, random))
              .isBetween(Duration.ZERO, Duration.ofSeconds(span));
        });
  }

  /** Mostly few, and any number. */
  private static int failures(RandomGenerator random) {
    return random.nextInt(4) == 0 ? random.nextInt(1, Integer.MAX_VALUE) : random.nextInt(1, 21);
  }

  @Test
  void keepsTheGrantedPauseUpToTheLongestSpan() {
    RandomCases.check(
        1_000,
        random -> {
          long most = random.nextBoolean() ? 2 * MAX.toSeconds() : 1_000_000_000L;
          Duration after = Duration.ofSeconds(random.nextLong(most + 1));
          Duration delay = policy.delay(failures(random), Optional.of(after), random);

          assertThat(delay).isLessThanOrEqualTo(MAX);
          assertThat(delay).isGreaterThanOrEqualTo(after.compareTo(MAX) < 0 ? after : MAX);
        });
  }

  @Test
  void spanNeverShrinksWithMoreFailures() {
    RandomGenerator longest = always(Long.MAX_VALUE);
    for (int failures = 1; failures <= 1_000; failures++) {
      assertThat(policy.delay(failures + 1, NOT_ASKED, longest))
          .isGreaterThanOrEqualTo(policy.delay(failures, NOT_ASKED, longest));
    }
  }

  @Test
  void ignoresAMissingOrNegativePause() {
    RandomCases.check(
        1_000,
        random -> {
          int failures = failures(random);
          Duration asked = Duration.ofSeconds(-random.nextLong(Long.MAX_VALUE / 2));
          long seed = random.nextLong();
          Duration own = policy.delay(failures, NOT_ASKED, new Random(seed));

          assertThat(policy.delay(failures, NOT_ASKED, new Random(seed))).isEqualTo(own);
          assertThat(policy.delay(failures, Optional.of(asked), new Random(seed))).isEqualTo(own);
        });
  }

  @Test
  void spreadsOverTheWholeSpan() {
    assertThat(policy.delay(3, NOT_ASKED, always(Long.MAX_VALUE))).isEqualTo(Duration.ofSeconds(4));
    assertThat(policy.delay(3, NOT_ASKED, always(0))).isZero();
  }

  private static RandomGenerator always(long value) {
    return new RandomGenerator() {
      @Override
      public long nextLong() {
        return value;
      }

      @Override
      public long nextLong(long bound) {
        return Math.min(value, bound - 1);
      }
    };
  }

  @Test
  void refusesSpansThatDoNotGrow() {
    Duration second = Duration.ofSeconds(1);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new RetryPolicy(second, Duration.ofMillis(1)));
  }
}
