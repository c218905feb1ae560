package io.posconnect.client;

import static io.posconnect.client.RawServer.json;
import static io.posconnect.client.RawServer.respond;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.posconnect.client.ApiException.Refused;
import io.posconnect.client.ApiException.Unavailable;
import io.posconnect.json.BodyLimits;
import java.net.URI;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(30)
class ProxyTest {

  @Test
  void readsAUrl() {
    assertThat(ProxyServer.parse("http://proxy.example:3128"))
        .isEqualTo(new ProxyServer("proxy.example", 3128))
        .hasToString("proxy.example:3128");
    assertThat(ProxyServer.parse("http://proxy.example"))
        .isEqualTo(new ProxyServer("proxy.example", 80));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "proxy:3128",
        "socks://x:1",
        "http://u:secret@",
        "http:// u:secret@x",
        "http://u:secret@x"
      })
  void neverRepeatsAUrlThatItRefuses(String url) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> ProxyServer.parse(url))
        .withMessageNotContaining("secret")
        .withMessageStartingWith("the proxy's URL");
  }

  @Test
  void sendsPlainRequestsThrough() throws Exception {
    try (RawServer proxy = new RawServer(json("[{}]"));
        ApiClient client = client("http://pos.example/v1", proxy)) {
      assertThat(Clients.read(client)).hasSize(1);
      assertThat(proxy.head()).startsWith("GET http://pos.example/v1/products HTTP/1.1");
    }
  }

  @Test
  void tunnelsSecureRequestsAndKeepsTheKeyFromTheProxy() throws Exception {
    try (RawServer proxy = new RawServer(respond("502 No", "", ""));
        ApiClient client = client("https://pos.example/v1", proxy)) {
      assertThatThrownBy(() -> Clients.read(client)).isInstanceOf(Unavailable.class);
      assertThat(proxy.heads()).hasSize(1);
      assertThat(proxy.head())
          .startsWith("CONNECT pos.example:443 HTTP/1.1")
          .doesNotContain("\r\nAuthorization");
    }
  }

  @Test
  void aProxyThatWantsAUserIsAskedOnce() throws Exception {
    String challenge = "Proxy-Authenticate: Basic realm=\"x\"\r\n";
    for (String url : new String[] {"http://pos.example", "https://pos.example"}) {
      try (RawServer proxy = new RawServer(respond("407 Auth", challenge, ""));
          ApiClient client = client(url, proxy)) {
        assertThatThrownBy(() -> Clients.read(client))
            .isInstanceOf(Refused.class)
            .hasMessageContaining("407: the proxy wants a user");
        assertThat(proxy.heads()).hasSize(1);
      }
    }
  }

  private static HttpApiClient client(String url, RawServer proxy) {
    ProxyServer through = new ProxyServer("127.0.0.1", proxy.port());
    return Clients.to(
        URI.create(url),
        Timeouts.DEFAULT,
        BodyLimits.DEFAULT,
        through,
        StoreFile.NONE,
        StoreFile.NONE);
  }
}
