package io.posconnect.simulator;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** Limits count the requests of each key to each endpoint in any sliding minute. */
class LimitsTest {

  private final AtomicLong nanos = new AtomicLong();

  private void pass(Duration time) {
    nanos.addAndGet(time.toNanos());
  }

  private static int admitted(Client client, String path) throws Exception {
    int admitted = 0;
    while (admitted < 300 && client.status(path) == 200) {
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
    try (Simulator service = Simulator.builder().ticker(nanos::get).start()) {
      service.location();
      Client client = Client.of(service);
      for (Map.Entry<String, Integer> each : published.entrySet()) {
        assertThat(admitted(client, each.getKey())).as(each.getKey()).isEqualTo(each.getValue());
      }
    }
  }

  @Test
  void limitsSlideWithTheMinuteForEachKey() throws Exception {
    try (Simulator service =
        Simulator.builder().ticker(nanos::get).limit(Endpoint.PRODUCTS, 2).start()) {
      SimulatedLocation location = service.location();
      service.location("other");
      Client client = Client.of(service);
      assertThat(client.status(Endpoint.PRODUCTS)).isEqualTo(200);
      pass(Duration.ofSeconds(30));
      assertThat(client.status(Endpoint.PRODUCTS)).isEqualTo(200);
      pass(Duration.ofSeconds(30).minusNanos(1));
      HttpResponse<String> refused = client.get(Endpoint.PRODUCTS);
      assertThat(refused.statusCode()).isEqualTo(429);
      assertThat(refused.headers().firstValue("Content-Type")).contains("application/json");
      var body = new ObjectMapper().readTree(refused.body());
      assertThat(body.get("Message").asText()).contains("2 requests per minute");
      assertThat(body.get("TraceId").asText()).isNotEmpty();
      assertThat(admitted(new Client(service, "other"), Endpoint.PRODUCTS)).isEqualTo(2);
      pass(Duration.ofNanos(1));
      assertThat(client.status(Endpoint.PRODUCTS)).isEqualTo(200);
      assertThat(client.status(Endpoint.PRODUCTS)).isEqualTo(429);
      assertThat(service.maxInAnySlidingMinute(Endpoint.PRODUCTS, location)).isEqualTo(4);
      assertThat(service.maxInAnySlidingMinute(Endpoint.WHOAMI, location)).isZero();
    }
  }
}
