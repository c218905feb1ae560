package io.posconnect.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.DoubleRange;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RateLimiterTest {

  private static final long SECOND = Duration.ofSeconds(1).toNanos();
  private static final long MINUTE = 60 * SECOND;

  @Property
  void neverExceedsTheLimitInAnySlidingMinuteHoweverItIsAskedAndRestarted(
      @ForAll @IntRange(min = 1, max = 300) int limit,
      @ForAll @DoubleRange(min = 0.05, max = 1) double share,
      @ForAll long start,
      @ForAll long seed) {
    Random random = new Random(seed);
    RateLimiter limiter = new RateLimiter(limit, share, start);
    List<Long> sent = new ArrayList<>();
    long now = start;
    for (int i = 0; i < 2_000; i++) {
      long wait = limiter.tryAcquire(now);
      if (wait == 0) {
        sent.add(now - start);
      }
      int what = random.nextInt(100);
      if (what == 0) {
        limiter = new RateLimiter(limit, share, now);
      } else if (what == 1) {
        limiter.throttled(now);
      }
      now += what < 60 ? wait : (long) (random.nextDouble() * random.nextInt(3) * MINUTE / limit);
    }
    for (int i = limit; i < sent.size(); i++) {
      assertThat(sent.get(i) - sent.get(i - limit)).isGreaterThan(MINUTE + SECOND / 100);
    }
  }

  @Property
  void usesItsShareToTheFull(
      @ForAll @IntRange(min = 1, max = 300) int limit,
      @ForAll @DoubleRange(min = 0.05, max = 1) double share,
      @ForAll long start) {
    RateLimiter limiter = new RateLimiter(limit, share, start);
    long now = start;
    long sent = 0;
    while (now - start <= 10 * (MINUTE + SECOND / 10)) {
      long wait = limiter.tryAcquire(now);
      sent += wait == 0 ? 1 : 0;
      now += wait;
    }
    assertThat(sent).isGreaterThanOrEqualTo((long) Math.floor(10 * limit * share - 1e-6));
  }

  @Test
  void theFirstSlotIsOneSpacingAfterTheStart() {
    RateLimiter limiter = new RateLimiter(60, 0.5, 0);

    assertThat(limiter.tryAcquire(0)).isEqualTo(2 * SECOND);
    assertThat(limiter.tryAcquire(2 * SECOND - 1)).isEqualTo(1);
    assertThat(limiter.tryAcquire(2 * SECOND)).isZero();
    assertThat(limiter.tryAcquire(2 * SECOND)).isEqualTo(2 * SECOND);
  }

  @Test
  void idleTimeIsNotSavedUp() {
    RateLimiter limiter = new RateLimiter(60, 0.5, 0);

    assertThat(limiter.tryAcquire(10 * MINUTE)).isZero();
    assertThat(limiter.tryAcquire(10 * MINUTE)).isEqualTo(2 * SECOND);
  }

  @Test
  void a429HalvesTheRateWhichRecoversByATenthAMinute() {
    RateLimiter limiter = new RateLimiter(60, 0.5, 0);
    assertThat(limiter.rate(0)).isCloseTo(30, within(0.01));

    limiter.throttled(MINUTE);
    assertThat(limiter.rate(MINUTE)).isCloseTo(15, within(0.01));
    assertThat(limiter.rate(2 * MINUTE - 1)).isCloseTo(15, within(0.01));
    assertThat(limiter.rate(2 * MINUTE)).isCloseTo(18, within(0.01));
    assertThat(limiter.rate(6 * MINUTE)).isCloseTo(30, within(0.01));
    assertThat(limiter.rate(60 * MINUTE)).isCloseTo(30, within(0.01));
  }

  @Test
  void a429OnTheWayBackMakesTheStepsLongerAndOneOfABurstDoesNot() {
    RateLimiter limiter = new RateLimiter(60, 0.5, 0);
    limiter.throttled(0);
    limiter.throttled(1);
    assertThat(limiter.rate(MINUTE + 1)).isCloseTo(7.5 + 3, within(0.01));

    limiter.throttled(2 * MINUTE);
    assertThat(limiter.rate(2 * MINUTE)).isCloseTo(5.25, within(0.01));
    assertThat(limiter.rate(4 * MINUTE - 1)).isCloseTo(5.25, within(0.01));
    assertThat(limiter.rate(4 * MINUTE)).isCloseTo(8.25, within(0.01));
  }

  @Test
  void the429sOfALongOutageLeaveARate() {
    RateLimiter limiter = new RateLimiter(160, 1, 0);
    for (int i = 0; i < 100; i++) {
      limiter.throttled(0);
    }
    assertThat(limiter.rate(0)).isCloseTo(10, within(0.1));
  }

  @ParameterizedTest
  @CsvSource({"0, 0.9", "-1, 0.9", "60, 0", "60, -1", "60, 1.1", "60, NaN"})
  void refusesWhatIsNoLimit(int limit, double share) {
    assertThatIllegalArgumentException().isThrownBy(() -> new RateLimiter(limit, share, 0));
  }
}
