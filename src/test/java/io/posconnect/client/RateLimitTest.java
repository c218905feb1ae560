package io.posconnect.client;

import static io.posconnect.client.Clients.limiter;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.posconnect.RandomCases;
import java.time.Duration;
import java.util.OptionalInt;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RateLimitTest {

  private static final long SECOND = Duration.ofSeconds(1).toNanos();
  private static final long MINUTE = 60 * SECOND;
  private static final long HOUR = 60 * MINUTE;

  /** Small limits as often as large ones. */
  private static int perMinute(RandomGenerator random) {
    return random.nextInt(1, random.nextBoolean() ? 11 : 301);
  }

  /** The whole as often as parts. */
  private static double share(RandomGenerator random) {
    return random.nextInt(4) == 0 ? 1 : random.nextDouble(0.05, 1);
  }

  @Test
  void usesItsWholeShare() {
    RandomCases.check(
        1_000, random -> checkThatItIsUsed(perMinute(random), share(random), random.nextLong()));
  }

  private static void checkThatItIsUsed(int limit, double share, long start) {
    RateLimit limiter = limiter(limit, share, start);
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
  void givesTheFirstSlotOneSpacingAfterTheStart() {
    RateLimit limiter = limiter(60, 0.5, 0);

    assertThat(limiter.tryAcquire(0)).isEqualTo(2 * SECOND);
    assertThat(limiter.tryAcquire(2 * SECOND - 1)).isEqualTo(1);
    assertThat(limiter.tryAcquire(2 * SECOND)).isZero();
    assertThat(limiter.untilTurn(3 * SECOND)).isEqualTo(SECOND);
    assertThat(limiter.tryAcquire(2 * SECOND)).isEqualTo(2 * SECOND);
    assertThat(limiter.untilTurn(3 * SECOND)).as("behind who waits").isEqualTo(3 * SECOND);
  }

  @ParameterizedTest
  @CsvSource({
    "200, 120",
    "120, 120",
    "30, 30",
    "1, 1",
  })
  void adoptsStatedLimitUpToConfiguredOne(int stated, int limit) {
    RateLimit limiter = limiter(120, 1.0, 0);
    limiter.throttled(0, Duration.ZERO, OptionalInt.of(stated));

    assertThat(limiter.rate(20 * HOUR)).isCloseTo(limit, within(limit * 0.01));
  }

  @Test
  void forgetsStatedLimitAfterDayWithoutRefusal() {
    RateLimit limiter = limiter(120, 1.0, 0);
    limiter.throttled(0, Duration.ZERO, OptionalInt.of(30));

    assertThat(limiter.rate(24 * HOUR - 1)).isCloseTo(30, within(0.3));
    assertThat(limiter.rate(24 * HOUR)).isCloseTo(120, within(1.2));
    limiter.throttled(24 * HOUR, Duration.ZERO, OptionalInt.empty());
    assertThat(limiter.rate(25 * HOUR)).as("refused again").isCloseTo(120, within(1.2));
    limiter.throttled(25 * HOUR, Duration.ZERO, OptionalInt.of(60));
    limiter.throttled(26 * HOUR, Duration.ZERO, OptionalInt.empty());
    assertThat(limiter.rate(49 * HOUR)).as("refused since").isCloseTo(60, within(0.6));
  }

  @Test
  void forgetsStatedLimitWhenHigherOneIsStated() {
    RateLimit limiter = limiter(120, 1.0, 0);
    limiter.throttled(0, Duration.ZERO, OptionalInt.of(30));
    limiter.throttled(HOUR, Duration.ZERO, OptionalInt.of(200));

    assertThat(limiter.rate(HOUR)).isCloseTo(120, within(1.2));
  }

  @Test
  void savesUpNoIdleTime() {
    RateLimit limiter = limiter(60, 0.5, 0);

    assertThat(limiter.tryAcquire(10 * MINUTE)).isZero();
    assertThat(limiter.tryAcquire(10 * MINUTE)).isEqualTo(2 * SECOND);
  }

  @Test
  void recoversByATenthAMinuteAfterA429() {
    RateLimit limiter = limiter(60, 0.5, 0);
    assertThat(limiter.rate(0)).isCloseTo(30, within(0.01));

    limiter.throttled(MINUTE, Duration.ZERO, OptionalInt.empty());
    assertThat(limiter.rate(MINUTE)).isCloseTo(15, within(0.01));
    assertThat(limiter.rate(2 * MINUTE - 1)).isCloseTo(15, within(0.01));
    assertThat(limiter.rate(2 * MINUTE)).isCloseTo(18, within(0.01));
    assertThat(limiter.rate(5 * MINUTE)).isCloseTo(27, within(0.01));
    long earned = 5 * MINUTE + (long) (200 / 27.0 * MINUTE);
    assertThat(limiter.rate(earned - SECOND)).isCloseTo(27, within(0.01));
    assertThat(limiter.rate(earned + SECOND)).isCloseTo(30, within(0.01));
  }

  @Test
  void staysBelowTheRefusedRateUntilItIsEarned() {
    RateLimit limiter = limiter(60, 0.5, 0);
    limiter.throttled(0, Duration.ZERO, OptionalInt.empty());
    limiter.throttled(1, Duration.ZERO, OptionalInt.empty());
    assertThat(limiter.rate(4 * MINUTE + 1)).as("quickly").isCloseTo(7.5 + 12, within(0.01));

    limiter.throttled(4 * MINUTE + 1, Duration.ZERO, OptionalInt.empty());
    assertThat(limiter.rate(4 * MINUTE + 1)).isCloseTo(9.75, within(0.01));
    assertThat(limiter.rate(8 * MINUTE)).isCloseTo(16.5, within(0.01));
    assertThat(limiter.rate(19 * MINUTE)).isCloseTo(16.5, within(0.01));
    assertThat(limiter.rate(20 * MINUTE)).isCloseTo(19.5, within(0.01));
    assertThat(limiter.rate(21 * MINUTE)).isCloseTo(22.5, within(0.01));
  }

  @Test
  void earnsAStepInHalfAnHourAtMost() {
    RateLimit limiter = limiter(2, 1, 0);
    limiter.throttled(0, Duration.ZERO, OptionalInt.empty());
    double full = limiter.rate(60 * MINUTE);
    assertThat(limiter.rate(34 * MINUTE - SECOND)).isCloseTo(0.9 * full, within(0.01));
    assertThat(limiter.rate(34 * MINUTE)).isCloseTo(full, within(0.01));
  }

  @Test
  void leavesASlotOutAfterA429() {
    RateLimit limiter = limiter(60, 0.5, 0);
    assertThat(limiter.tryAcquire(2 * SECOND)).isZero();
    limiter.throttled(3 * SECOND, Duration.ZERO, OptionalInt.empty());
    assertThat(limiter.tryAcquire(3 * SECOND)).isEqualTo(8 * SECOND);
  }

  @Test
  void keepsTheRateBetweenASixteenthAndTheWhole() {
    RandomCases.check(1_000, RateLimitTest::checkTheBoundsOfTheRate);
  }

  private static void checkTheBoundsOfTheRate(RandomGenerator random) {
    long start = random.nextLong();
    RateLimit limiter = limiter(perMinute(random), 1, start);
    double full = limiter.rate(start);
    double before = full;
    long now = start;
    for (int i = 0; i < 200; i++) {
      now += random.nextLong(10 * MINUTE);
      assertThat(limiter.rate(now)).isBetween(before - 1e-6, full + 1e-6);
      if (random.nextInt(3) == 0) {
        limiter.throttled(now, Duration.ZERO, OptionalInt.empty());
        assertThat(limiter.rate(now)).isGreaterThan(full / 16 - 1e-6);
      }
      before = limiter.rate(now);
    }
    assertThat(limiter.rate(now + 50 * MINUTE)).isCloseTo(full, within(1e-6));
  }

  @Test
  void chargesTheNextFreeSlotForEachRedirect() {
    RateLimit limiter = limiter(60, 0.5, 0);
    assertThat(limiter.tryAcquire(2 * SECOND)).isZero();
    limiter.charge(2 * SECOND + 1);
    limiter.charge(2 * SECOND + 2);
    assertThat(limiter.tryAcquire(3 * SECOND)).isEqualTo(5 * SECOND);

    limiter.charge(MINUTE);
    assertThat(limiter.tryAcquire(MINUTE)).as("no debt of the past").isEqualTo(2 * SECOND);
  }
}
