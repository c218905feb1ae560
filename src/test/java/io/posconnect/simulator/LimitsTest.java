package io.posconnect.simulator;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class LimitsTest {

  private final AtomicLong nanos = new AtomicLong();
  private final Simulator service =
      Simulator.builder().ticker(nanos::get).retryAfter(Duration.ofSeconds(5)).start();
  private final SimulatedLocation location = service.location();
  private final Client client = Client.of(service);

  @AfterEach
  void end() {
    service.close();
  }

  private int admitted(Client who, String path, int atMost) throws Exception {
    int admitted = 0;
    while (admitted < atMost && who.status(path) == 200) {
      admitted++;
    }
    return admitted;
  }

  @Test
  void everyEndpointHasItsPublishedLimit() throws Exception {
    Map<String, Integer> published =
        Map.of(
            Endpoint.PRODUCTS, 120,
            Endpoint.CUSTOMERS, 120,
            Endpoint.CUSTOMERS_PAGINATED, 120,
            Endpoint.REGISTER_TRANSACTIONS, 60,
            Endpoint.INVENTORY, 60,
            Endpoint.WHOAMI, 200,
            Endpoint.LOYALTY, 120);
    for (Map.Entry<String, Integer> each : published.entrySet()) {
      assertThat(admitted(client, each.getKey(), 300)).as(each.getKey()).isEqualTo(each.getValue());
    }
  }

  @Test
  void theMinuteSlides() throws Exception {
    service.limit(Endpoint.PRODUCTS, 2);
    assertThat(client.status(Endpoint.PRODUCTS)).isEqualTo(200);
    nanos.addAndGet(Duration.ofSeconds(30).toNanos());
    assertThat(client.status(Endpoint.PRODUCTS)).isEqualTo(200);
    nanos.addAndGet(Duration.ofSeconds(30).toNanos() - 1);
    assertThat(client.status(Endpoint.PRODUCTS)).isEqualTo(429);
    nanos.addAndGet(1);
    assertThat(client.status(Endpoint.PRODUCTS)).isEqualTo(200);
    assertThat(client.status(Endpoint.PRODUCTS)).isEqualTo(429);
  }

  @Test
  void limitsAreCountedPerKey() throws Exception {
    service.limit(Endpoint.PRODUCTS, 1);
    service.location("other");
    assertThat(admitted(client, Endpoint.PRODUCTS, 5)).isEqualTo(1);
    assertThat(admitted(new Client(service, "other"), Endpoint.PRODUCTS, 5)).isEqualTo(1);
  }

  @Test
  void exceedingALimitIs429WithMessageAndTraceId() throws Exception {
    service.limit(Endpoint.PRODUCTS, 1);
    client.get(Endpoint.PRODUCTS);
    HttpResponse<String> response = client.get(Endpoint.PRODUCTS);
    assertThat(response.statusCode()).isEqualTo(429);
    assertThat(response.headers().firstValue("Content-Type")).contains("application/json");
    assertThat(response.headers().firstValue("Retry-After")).contains("5");
    var body = new ObjectMapper().readTree(response.body());
    assertThat(body.get("Message").asText()).contains("1 requests per minute");
    assertThat(body.get("TraceId").asText()).isNotEmpty();
  }

  @Test
  void theLogFindsTheFullestMinute() throws Exception {
    for (int seconds : new int[] {0, 20, 39, 1, 30}) {
      nanos.addAndGet(Duration.ofSeconds(seconds).toNanos());
      client.get(Endpoint.PRODUCTS);
    }
    assertThat(service.maxInAnySlidingMinute(Endpoint.PRODUCTS, location)).isEqualTo(3);
    assertThat(service.maxInAnySlidingMinute(Endpoint.WHOAMI, location)).isZero();
  }
}
