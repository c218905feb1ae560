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

  /** In seconds. */
  private static final long DAY = 86_400;

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
        clock.sample(date(honest), origin + honest + random.nextInt(1_000_000), wall(honest));
        done = true;
      }
      clock.sample(date(now).plusSeconds(random.nextInt(100_000)), origin + now, wall(now));
    }
    if (!done) {
      clock.sample(date(honest), origin + end, wall(end));
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
            clock.sample(date(now), origin + now + random.nextLong(SECOND), wall(now));
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
  }

  @Test
  void estimatesTimesPastAndPresent() {
    ServerClock clock = new ServerClock(0);
    clock.sample(NOON, 10 * SECOND, NOON);

    assertThat(clock.at(10 * SECOND)).contains(NOON);
    assertThat(clock.at(0)).contains(NOON.minusSeconds(10));
    assertThat(clock.at(HOUR)).contains(NOON.plusSeconds(3590));
  }

  @Test
  void followsJumpsBackAtOnceAndAheadAfterAnHour() {
    ServerClock clock = new ServerClock(0);
    clock.sample(NOON, 0, NOON);
    clock.sample(NOON.minusSeconds(600), 10 * SECOND, NOON.minusSeconds(600));
    assertThat(clock.at(10 * SECOND)).contains(NOON.minusSeconds(600));

    clock.sample(NOON.plusSeconds(20), 20 * SECOND, NOON.plusSeconds(20));
    assertThat(clock.at(20 * SECOND)).contains(NOON.minusSeconds(590));

    clock.sample(NOON.plusSeconds(3611), 3611 * SECOND, NOON.plusSeconds(3611));
    assertThat(clock.at(3611 * SECOND)).contains(NOON.plusSeconds(3611));
  }

  @Test
  void keepsTheLastSample() {
    ServerClock clock = new ServerClock(0);
    clock.sample(NOON, 0, NOON);

    assertThat(clock.at(100 * HOUR)).contains(NOON.plus(Duration.ofHours(100)));
  }

  @Test
  void boundsIncredibleDates() {
    ServerClock clock = new ServerClock(Long.MAX_VALUE - 1);
    clock.sample(Instant.MAX, Long.MAX_VALUE, NOON);
    assertThat(clock.at(Long.MAX_VALUE)).contains(Instant.parse("2200-01-01T00:00:00Z"));
    clock.sample(Instant.MIN, Long.MIN_VALUE + 10, NOON);
    assertThat(clock.at(Long.MIN_VALUE + 10)).contains(Instant.EPOCH);
  }

  @Test
  void followsClockThatWasReallySetBackAtThirdResponse() {
    ServerClock clock = agreeing();

    assertThat(sample(clock, 10, -400 * DAY)).isTrue();
    assertThat(clock.at(10 * SECOND)).contains(NOON.plusSeconds(10));
    assertThat(sample(clock, 20, -400 * DAY)).isTrue();
    assertThat(sample(clock, 30, -400 * DAY)).isFalse();
    assertThat(clock.at(30 * SECOND)).contains(NOON.plusSeconds(30 - 400 * DAY));
  }

  @Test
  void followsServiceWhoseClockIsWrongFromTheFirstResponse() {
    ServerClock clock = new ServerClock(0);
    for (int i = 0; i < 10; i++) {
      assertThat(sample(clock, i, -400 * DAY)).isFalse();
      assertThat(clock.at(i * SECOND)).contains(NOON.plusSeconds(i - 400 * DAY));
    }
  }

  @Test
  void staysNearTheTruthAmongOddDates() {
    RandomCases.check(1_000, ServerClockTest::checkThatOddDatesCostLittle);
  }

  /** Honest dates, and odd ones of any kind, but for many in a row that are behind. */
  private static void checkThatOddDatesCostLittle(RandomGenerator random) {
    ServerClock clock = agreeing();
    // The worker's clock, as far as it is wrong without being odd.
    long wall = random.nextLong(-15 * 60, 15 * 60);
    int behind = 0;
    for (long now = 10; now < 7_200; now += 1 + random.nextInt(120)) {
      boolean odd = random.nextInt(3) == 0 && behind < ServerClock.CONVINCING - 1;
      long wrong = odd ? random.nextLong(-1_000 * DAY, 1_000 * DAY) : 0;
      behind = odd ? behind + 1 : 0;
      clock.sample(NOON.plusSeconds(now + wrong), now * SECOND, NOON.plusSeconds(now + wall));
      assertThat(clock.at(now * SECOND).orElseThrow())
          .isBetween(
              NOON.plusSeconds(now + wall - ServerClock.ODD.toSeconds() - 1),
              NOON.plusSeconds(now));
    }
  }

  /** One that got only true dates until now. */
  private static ServerClock agreeing() {
    ServerClock clock = new ServerClock(0);
    for (int i = 0; i < ServerClock.CONVINCING; i++) {
      sample(clock, i, 0);
    }
    return clock;
  }

  /** Gives a date that is so many seconds ahead of the truth, which the worker's clock shows. */
  private static boolean sample(ServerClock clock, long second, long ahead) {
    Instant truth = NOON.plusSeconds(second);
    return clock.sample(truth.plusSeconds(ahead), second * SECOND, truth);
  }

  private static Instant wall(long sinceNoon) {
    return NOON.plusNanos(sinceNoon);
  }
}
