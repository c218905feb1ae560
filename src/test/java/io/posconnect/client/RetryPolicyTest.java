package io.posconnect.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import java.util.Optional;
import java.util.Random;
import java.util.random.RandomGenerator;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;
import org.junit.jupiter.api.Test;

class RetryPolicyTest {

  private static final Duration MAX = Duration.ofMinutes(5);
  private final RetryPolicy policy = new RetryPolicy(Duration.ofSeconds(1), MAX);

  @Property
  void staysWithinASpanThatDoubles(
      @ForAll @IntRange(min = 1, max = Integer.MAX_VALUE) int failures, @ForAll long seed) {
    long span = failures > 9 ? MAX.toSeconds() : Math.min(MAX.toSeconds(), 1L << (failures - 1));

    assertThat(policy.delay(failures, new Random(seed)))
        .isBetween(Duration.ZERO, Duration.ofSeconds(span));
  }

  @Property
  void waitsAsLongAsItIsAskedToUpToTheLongest(
      @ForAll @IntRange(min = 1, max = 20) int failures,
      @ForAll @LongRange(max = 1_000_000_000L) long asked,
      @ForAll long seed) {
    Duration after = Duration.ofSeconds(asked);
    Duration delay = policy.delay(failures, Optional.of(after), new Random(seed));

    assertThat(delay).isLessThanOrEqualTo(MAX);
    assertThat(delay).isGreaterThanOrEqualTo(after.compareTo(MAX) < 0 ? after : MAX);
  }

  @Property
  void aSpanNeverShrinksWithMoreFailures(@ForAll @IntRange(min = 1, max = 10_000) int failures) {
    RandomGenerator longest = always(Long.MAX_VALUE);

    assertThat(policy.delay(failures + 1, longest))
        .isGreaterThanOrEqualTo(policy.delay(failures, longest));
  }

  @Property
  void whatIsNotAskedForChangesNothing(
      @ForAll @IntRange(min = 1, max = 20) int failures,
      @ForAll @LongRange(min = Long.MIN_VALUE / 2, max = 0) long asked,
      @ForAll long seed) {
    Duration own = policy.delay(failures, new Random(seed));

    assertThat(policy.delay(failures, Optional.empty(), new Random(seed))).isEqualTo(own);
    assertThat(policy.delay(failures, Optional.of(Duration.ofSeconds(asked)), new Random(seed)))
        .isEqualTo(own);
  }

  @Test
  void spreadsOverTheWholeSpan() {
    assertThat(policy.delay(3, always(Long.MAX_VALUE))).isEqualTo(Duration.ofSeconds(4));
    assertThat(policy.delay(3, always(0))).isZero();
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
  void refusesWhatIsNoSpan() {
    Duration second = Duration.ofSeconds(1);
    assertThatIllegalArgumentException().isThrownBy(() -> new RetryPolicy(Duration.ZERO, second));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new RetryPolicy(second, Duration.ofMillis(1)));
    assertThatIllegalArgumentException().isThrownBy(() -> policy.delay(0, new Random(1)));
  }
}
