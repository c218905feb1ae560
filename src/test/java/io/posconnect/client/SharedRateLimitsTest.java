package io.posconnect.client;

import static io.posconnect.client.Clients.limit;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.posconnect.RandomCases;
import io.posconnect.client.SharedRateLimits.Limit;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Everything that uses one key on one path shares one limit. */
class SharedRateLimitsTest {

  private static final long SECOND = Duration.ofSeconds(1).toNanos();
  private static final long MINUTE = 60 * SECOND;
  private static final URI HOST = URI.create("https://api.example.com");
  private static final Credentials KEY = Clients.CREDENTIALS;

  private final SharedRateLimits rateLimits = new SharedRateLimits();

  /** A member that always needs a slot, and asks after the wait that it got. */
  private static final class Wanting {
    private RateLimit limiter;
    private long next;
    private int slots;

    Wanting(RateLimit limiter, long start) {
      this.limiter = limiter;
      this.next = start;
    }

    boolean ask(long late) {
      long wait = limiter.tryAcquire(next + late);
      next += late + wait;
      slots += wait == 0 ? 1 : 0;
      return wait == 0;
    }
  }

  private static Wanting first(List<Wanting> all) {
    return all.stream().min((a, b) -> Long.compare(a.next, b.next)).orElseThrow();
  }

  @Test
  void membersTogetherKeepTheLimitInAnyMinute() {
    RandomCases.check(300, SharedRateLimitsTest::checkThatTogetherTheyKeepTheLimit);
  }

  private static void checkThatTogetherTheyKeepTheLimit(RandomGenerator random) {
    SharedRateLimits shared = new SharedRateLimits();
    int perMinute = random.nextInt(1, random.nextBoolean() ? 11 : 301);
    int count = random.nextInt(1, 6);
    double share = random.nextInt(4) == 0 ? 1 : random.nextDouble(0.05, 1);
    List<Wanting> all = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      all.add(new Wanting(shared.limiter(limit(perMinute, share), i), i));
    }
    List<Long> sent = new ArrayList<>();
    for (int i = 0; i < 1_000; i++) {
      Wanting one = first(all);
      long now = one.next;
      switch (random.nextInt(40)) {
        case 0 -> {
          one.limiter.close();
          one.limiter = shared.limiter(limit(perMinute, share), now);
        }
        case 1 -> one.limiter.throttled(now, Duration.ZERO, OptionalInt.empty());
        case 2 -> {
          try (RateLimit temporary = shared.temporary(limit(perMinute, share), now)) {
            if (temporary.tryAcquire(now) == 0) {
              sent.add(now);
            }
          }
        }
        default -> {
          if (one.ask(random.nextInt(3) == 0 ? random.nextLong(SECOND) : 0)) {
            sent.add(one.next);
          }
        }
      }
    }
    sent.sort(null);
    for (int i = perMinute; i < sent.size(); i++) {
      assertThat(sent.get(i) - sent.get(i - perMinute)).isGreaterThan(MINUTE + SECOND / 100);
    }
  }

  @ParameterizedTest
  @CsvSource({"60, 60, 0", "60, 60, 30", "120, 30, 0", "120, 30, 30", "10, 60, 5"})
  void membersTakeTurnsAtTheLowestLimit(int one, int other, long lateMillis) {
    List<Wanting> all =
        List.of(
            new Wanting(rateLimits.limiter(limit(one, 0.9), 0), 0),
            new Wanting(rateLimits.limiter(limit(other, 0.9), 0), 0));
    while (first(all).next < 60 * MINUTE) {
      first(all).ask(Duration.ofMillis(lateMillis).toNanos());
    }
    double each = 60 * Math.min(one, other) * 0.9 / 2;
    assertThat(all)
        .allSatisfy(party -> assertThat((double) party.slots).isCloseTo(each, within(each / 20)));
  }

  @Test
  void membersThatWakeUpLateKeepTheirTurn() {
    RandomCases.check(20, SharedRateLimitsTest::checkThatNoneWaitsForMoreThanThreeRounds);
  }

  /** Threads of a busy machine wake up late, each for itself. */
  private static void checkThatNoneWaitsForMoreThanThreeRounds(RandomGenerator random) {
    SharedRateLimits shared = new SharedRateLimits();
    int members = 40;
    List<Wanting> all = new ArrayList<>();
    for (int i = 0; i < members; i++) {
      all.add(new Wanting(shared.limiter(limit(60, 0.9), 0), random.nextLong(SECOND / 5)));
    }
    Map<Wanting, Long> lastSlots = new HashMap<>();
    long longest = 0;
    while (first(all).next < 30 * MINUTE) {
      Wanting one = first(all);
      long now = one.next;
      if (one.ask(0)) {
        longest = Math.max(longest, now - Optional.ofNullable(lastSlots.put(one, now)).orElse(0L));
      }
      one.next += random.nextLong(SECOND / 5);
    }
    assertThat(longest).isLessThan(3L * members * RateLimit.spacing(60, 0.9));
  }

  /** Each time by as much, so that no chance ends its turn. */
  @ParameterizedTest
  @ValueSource(longs = {0, 50, 150, 250, 450, 2_000})
  void memberThatIsAlwaysLateHasItsTurnsAndLeavesTheOthersTheirs(long lateMillis) {
    List<Wanting> all = new ArrayList<>();
    for (int i = 0; i < 10; i++) {
      all.add(new Wanting(rateLimits.limiter(limit(60, 0.9), 0), i));
    }
    Wanting late = all.get(4);
    while (first(all).next < 60 * MINUTE) {
      Wanting one = first(all);
      one.ask(0);
      one.next += one.equals(late) ? Duration.ofMillis(lateMillis).toNanos() : 0;
    }
    if (lateMillis > 500) {
      all.remove(late); // It has the slots that nobody else wants.
    }
    // One slot each and five missed ones, which a tenth to half a second delays.
    long round = 15 * RateLimit.spacing(60, 0.9) + 3 * SECOND / 2;
    assertThat(all)
        .allSatisfy(one -> assertThat((long) one.slots).isGreaterThan(60 * MINUTE / round));
  }

  @Test
  void theLowestLimitAndTheLowestShareHoldTogether() {
    RateLimit one = rateLimits.limiter(limit(120, 0.5), 0);
    RateLimit other = rateLimits.limiter(limit(60, 0.9), 0);
    assertThat(one.rate(0)).isCloseTo(30, within(0.01));
    assertThat(other.rate(0)).isCloseTo(30, within(0.01));
  }

  @Test
  void anAbsentMemberCostsATenthOfASecondTwice() {
    RateLimit here = rateLimits.limiter(limit(60, 0.5), 0);
    RateLimit gone = rateLimits.limiter(limit(60, 0.5), 0);
    assertThat(gone.tryAcquire(0)).isEqualTo(2 * SECOND);
    assertThat(here.tryAcquire(0)).isEqualTo(2 * SECOND + SECOND / 10);

    assertThat(here.tryAcquire(2 * SECOND)).isEqualTo(SECOND / 10);
    assertThat(here.tryAcquire(2 * SECOND + SECOND / 10)).isZero();
    assertThat(here.tryAcquire(4 * SECOND + SECOND / 10)).isEqualTo(SECOND / 10);
    assertThat(here.tryAcquire(4 * SECOND + SECOND / 5)).isZero();
    assertThat(here.tryAcquire(6 * SECOND + SECOND / 5)).isZero();
  }

  @Test
  void aClosedMemberHoldsNoTurnAndNoLimit() {
    RateLimit here = rateLimits.limiter(limit(60, 0.5), 0);
    RateLimit left = rateLimits.limiter(limit(1, 0.5), 0);
    assertThat(left.tryAcquire(0)).isEqualTo(2 * MINUTE);
    left.close();
    assertThat(left.tryAcquire(0)).isPositive();

    assertThat(here.tryAcquire(2 * SECOND)).isZero();
  }

  @Test
  void aSuccessorKeepsTheSpacingAndTheReducedRate() {
    try (RateLimit first = rateLimits.limiter(limit(60, 0.5), 0)) {
      assertThat(first.tryAcquire(2 * SECOND)).isZero();
      first.throttled(2 * SECOND, Duration.ZERO, OptionalInt.empty());
    }
    RateLimit second = rateLimits.limiter(limit(60, 0.5), 3 * SECOND);
    assertThat(second.rate(3 * SECOND)).isCloseTo(15, within(0.01));
    assertThat(second.tryAcquire(4 * SECOND)).isEqualTo(6 * SECOND);
  }

  @Test
  void a429SlowsAllMembers() {
    RateLimit one = rateLimits.limiter(limit(60, 0.5), 0);
    RateLimit other = rateLimits.limiter(limit(60, 0.5), 0);
    one.throttled(0, Duration.ZERO, OptionalInt.empty());
    assertThat(other.rate(0)).isCloseTo(15, within(0.01));
  }

  @Test
  void allMembersKeepThePauseOfA429() {
    RateLimit one = rateLimits.limiter(limit(60, 0.5), 0);
    RateLimit other = rateLimits.limiter(limit(60, 0.5), 0);
    one.throttled(SECOND, Duration.ofSeconds(30), OptionalInt.empty());
    assertThat(other.tryAcquire(2 * SECOND)).isEqualTo(29 * SECOND);
    assertThat(other.tryAcquire(31 * SECOND)).isZero();

    one.throttled(32 * SECOND, Duration.ofSeconds(1), OptionalInt.empty());
    assertThat(other.tryAcquire(33 * SECOND)).as("no less than without").isEqualTo(15 * SECOND);
  }

  @Test
  void dropsAnUnusedLimitOnceItsRateHasRecovered() {
    Limit elsewhere = new Limit(HOST, KEY, "/customers", 60, 0.9);
    RateLimit used = rateLimits.limiter(limit(60, 0.5), 0);
    assertThat(rateLimits.size()).isEqualTo(1);
    rateLimits.temporary(elsewhere, 1_000 * MINUTE).close();
    assertThat(rateLimits.size()).isEqualTo(2);
    used.throttled(1_000 * MINUTE, Duration.ZERO, OptionalInt.empty());
    used.close();
    rateLimits.temporary(elsewhere, 1_008 * MINUTE).close();
    assertThat(rateLimits.size()).isEqualTo(2);
    rateLimits.temporary(elsewhere, 1_020 * MINUTE).close();
    assertThat(rateLimits.size()).isEqualTo(1);
  }

  @Test
  void dropsTheLimitsOfRotatedKeys() {
    int most = 0;
    for (int minute = 0; minute < 10_000; minute++) {
      Credentials key = new Credentials("key-" + minute, "");
      for (String path : List.of("/products", "/customers", "/inventory")) {
        try (RateLimit limiter =
            rateLimits.limiter(new Limit(HOST, key, path, 60, 0.9), minute * MINUTE)) {
          limiter.tryAcquire(minute * MINUTE + SECOND);
          if (minute % 5 == 0) {
            limiter.throttled(minute * MINUTE + SECOND, Duration.ZERO, OptionalInt.empty());
          }
        }
      }
      most = Math.max(most, rateLimits.size());
    }
    assertThat(most).isLessThan(100);
  }

  /** A worker may begin with 300 locations of 20 resources each, in several connectors. */
  @Test
  @Timeout(value = 60, threadMode = ThreadMode.SEPARATE_THREAD)
  void manyLimitsBeginWithoutALookAtAllOthersForEach() {
    int many = 200_000;
    for (int i = 0; i < many; i++) {
      RateLimit unused = rateLimits.limiter(new Limit(HOST, KEY, "/path-" + i, 60, 0.9), 0);
    }
    assertThat(rateLimits.size()).isEqualTo(many);
  }

  @Test
  void remembersASlowSpacingAsLongAsItLasts() {
    try (RateLimit slow = rateLimits.limiter(limit(1, 0.1), 0)) {
      assertThat(slow.tryAcquire(10 * MINUTE)).isZero();
    }
    RateLimit next = rateLimits.temporary(limit(1, 0.1), 19 * MINUTE);
    assertThat(next.tryAcquire(19 * MINUTE)).isEqualTo(MINUTE);
  }

  @Test
  void aTemporaryMemberSendsAtOnceOnAnUnusedLimit() {
    RateLimit temporary = rateLimits.temporary(limit(60, 0.5), 0);
    assertThat(temporary.tryAcquire(0)).isZero();
    assertThat(temporary.tryAcquire(0)).isEqualTo(2 * SECOND);
    assertThat(rateLimits.temporary(limit(60, 0.5), 0).tryAcquire(SECOND)).isPositive();
  }

  @Test
  void aTemporaryMemberTakesTurnsAndSlowsNoOther() {
    RateLimit resident = rateLimits.limiter(limit(60, 0.5), 0);
    RateLimit temporary = rateLimits.temporary(limit(1, 0.5), 0);
    assertThat(temporary.tryAcquire(2 * SECOND)).isEqualTo(2 * MINUTE - 2 * SECOND);
    assertThat(resident.rate(0)).isCloseTo(30, within(0.01));
    assertThat(resident.tryAcquire(2 * SECOND + SECOND / 10)).isZero();
  }

  @Test
  void eachKeyPathAndServiceHasItsOwnLimit() {
    rateLimits.limiter(limit(60, 0.5), 0);
    List<Limit> others =
        List.of(
            new Limit(HOST, new Credentials("another key", ""), "/products", 60, 0.5),
            new Limit(HOST, KEY, "/customers", 60, 0.5),
            new Limit(URI.create("https://api.example.org"), KEY, "/products", 60, 0.5),
            new Limit(URI.create("https://api.example.com:8443"), KEY, "/products", 60, 0.5));
    assertThat(others).allMatch(limit -> rateLimits.temporary(limit, 0).tryAcquire(0) == 0);
  }

  @Test
  void spellingsOfOneUrlShareALimit() {
    rateLimits.limiter(new Limit(URI.create("https://h/v1/"), KEY, "/products", 60, 0.5), 0);
    List<Limit> same =
        List.of(
            new Limit(URI.create("https://H:443/v1"), KEY, "/products", 60, 0.5),
            new Limit(URI.create("https://h"), KEY, "/v1/products", 60, 0.5),
            new Limit(
                URI.create("https://h/v1"), new Credentials(Clients.KEY, "p"), "/products", 60, 1));
    assertThat(same).noneMatch(limit -> rateLimits.temporary(limit, 0).tryAcquire(0) == 0);
  }

  @Test
  void neverShowsTheKey() {
    Limit limit = limit(60, 0.5);
    assertThat(limit + " " + limit.id()).contains("/products").doesNotContain(Clients.KEY);
  }
}
