package io.posconnect.simulator;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class RequestLogTest {

  @Test
  void holdsWhatWasAskedAndAnswered() throws Exception {
    try (Simulator service = Simulator.start()) {
      service.store().products().generate(5);
      String body = Client.of(service).get(Endpoint.PRODUCTS + "?a=b%20c").body();
      assertThat(service.requests())
          .singleElement()
          .satisfies(
              request -> {
                assertThat(request.method()).isEqualTo("GET");
                assertThat(request.path()).isEqualTo("/products");
                assertThat(request.query()).isEqualTo("a=b%20c");
                assertThat(request.store()).isEqualTo("store-1");
                assertThat(request.accept()).isEqualTo("application/json");
                assertThat(request.userAgent()).startsWith("Java-http-client");
                assertThat(request.status()).isEqualTo(200);
                assertThat(request.rows()).isEqualTo(5);
                assertThat(request.bytes()).isEqualTo(body.getBytes(StandardCharsets.UTF_8).length);
                assertThat(request.whole()).isTrue();
              });
    }
  }

  @Test
  void neverHoldsAKey() throws Exception {
    try (Simulator service = Simulator.start()) {
      service.store("very-secret");
      new Client(service, "very-secret").get(Endpoint.WHOAMI);
      new Client(service, "wrong-secret").get(Endpoint.WHOAMI);
      assertThat(service.requests())
          .extracting(LoggedRequest::store)
          .containsExactly("store-1", "");
      assertThat(service.requests().toString() + service.store("very-secret") + service)
          .doesNotContain("secret");
    }
  }
}
