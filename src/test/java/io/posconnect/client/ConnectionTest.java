package io.posconnect.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.posconnect.client.Connection.ProxyServer;
import io.posconnect.client.Connection.Timeouts;
import io.posconnect.problem.Problem;
import io.posconnect.resource.Privacy;
import java.net.InetSocketAddress;
import java.net.ProxySelector;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ConnectionTest {

  @ParameterizedTest
  @ValueSource(
      strings = {
        "https://pos.example",
        "https://pos.example:8443/v1/",
        "http://localhost:8080",
        "http://127.0.0.1",
        "http://127.8.9.10:80",
        "http://[::1]:8080",
        "http://[0:0:0:0:0:0:0:1]"
      })
  void acceptsHttpsAndLoopback(String url) {
    assertThatCode(() -> Clients.connection("x", URI.create(url))).doesNotThrowAnyException();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "http://pos.example",
        "http://127.0.0.1.example.com",
        "http://localhost.example.com",
        "http://pos.localhost",
        "http://10.0.0.1",
        "http://[::2]"
      })
  void acceptsPlainHttpToOtherHostsOnlyIfAllowed(String url) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Clients.connection("x", URI.create(url)))
        .withMessage(Problem.UNENCRYPTED.at("base.url"));
    assertThatCode(() -> Clients.to(URI.create(url), Timeouts.DEFAULT).close())
        .doesNotThrowAnyException();
  }

  @Test
  void refusesPlainHttpByAProxyEvenToLoopback() {
    URI loopback = URI.create("http://127.0.0.1:8080");
    ProxyServer proxy = new ProxyServer("proxy.example", 3128);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> through(proxy, loopback))
        .withMessage(Problem.UNENCRYPTED.at("base.url"));
    assertThatCode(() -> through(proxy, URI.create("https://127.0.0.1:8080")))
        .doesNotThrowAnyException();
  }

  @Test
  void refusesPlainHttpByTheProxyOfTheJvm() {
    ProxySelector before = ProxySelector.getDefault();
    ProxySelector.setDefault(
        ProxySelector.of(InetSocketAddress.createUnresolved("proxy.example", 3128)));
    try {
      URI loopback = URI.create("http://127.0.0.1:8080");
      assertThatIllegalArgumentException()
          .isThrownBy(() -> Clients.connection("x", loopback))
          .withMessage(Problem.UNENCRYPTED.at("base.url"));
    } finally {
      ProxySelector.setDefault(before);
    }
  }

  private static void through(ProxyServer proxy, URI url) {
    Connection plain = Clients.connection("x", URI.create("https://pos.example"));
    assertThat(
            new Connection(
                plain.location(),
                url,
                false,
                plain.userAgent(),
                plain.timeouts(),
                proxy,
                plain.ssl(),
                plain.limits(),
                Map.of()))
        .isNotNull();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "/products",
        "ftp://x",
        "https:///x",
        "mailto:x@y",
        "https://secret@pos.example",
        "https://u:secret@pos.example",
        "https://pos.example?key=secret",
        "https://pos.example#secret"
      })
  void neverQuotesARefusedBaseUrl(String url) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Clients.connection("x", URI.create(url)))
        .withMessageStartingWith("POS-101 base.url: must ")
        .withMessageNotContaining("secret");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "  ", "a:b", " a", "a\n", "a\tb"})
  void refusesKeysThatCannotBeSent(String key) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new Credentials(key, ""))
        .withMessageStartingWith("the API key");
  }

  @Test
  void showsNoSecret() {
    assertThat(new Credentials("secret", "secret").toString()).doesNotContain("secret");
    Map<String, String> ssl =
        Map.of("ssl.truststore.password", "secret", "ssl.keystore.key", "secret");
    Connection plain = Clients.connection("x", URI.create("https://pos.example"));
    Connection connection =
        new Connection(
            plain.location(),
            plain.baseUrl(),
            plain.allowHttp(),
            plain.userAgent(),
            plain.timeouts(),
            plain.proxy(),
            Clients.ssl(ssl),
            plain.limits(),
            Map.of(
                "customers",
                new Privacy(List.of("email"), List.of("phone"), "a salt of some length, secret")));
    assertThat(connection.toString())
        .contains("ssl.truststore.password", "phone")
        .doesNotContain("secret");
  }

  @Test
  void refusesTimeoutsOutOfRange() {
    Duration second = Duration.ofSeconds(1);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new Timeouts(second, second, Duration.ZERO));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new Timeouts(Duration.ofDays(100), second, second));
  }
}
