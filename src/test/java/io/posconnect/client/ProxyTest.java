package io.posconnect.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.posconnect.client.ApiException.Refused;
import io.posconnect.client.ApiException.Unavailable;
import io.posconnect.client.Connection.ProxyServer;
import java.net.URI;
import mockwebserver3.MockResponse;
import mockwebserver3.MockWebServer;
import mockwebserver3.RecordedRequest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ProxyTest {

  @Test
  void parsesAUrl() {
    assertThat(ProxyServer.of("http://proxy.example:3128"))
        .isEqualTo(new ProxyServer("proxy.example", 3128))
        .hasToString("proxy.example:3128");
    assertThat(ProxyServer.of("http://proxy.example"))
        .isEqualTo(new ProxyServer("proxy.example", 80));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", "proxy:3128", "socks://x:1", "http://u:secret@x", "https://u:secret@x:1"})
  void neverQuotesARefusedUrl(String url) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> ProxyServer.of(url))
        .withMessageNotContaining("secret")
        .withMessageStartingWith("must be the http address of a proxy");
  }

  @Test
  void sendsPlainRequestsByTheProxy() throws Exception {
    MockResponse rows = new MockResponse.Builder().body("[{}]").build();
    try (MockWebServer proxy = proxy(rows);
        ApiClient client = client("http://pos.example/v1", proxy)) {
      assertThat(Clients.read(client)).hasSize(1);
      assertThat(proxy.takeRequest().getRequestLine())
          .isEqualTo("GET http://pos.example/v1/products HTTP/1.1");
    }
  }

  @Test
  void tunnelsSecureRequestsAndKeepsTheKeyFromTheProxy() throws Exception {
    MockResponse refusal = new MockResponse.Builder().inTunnel().code(502).build();
    try (MockWebServer proxy = proxy(refusal);
        ApiClient client = client("https://pos.example/v1", proxy)) {
      assertThatThrownBy(() -> Clients.read(client)).isInstanceOf(Unavailable.class);
      assertThat(proxy.getRequestCount()).isEqualTo(1);
      RecordedRequest request = proxy.takeRequest();
      assertThat(request.getRequestLine()).isEqualTo("CONNECT pos.example:443 HTTP/1.1");
      assertThat(request.getHeaders().names()).doesNotContain("Authorization");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"http://pos.example", "https://pos.example"})
  void sendsOneRequestToAProxyThatDemandsAUser(String url) throws Exception {
    MockResponse challenge =
        new MockResponse.Builder()
            .inTunnel()
            .code(407)
            .setHeader("Proxy-Authenticate", "Basic realm=\"x\"")
            .build();
    try (MockWebServer proxy = proxy(challenge);
        ApiClient client = client(url, proxy)) {
      assertThatThrownBy(() -> Clients.read(client))
          .isInstanceOf(Refused.class)
          .hasMessageContaining("407: the proxy wants a user");
      assertThat(proxy.getRequestCount()).isEqualTo(1);
    }
  }

  private static MockWebServer proxy(MockResponse answer) throws Exception {
    MockWebServer proxy = new MockWebServer();
    proxy.enqueue(answer);
    proxy.start();
    return proxy;
  }

  private static HttpApiClient client(String url, MockWebServer proxy) {
    return Clients.to(URI.create(url), new ProxyServer("127.0.0.1", proxy.getPort()));
  }
}
