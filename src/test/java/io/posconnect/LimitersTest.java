package io.posconnect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.posconnect.client.Budgets;
import io.posconnect.client.Credentials;
import io.posconnect.client.RateLimiter;
import io.posconnect.config.Props;
import io.posconnect.config.SourceConfig;
import io.posconnect.resource.Stream;
import java.net.URI;
import java.time.Duration;
import org.junit.jupiter.api.Test;

final class LimitersTest {

  private static final long SECOND = Duration.ofSeconds(1).toNanos();
  private static final long MINUTE = 60 * SECOND;
  private static final URI HOST = URI.create("https://api.example.com");
  private static final Credentials OLD = new Credentials("old", "");
  private static final Credentials NEW = new Credentials("new", "");

  private final Budgets budgets = new Budgets();
  private final SourceConfig config =
      Props.one()
          .with("resources", "fast,slow,customers")
          .with("resources.fast.path", "/things")
          .with("resources.fast.retrieval", "dataset")
          .with("resources.fast.key.fields", "id")
          .with("resources.slow.path", "/things")
          .with("resources.slow.retrieval", "dataset")
          .with("resources.slow.key.fields", "id")
          .with("resources.slow.requests.per.minute", "30")
          .with("resources.customers.snapshot", "pages")
          .config();

  private Limiters limiters(Credentials credentials, long start) {
    Limiters limiters = new Limiters(budgets, HOST, 0.5, credentials, start);
    for (Stream stream : config.streams()) {
      limiters.state(config.resource(stream));
    }
    return limiters;
  }

  @Test
  void ofTheResourcesThatAreReadAtOnePathTheLowestLimitHolds() {
    Limiters limiters = limiters(OLD, 0);
    assertThat(limiters.of("/things").rate(0)).isCloseTo(15, within(0.01));
    assertThat(limiters.of("/things")).isSameAs(limiters.of("/things"));
  }

  @Test
  void aSnapshotInPagesHasTheLimitOfItsOwnPath() {
    Limiters limiters = limiters(OLD, 0);
    assertThat(limiters.of("/customer/customers").tryAcquire(SECOND)).isZero();
    assertThat(limiters.of("/customer/customers-paginated").tryAcquire(SECOND)).isZero();
  }

  @Test
  void aNewKeyBeginsLikeAStartAndAtTheFullRate() {
    Limiters limiters = limiters(OLD, 0);
    assertThat(limiters.of("/things").tryAcquire(MINUTE)).isZero();
    limiters.of("/things").throttled(MINUTE);

    limiters.renew(NEW, MINUTE + SECOND);
    assertThat(limiters.of("/things").rate(MINUTE + SECOND)).isCloseTo(15, within(0.01));
    assertThat(limiters.of("/things").tryAcquire(MINUTE + SECOND)).isEqualTo(4 * SECOND);

    limiters.renew(OLD, MINUTE + 2 * SECOND);
    assertThat(limiters.of("/things").rate(MINUTE + 2 * SECOND))
        .as("what is known of the old one")
        .isCloseTo(7.5, within(0.01));
  }

  @Test
  void anotherTaskWithTheKeySharesItsSlotsUntilItCloses() {
    Limiters one = limiters(OLD, 0);
    Limiters other = limiters(OLD, 0);
    assertThat(one.of("/things").tryAcquire(MINUTE)).isZero();
    RateLimiter waiting = other.of("/things");
    assertThat(waiting.tryAcquire(MINUTE + SECOND)).isEqualTo(3 * SECOND);
    other.close();
    assertThat(one.of("/things").tryAcquire(MINUTE + 4 * SECOND)).isZero();
    assertThat(other.of("/customer/customers").tryAcquire(MINUTE)).isZero();
  }
}
