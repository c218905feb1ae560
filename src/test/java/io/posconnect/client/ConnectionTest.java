package io.posconnect.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.posconnect.resource.Privacy;
import java.net.URI;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ConnectionTest {

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
            plain.userAgent(),
            plain.timeouts(),
            plain.proxy(),
            Clients.ssl(ssl),
            plain.limits(),
            Map.of(
                "customers",
                new Privacy(
                    List.of(),
                    List.of("email"),
                    List.of("phone"),
                    "a salt of some length, secret")));
    assertThat(connection.toString())
        .contains("ssl.truststore.password", "phone")
        .doesNotContain("secret");
  }
}
