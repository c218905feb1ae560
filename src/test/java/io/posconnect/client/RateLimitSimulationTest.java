package io.posconnect.client;

import static io.posconnect.client.Clients.limit;
import static io.posconnect.client.Clients.limiter;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.PriorityQueue;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Several clients use up one limit, which counts the requests of any sliding minute. An hour of it,
 * in simulated time.
 */
class RateLimitSimulationTest {

  private static final long MINUTE = TimeUnit.MINUTES.toNanos(1);
  private static final long HOUR = 60 * MINUTE;

  /** The service: admits so many requests a sliding minute and refuses the rest. */
  private static final class Limit {
    private int perMinute;
    private final Deque<Long> admitted = new ArrayDeque<>();

    Limit(int perMinute) {
      this.perMinute = perMinute;
    }

    boolean admit(long now) {
      while (!admitted.isEmpty() && now - admitted.peekFirst() >= MINUTE) {
        admitted.removeFirst();
      }
      return admitted.size() < perMinute && admitted.add(now);
    }
  }

  private static final class Party {
    private final RateLimit limiter;
    private final RetryPolicy retries;
    private final Random random;
    private final long evenly;
    private OptionalInt stated = OptionalInt.empty();
    private int failures;
    private int sent;
    private int refused;
    private long next;

    /** One of ours, always with something to ask. */
    Party(int perMinute, double share, long seed, long start) {
      this(limiter(perMinute, share, start), seed, start);
    }

    Party(RateLimit limiter, long start) {
      this(limiter, 0, start);
    }

    private Party(RateLimit limiter, long seed, long start) {
      this.limiter = limiter;
      retries = new RetryPolicy(Duration.ofSeconds(1), Duration.ofMinutes(5));
      random = new Random(seed);
      evenly = 0;
      next = start;
    }

    /** Another integration, which sends evenly and ignores refusals. */
    Party(int perMinute) {
      limiter = limiter(perMinute, 1, 0);
      retries = new RetryPolicy(Duration.ofSeconds(1), Duration.ofMinutes(5));
      random = new Random(0);
      evenly = MINUTE / perMinute;
      next = 0;
    }

    boolean ours() {
      return evenly == 0;
    }

    void act(Limit limit, long now) {
      if (!ours()) {
        limit.admit(now);
        next = now + evenly;
        return;
      }
      long wait = limiter.tryAcquire(now);
      if (wait > 0) {
        next = now + wait;
        return;
      }
      boolean counted = now > MINUTE;
      sent += counted ? 1 : 0;
      next = now;
      if (limit.admit(now)) {
        failures = 0;
      } else {
        refused += counted ? 1 : 0;
        limiter.throttled(now, Duration.ZERO, stated);
        next = now + retries.delay(++failures, Optional.empty(), random).toNanos();
      }
    }
  }

  private static List<Party> anHour(int limit, List<Party> parties) {
    Limit service = new Limit(limit);
    PriorityQueue<Party> queue = new PriorityQueue<>((a, b) -> Long.compare(a.next, b.next));
    queue.addAll(parties);
    while (queue.element().next < HOUR) {
      Party party = queue.remove();
      party.act(service, party.next);
      queue.add(party);
    }
    return parties.stream().filter(Party::ours).toList();
  }

  private static void assertFewRefusals(List<Party> ours) {
    int sent = ours.stream().mapToInt(party -> party.sent).sum();
    int refused = ours.stream().mapToInt(party -> party.refused).sum();
    assertThat(refused * 100.0 / sent).as("%d of %d refused", refused, sent).isLessThan(1);
  }

  @ParameterizedTest
  @CsvSource({"120, 0.9", "60, 0.9", "200, 1.0", "30, 0.9", "10, 0.9"})
  void anotherIntegrationCausesFewRefusals(int limit, double share) {
    for (int seed = 0; seed < 10; seed++) {
      List<Party> parties = new ArrayList<>();
      parties.add(new Party(limit, share, seed, 0));
      parties.add(new Party(limit / 2));
      List<Party> ours = anHour(limit, parties);
      assertFewRefusals(ours);
      assertThat(ours.get(0).sent).as("and its half is used").isGreaterThan(59 * limit / 5);
    }
  }

  @ParameterizedTest
  @CsvSource({
    "120, 0.9, 2",
    "60, 0.9, 2",
    "120, 1.0, 2",
    "120, 0.9, 3",
    "30, 0.9, 2",
    "10, 0.9, 2"
  })
  void connectorsOfSeveralProcessesMeetFewRefusals(int limit, double share, int connectors) {
    for (int seed = 0; seed < 10; seed++) {
      List<Party> parties = new ArrayList<>();
      for (int i = 0; i < connectors; i++) {
        parties.add(new Party(limit, share, seed * 7L + i, i * 1_234_567_890L));
      }
      List<Party> ours = anHour(limit, parties);
      assertFewRefusals(ours);
      int sent = ours.stream().mapToInt(party -> party.sent).sum();
      assertThat(sent).as("and the limit is used").isGreaterThan(59 * limit / 2);
    }
  }

  /** The refusals of the hour after the service has lowered its limit from 120 to 30. */
  private static int refusedAfterLimitIsLowered(OptionalInt stated, int seed) {
    Limit service = new Limit(120);
    Party party = new Party(120, 0.9, seed, 0);
    while (party.next < 2 * HOUR) {
      if (party.next >= HOUR && service.perMinute == 120) {
        assertThat(party.refused).isZero();
        service.perMinute = 30;
        party.stated = stated;
        party.sent = 0;
      }
      party.act(service, party.next);
    }
    assertThat(party.sent).as("and the limit is used").isGreaterThan(58 * 30 * 8 / 10);
    return party.refused;
  }

  @Test
  void believesLoweredLimitThatIsStated() {
    for (int seed = 0; seed < 10; seed++) {
      assertThat(refusedAfterLimitIsLowered(OptionalInt.of(30), seed)).isEqualTo(1);
      assertThat(refusedAfterLimitIsLowered(OptionalInt.empty(), seed)).isGreaterThan(10);
    }
  }

  @ParameterizedTest
  @CsvSource({"10, 2", "60, 2", "120, 5", "200, 1", "1000, 2", "6000, 5"})
  void connectorsOfOneProcessGetEqualShares(int limit, int connectors) {
    SharedRateLimits shared = new SharedRateLimits();
    SharedRateLimits.Limit one = limit(limit, 0.9);
    List<Party> parties = new ArrayList<>();
    for (int i = 0; i < connectors; i++) {
      long start = i * 1_234_567_890L;
      parties.add(new Party(shared.limiter(one, start), start));
    }
    for (Party party : anHour(limit, parties)) {
      assertThat(party.refused).isZero();
      double even = 59 * limit * 0.9 / connectors;
      assertThat((double) party.sent).isCloseTo(even, within(even / 20));
    }
  }
}
