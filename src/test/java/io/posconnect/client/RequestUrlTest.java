package io.posconnect.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.posconnect.resource.Request;
import io.posconnect.resource.Request.Parameter;
import java.net.URI;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import okhttp3.HttpUrl;

class RequestUrlTest {

  private final RequestUrl urls = new RequestUrl(URI.create("https://pos.example/v1"));

  @Property
  void noValueBecomesMoreThanAValue(
      @ForAll("hostile") String name,
      @ForAll("hostile") String value,
      @ForAll("hostile") String second) {
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

  @Provide
  Arbitrary<String> hostile() {
    return Arbitraries.oneOf(
            Arbitraries.of("&", "=", "#", "%", "%26", "+", " ", "\r\n", "?", "/", "\0", "é", "𝄞"),
            Arbitraries.strings().ofMaxLength(3))
        .list()
        .ofMaxSize(6)
        .map(pieces -> String.join("", pieces))
        .filter(text -> StandardCharsets.UTF_8.newEncoder().canEncode(text));
  }
}
