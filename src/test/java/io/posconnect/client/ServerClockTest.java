package io.posconnect.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.posconnect.RandomCases;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

class ServerClockTest {

  private static final Instant NOON = Instant.parse("2026-11-21T12:00:00Z");
  private static final long SECOND = Duration.ofSeconds(1).toNanos();
  private static final long HOUR = 3600 * SECOND;

  @Test
  void neverRunsAheadWithOneHonestSampleAnHour() {
    RandomCases.check(1_000, ServerClockTest::checkThatItDoesNotRunAhead);
  }

  private static void checkThatItDoesNotRunAhead(RandomGenerator random) {
    long origin = random.nextLong();
    ServerClock clock = new ServerClock(origin);
    long end = 2 * HOUR;
    long honest = end - random.nextLong(59 * 60 + 1) * SECOND;
    boolean done = false;
    for (long now = 0; now < end; now += (long) (random.nextDouble() * 120 * SECOND)) {
      if (now >= honest && !done) {
        clock.sample(date(honest), origin + honest + random.nextInt(1_000_000));
        done = true;
      }
      clock.sample(date(now).plusSeconds(random.nextInt(100_000)), origin + now);
    }
    if (!done) {
      clock.sample(date(honest), origin + end);
    }
    assertThat(clock.at(origin + end).orElseThrow()).isBeforeOrEqualTo(NOON.plusNanos(end));
  }

  @Test
  void isLowByASecondAndTheDelayAtMost() {
    RandomCases.check(
        1_000,
        random -> {
          long origin = random.nextLong();
          ServerClock clock = new ServerClock(origin);
          long now = 0;
          for (int i = 0; i < 500; i++) {
            now += (long) (random.nextDouble() * 60 * SECOND);
            clock.sample(date(now), origin + now + random.nextLong(SECOND));
          }
          assertThat(clock.at(origin + now).orElseThrow())
              .isBetween(NOON.plusNanos(now - 2 * SECOND), NOON.plusNanos(now));
        });
  }

  private static Instant date(long sinceNoon) {
    return NOON.plusNanos(sinceNoon).truncatedTo(ChronoUnit.SECONDS);
  }

  @Test
  void isEmptyBeforeTheFirstSample() {
    assertThat(new ServerClock(0).at(0)).isEmpty();
    assertThat(new ServerClock(0).skew(NOON, 0)).isEmpty();
  }

  @Test
  void estimatesTimesPastAndPresent() {
    ServerClock clock = new ServerClock(0);
    clock.sample(NOON, 10 * SECOND);

    assertThat(clock.at(10 * SECOND)).contains(NOON);
    assertThat(clock.at(0)).contains(NOON.minusSeconds(10));
    assertThat(clock.at(HOUR)).contains(NOON.plusSeconds(3590));
  }

  @Test
  void ignoresOneDateFarAhead() {
    ServerClock clock = new ServerClock(0);
    clock.sample(NOON, 0);
    clock.sample(NOON.plus(Duration.ofDays(365)), 5 * SECOND);

    assertThat(clock.at(5 * SECOND)).contains(NOON.plusSeconds(5));
  }

  @Test
  void followsJumpsBackAtOnceAndAheadAfterAnHour() {
    ServerClock clock = new ServerClock(0);
    clock.sample(NOON, 0);
    clock.sample(NOON.minusSeconds(600), 10 * SECOND);
    assertThat(clock.at(10 * SECOND)).contains(NOON.minusSeconds(600));

    clock.sample(NOON.plusSeconds(20), 20 * SECOND);
    assertThat(clock.at(20 * SECOND)).contains(NOON.minusSeconds(590));

    clock.sample(NOON.plusSeconds(3611), 3611 * SECOND);
    assertThat(clock.at(3611 * SECOND)).contains(NOON.plusSeconds(3611));
  }

  @Test
  void keepsTheLastSample() {
    ServerClock clock = new ServerClock(0);
    clock.sample(NOON, 0);

    assertThat(clock.at(100 * HOUR)).contains(NOON.plus(Duration.ofHours(100)));
  }

  @Test
  void boundsIncredibleDates() {
    ServerClock clock = new ServerClock(Long.MAX_VALUE - 1);
    clock.sample(Instant.MAX, Long.MAX_VALUE);
    assertThat(clock.at(Long.MAX_VALUE)).contains(Instant.parse("2200-01-01T00:00:00Z"));
    clock.sample(Instant.MIN, Long.MIN_VALUE + 10);
    assertThat(clock.at(Long.MIN_VALUE + 10)).contains(Instant.EPOCH);
  }

  @Test
  void measuresTheSkewAgainstAWallClock() {
    ServerClock clock = new ServerClock(0);
    clock.sample(NOON, 0);

    assertThat(clock.skew(NOON.minusSeconds(3), 0)).contains(Duration.ofSeconds(3));
    assertThat(clock.skew(NOON.plusSeconds(4), SECOND)).contains(Duration.ofSeconds(-3));
  }
}
