package io.posconnect.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.posconnect.client.ApiException.Refused;
import io.posconnect.client.ApiException.Unavailable;
import io.posconnect.client.Connection.ProxyServer;
import io.posconnect.hostile.Answer;
import io.posconnect.hostile.HostileService;
import java.net.URI;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
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
    try (HostileService proxy = HostileService.always(Answer.json("[{}]"));
        ApiClient client = client("http://pos.example/v1", proxy)) {
      assertThat(Clients.read(client)).hasSize(1);
      assertThat(proxy.call().head()).startsWith("GET http://pos.example/v1/products HTTP/1.1\r\n");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"502 No", "-12 No", "502 No\r\nContent-Length: -5"})
  void tunnelsSecureRequestsAndKeepsTheKeyFromTheProxy(String status) throws Exception {
    Answer refusal = wire -> wire.send("HTTP/1.1 " + status + "\r\n\r\n");
    try (HostileService proxy = HostileService.always(refusal);
        ApiClient client = client("https://pos.example/v1", proxy)) {
      assertThatThrownBy(() -> Clients.read(client))
          .isInstanceOf(Unavailable.class)
          .hasMessageStartingWith("POS-302 ");
      assertThat(proxy.calls()).hasSize(1);
      assertThat(proxy.call().head()).startsWith("CONNECT pos.example:443 HTTP/1.1\r\n");
      assertThat(proxy.call().headers()).doesNotContainKey("Authorization");
    }
  }

  @ParameterizedTest
  @CsvSource({
    "http, 407 Who, '', 407: the proxy wants a user",
    "http, 407 Who, '{\"TraceId\":\"abc\"}', 407 (TraceId abc): the proxy wants a user",
    "https, 407 Who, '', 407: the proxy wants a user",
    "https, 403 No, '', 403: the proxy blocks the request"
  })
  void sendsOneRequestToAProxyThatRefuses(String scheme, String status, String body, String detail)
      throws Exception {
    Answer refusal = Answer.respond(status, "Proxy-Authenticate: Basic realm=\"x\"\r\n", body);
    try (HostileService proxy = HostileService.always(refusal);
        ApiClient client = client(scheme + "://pos.example", proxy)) {
      assertThatThrownBy(() -> Clients.read(client))
          .isInstanceOf(Refused.class)
          .hasMessageStartingWith("POS-305 ")
          .hasMessageContaining(" " + detail);
      assertThat(proxy.calls()).hasSize(1);
    }
  }

  private static HttpApiClient client(String url, HostileService proxy) {
    return Clients.to(URI.create(url), new ProxyServer("127.0.0.1", proxy.baseUrl().getPort()));
  }
}
