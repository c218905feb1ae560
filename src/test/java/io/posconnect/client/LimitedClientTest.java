package io.posconnect.client;

import static io.posconnect.client.Clients.CREDENTIALS;
import static io.posconnect.hostile.Answer.json;
import static io.posconnect.hostile.Answer.respond;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.posconnect.config.Props;
import io.posconnect.hostile.HostileService;
import io.posconnect.resource.Reading;
import io.posconnect.resource.Resource;
import io.posconnect.resource.Stream;
import io.posconnect.resource.Window;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class LimitedClientTest {

  private static final long SECOND = Duration.ofSeconds(1).toNanos();

  private final Resource products =
      Props.one().config().resource(new Stream("default", "products"));
  private final AtomicInteger sent = new AtomicInteger();
  private long now = 10 * SECOND;

  private LimitedClient limited(ApiClient client, HostileService server) {
    SharedRateLimits.Limit limit =
        new SharedRateLimits.Limit(server.baseUrl(), CREDENTIALS, "/products", 60, 0.5);
    return new LimitedClient(
        client,
        new SharedRateLimits().temporary(limit, now),
        new RetryPolicy(Duration.ofSeconds(1), Duration.ofSeconds(40)),
        () -> now);
  }

  private Rows open(LimitedClient limited) throws ApiException {
    return limited.open(new Reading(products, Window.ALL), sent::incrementAndGet);
  }

  @Test
  void chargesEachRedirectToTheLimit() throws Exception {
    try (HostileService server =
            HostileService.start(
                call ->
                    call.head().startsWith("GET /products ")
                        ? respond("302 Found", "Location: /here\r\n", "")
                        : json("[]"));
        ApiClient client = Clients.to(server.baseUrl())) {
      LimitedClient limited = limited(client, server);
      assertThat(limited.tryAcquire()).isZero();
      open(limited).close();

      assertThat(sent).hasValue(2);
      assertThat(limited.tryAcquire()).isEqualTo(4 * SECOND);
    }
  }

  @Test
  void namesTheLimitThatTheServiceStates() {
    String stated = "{\"Message\":\"Only 7 requests per minute are permitted.\"}";
    try (HostileService server = HostileService.start(call -> respond("429 No", "", stated));
        ApiClient client = Clients.to(server.baseUrl())) {
      assertThatThrownBy(() -> open(limited(client, server)))
          .hasMessageContaining("a limit of 7 a minute");
    }
  }
}
