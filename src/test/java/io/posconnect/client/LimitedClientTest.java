package io.posconnect.client;

import static io.posconnect.client.Clients.CREDENTIALS;
import static io.posconnect.client.Clients.PRODUCTS;
import static io.posconnect.client.RawServer.json;
import static io.posconnect.client.RawServer.respond;
import static org.assertj.core.api.Assertions.assertThat;

import io.posconnect.resource.Shape;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class LimitedClientTest {

  private static final long SECOND = Duration.ofSeconds(1).toNanos();

  private final AtomicInteger sent = new AtomicInteger();
  private long now = 10 * SECOND;

  private LimitedClient limited(ApiClient client, RawServer server) {
    SharedRateLimits.Limit limit =
        new SharedRateLimits.Limit(server.url(), CREDENTIALS, "/products", 60, 0.5);
    return new LimitedClient(
        client,
        new SharedRateLimits().temporary(limit, now),
        new RetryPolicy(Duration.ofSeconds(1), Duration.ofSeconds(40)),
        () -> now);
  }

  private Rows open(LimitedClient limited) throws ApiException {
    return limited.open("products", PRODUCTS, Shape.ARRAY, sent::incrementAndGet);
  }

  @Test
  void chargesEachRedirectToTheLimit() throws Exception {
    try (RawServer server =
            new RawServer(
                (String head) ->
                    head.startsWith("GET /products ")
                        ? respond("302 Found", "Location: /here\r\n", "")
                        : json("[]"));
        ApiClient client = Clients.to(server.url())) {
      LimitedClient limited = limited(client, server);
      assertThat(limited.tryAcquire()).isZero();
      open(limited).close();

      assertThat(sent).hasValue(2);
      assertThat(limited.tryAcquire()).isEqualTo(4 * SECOND);
    }
  }
}
