package io.posconnect.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.posconnect.RandomCases;
import io.posconnect.resource.Request;
import io.posconnect.resource.Request.Parameter;
import java.net.URI;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.random.RandomGenerator;
import okhttp3.HttpUrl;
import org.junit.jupiter.api.Test;

class RequestUrlTest {

  private static final String[] PIECES = {
    "&", "=", "#", "%", "%26", "+", " ", "\r\n", "?", "/", "\0", "é", "𝄞"
  };

  private final RequestUrl urls = new RequestUrl(URI.create("https://pos.example/v1"));

  @Test
  void neverLetsAValueBecomeMoreThanAValue() {
    RandomCases.check(1_000, random -> check(hostile(random), hostile(random), hostile(random)));
  }

  private void check(String name, String value, String second) {
    Request request =
        new Request("/products", List.of(new Parameter(name, value), new Parameter("z", second)));
    HttpUrl url = urls.of(request);
    String sent = url.toString();

    assertThat(sent).startsWith("https://pos.example/v1/products?").matches("[!-~]+");
    assertThat(sent).doesNotContain("#");
    String[] pairs = sent.substring(sent.indexOf('?') + 1).split("&", -1);
    assertThat(pairs).hasSize(2);
    assertThat(decoded(pairs[0])).isEqualTo(name + "=" + value);
    assertThat(decoded(pairs[1])).isEqualTo("z=" + second);
  }

  private static String decoded(String pair) {
    assertThat(pair.chars().filter(c -> c == '=')).hasSize(1);
    return URLDecoder.decode(pair, StandardCharsets.UTF_8);
  }

  /** Pieces that mean something in a URL, and any other characters but halves of one. */
  private static String hostile(RandomGenerator random) {
    StringBuilder text = new StringBuilder();
    for (int i = random.nextInt(7); i > 0; i--) {
      if (random.nextBoolean()) {
        text.append(PIECES[random.nextInt(PIECES.length)]);
      } else {
        random
            .ints(random.nextInt(4), 0, Character.MAX_CODE_POINT + 1)
            .filter(c -> c < Character.MIN_SURROGATE || c > Character.MAX_SURROGATE)
            .map(c -> random.nextBoolean() ? c : c % 128)
            .forEach(text::appendCodePoint);
      }
    }
    return text.toString();
  }
}
