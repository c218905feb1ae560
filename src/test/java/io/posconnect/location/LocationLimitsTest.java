package io.posconnect.location;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.posconnect.client.Credentials;
import io.posconnect.client.RateLimit;
import io.posconnect.client.SharedRateLimits;
import io.posconnect.config.Props;
import io.posconnect.config.SourceConfig;
import io.posconnect.resource.Resource;
import io.posconnect.resource.Stream;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

final class LocationLimitsTest {

  private static final long SECOND = Duration.ofSeconds(1).toNanos();
  private static final long MINUTE = 60 * SECOND;
  private static final URI HOST = URI.create("https://api.example.com");
  private static final Credentials OLD = new Credentials("old", "");
  private static final Credentials NEW = new Credentials("new", "");

  private final SharedRateLimits rateLimits = new SharedRateLimits();
  private final SourceConfig config =
      Props.of(
              "resources=fast,slow,customers resources.fast.path=/things"
                  + " resources.fast.retrieval=full resources.fast.key.fields=id"
                  + " resources.slow.path=/things resources.slow.retrieval=full"
                  + " resources.slow.key.fields=id resources.slow.requests.per.minute=30"
                  + " resources.customers.snapshot=pages")
          .config();

  private LocationLimits limiters(Credentials credentials, long start) {
    List<Resource> resources = config.streams().stream().map(config::resource).toList();
    return new LocationLimits(rateLimits, HOST, 0.5, resources, credentials, start);
  }

  @Test
  void theLowestLimitOfAPathHolds() {
    LocationLimits limiters = limiters(OLD, 0);
    assertThat(limiters.of("slow", "/things").rate(0)).isCloseTo(15, within(0.01));
    assertThat(limiters.of("slow", "/things")).isSameAs(limiters.of("slow", "/things"));
    Stream fast = new Stream("default", "fast");
    assertThat(LocationLimits.limit(config, fast, "/things").requestsPerMinute()).isEqualTo(30);
  }

  /** An alert compares the time since the last read with it. */
  @Test
  void theShortestIntervalLeavesTheOthersOfAPathTheirReads() {
    LocationLimits limiters = limiters(OLD, 0);
    for (Stream stream : config.streams()) {
      long seconds = stream.resource().equals("customers") ? 1 : 8;
      assertThat(limiters.shortestInterval(config.resource(stream)))
          .isEqualTo(Duration.ofSeconds(seconds));
    }
  }

  /** Such as two resources that differ in their parameters, while one is being backfilled. */
  @Test
  void streamsOfOnePathTakeTurnsThoughOneIsAlwaysLate() {
    LocationLimits limiters = limiters(OLD, 0);
    List<String> streams = List.of("fast", "slow");
    long[] next = {0, 0};
    int[] slots = {0, 0};
    while (Math.min(next[0], next[1]) < 60 * MINUTE) {
      int one = next[0] <= next[1] ? 0 : 1;
      long wait = limiters.of(streams.get(one), "/things").tryAcquire(next[one]);
      slots[one] += wait == 0 ? 1 : 0;
      next[one] += wait + one * SECOND / 20;
    }
    assertThat(slots[0]).isBetween(400, 450);
    assertThat(slots[1]).isBetween(400, 450);
  }

  @Test
  void aSnapshotInPagesHasTheLimitOfItsOwnPath() {
    LocationLimits limiters = limiters(OLD, 0);
    assertThat(limiters.of("customers", "/customer/customers").tryAcquire(SECOND)).isZero();
    assertThat(limiters.of("customers", "/customer/customers-paginated").tryAcquire(SECOND))
        .isZero();
  }

  @Test
  void aNewKeyBeginsLikeAStartAtTheFullRate() {
    LocationLimits limiters = limiters(OLD, 0);
    assertThat(limiters.of("slow", "/things").tryAcquire(MINUTE)).isZero();
    limiters.of("slow", "/things").throttled(MINUTE, Duration.ZERO, OptionalInt.empty());

    limiters.renew(NEW, MINUTE + SECOND);
    assertThat(limiters.of("slow", "/things").rate(MINUTE + SECOND)).isCloseTo(15, within(0.01));
    assertThat(limiters.of("slow", "/things").tryAcquire(MINUTE + SECOND)).isEqualTo(4 * SECOND);

    limiters.renew(OLD, MINUTE + 2 * SECOND);
    assertThat(limiters.of("slow", "/things").rate(MINUTE + 2 * SECOND))
        .as("what is known of the old one")
        .isCloseTo(7.5, within(0.01));
  }

  @Test
  void tasksWithOneKeyShareSlotsUntilTheyClose() {
    LocationLimits one = limiters(OLD, 0);
    LocationLimits other = limiters(OLD, 0);
    assertThat(one.of("slow", "/things").tryAcquire(MINUTE)).isZero();
    RateLimit waiting = other.of("slow", "/things");
    assertThat(waiting.tryAcquire(MINUTE + SECOND)).isEqualTo(3 * SECOND);
    other.close();
    assertThat(one.of("slow", "/things").tryAcquire(MINUTE + 4 * SECOND)).isZero();
    assertThat(other.of("customers", "/customer/customers").tryAcquire(MINUTE)).isZero();
  }
}
