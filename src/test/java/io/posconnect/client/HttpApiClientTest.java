package io.posconnect.client;

import static io.posconnect.client.Clients.KEY;
import static io.posconnect.client.Clients.PRODUCTS;
import static io.posconnect.client.Clients.answered;
import static io.posconnect.client.Clients.read;
import static io.posconnect.client.Clients.timeouts;
import static io.posconnect.hostile.Answer.json;
import static io.posconnect.hostile.Answer.respond;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.awaitility.Awaitility.await;

import io.posconnect.client.ApiException.Malformed;
import io.posconnect.client.ApiException.Refused;
import io.posconnect.client.ApiException.Unavailable;
import io.posconnect.client.Connection.Timeouts;
import io.posconnect.hostile.Answer;
import io.posconnect.hostile.Call;
import io.posconnect.hostile.HostileService;
import io.posconnect.hostile.Wire;
import io.posconnect.json.BodyLimits;
import io.posconnect.problem.Problem;
import io.posconnect.resource.Request;
import io.posconnect.resource.Request.Parameter;
import io.posconnect.resource.Shape;
import io.posconnect.simulator.Fault;
import io.posconnect.simulator.Simulator;
import java.io.ByteArrayOutputStream;
import java.net.InetSocketAddress;
import java.net.ProxySelector;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class HttpApiClientTest {

  @Test
  void sendsKeyAsUserNameAndRequestsFreshJson() throws Exception {
    try (HostileService server = HostileService.always(json("[]"));
        ApiClient client = Clients.to(server.baseUrl())) {
      assertThat(read(client)).isEmpty();
      assertThat(server.call().head())
          .startsWith("GET /products HTTP/1.1\r\n")
          .contains("\r\nAuthorization: Basic czNjcjN0LUtleTo=\r\n")
          .contains("\r\nAccept: application/json\r\n")
          .contains("\r\nCache-Control: no-cache\r\n")
          .contains("\r\nUser-Agent: kafka-connect-pos/")
          .contains("\r\nAccept-Encoding: gzip\r\n");
    }
  }

  @Test
  void takesNewCredentialsForEachRequest() throws Exception {
    Iterator<Credentials> keys =
        List.of(new Credentials("old", ""), new Credentials("new", "pw")).iterator();
    try (HostileService server = HostileService.always(json("[]"));
        ApiClient client = Clients.to(server.baseUrl(), keys::next)) {
      read(client);
      assertThat(server.call().head()).contains("Basic b2xkOg==");
      read(client);
      assertThat(server.call().head()).contains("Basic bmV3OnB3");
    }
  }

  @Test
  void readsTheDateHeader() throws Exception {
    String date = "Date: Sat, 21 Nov 2026 10:11:12 GMT\r\n";
    try (HostileService server = HostileService.always(respond("200 OK", date, "[]"));
        ApiClient client = Clients.to(server.baseUrl());
        Rows rows = Clients.open(client)) {
      assertThat(rows.date()).contains(Instant.parse("2026-11-21T10:11:12Z"));
    }
  }

  @Test
  void readsChunkedBodies() throws Exception {
    Answer answer =
        wire ->
            wire.json("Transfer-Encoding: chunked\r\n")
                .send("5\r\n[{\"a\"\r\n7\r\n:1},{}]\r\n0\r\n\r\n");
    assertThat(answered(answer)).containsExactly("{\"a\":1}", "{}");
  }

  @Test
  void readsBodiesThatEndWithTheConnection() throws Exception {
    Answer answer = wire -> wire.json("").send("[{\"a\":1}]").close();
    assertThat(answered(answer)).containsExactly("{\"a\":1}");
  }

  /** The second is the old name of the first. */
  @ParameterizedTest
  @ValueSource(strings = {"gzip", "x-gzip", "X-GZip"})
  void readsGzipAndCountsUnpackedBytes(String encoding) throws Exception {
    byte[] packed = gzip("[{\"a\":1}]");
    String header = "Content-Encoding: " + encoding + "\r\n";
    try (HostileService server = HostileService.always(respond("200 OK", header, packed));
        ApiClient client = Clients.to(server.baseUrl());
        Rows rows = Clients.open(client)) {
      assertThat(Clients.drain(rows)).containsExactly("{\"a\":1}");
      assertThat(rows.notes().bytes()).isEqualTo(9);
    }
  }

  @Test
  void refusesAnAnnouncedLengthBeyondTheLimit() throws Exception {
    BodyLimits limits = new BodyLimits(1_000, 1_000, 10, 10, 10);
    Answer answer = wire -> wire.json("Content-Length: 1001\r\n");
    try (HostileService server = HostileService.always(answer);
        ApiClient client = Clients.to(server.baseUrl(), Timeouts.DEFAULT, limits)) {
      assertThatThrownBy(() -> read(client))
          .isInstanceOfSatisfying(
              Malformed.class, e -> assertThat(e.is(Problem.BODY_TOO_LARGE)).isTrue());
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "application/json; charset=utf-8",
        "text/json",
        "application/vnd.pos+json",
        "APPLICATION/JSON;charset=\"UTF-8\"",
        ""
      })
  void acceptsTheContentTypesOfJson(String type) throws Exception {
    String header = type.isEmpty() ? "" : "Content-Type: " + type + "\r\n";
    assertThat(answered(respond("200 OK", header, "[]"))).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({
    "text/html; charset=utf-8, is text/html instead of JSON",
    "application/json; charset=iso-8859-1, is in iso-8859-1 instead of UTF-8",
    "s3cr3t-key/plain, is ***/plain instead of JSON",
  })
  void refusesOtherContentTypesByName(String type, String reason) {
    Answer answer = respond("200 OK", "Content-Type: " + type + "\r\n", "[]");
    assertThatThrownBy(() -> answered(answer))
        .isInstanceOf(Malformed.class)
        .hasMessageStartingWith("POS-403 downtown/products: GET /products 200: the body " + reason);
  }

  @ParameterizedTest
  @ValueSource(strings = {"identity", "Identity", ""})
  void acceptsABodyThatIsSaidNotToBeEncoded(String encoding) throws Exception {
    Answer answer = respond("200 OK", "Content-Encoding: " + encoding + "\r\n", "[]");
    assertThat(answered(answer)).isEmpty();
  }

  @Test
  void refusesEncodingsThatItDidNotRequest() {
    assertThatThrownBy(() -> answered(respond("200 OK", "Content-Encoding: br\r\n", "[]")))
        .isInstanceOf(Malformed.class)
        .hasMessageContaining("content encoding br");
  }

  /** Shorter than announced; without the last chunk, though the JSON is whole; in a row. */
  static List<Answer> truncated() {
    return List.of(
        wire -> wire.json("Content-Length: 100\r\n").send("[{\"a\":1},").close(),
        wire -> wire.json("Transfer-Encoding: chunked\r\n").send("9\r\n[{\"a\":1}]\r\n").close(),
        wire -> wire.json("").send("[{\"a\":1},{\"a\"").close());
  }

  @ParameterizedTest
  @MethodSource("truncated")
  void reportsATruncatedBodyAsMalformed(Answer answer) {
    assertThatThrownBy(() -> answered(answer))
        .isInstanceOf(Malformed.class)
        .hasMessageContaining("truncated");
  }

  /** It is legal and whole, so the line must not send a person to look for a cut. */
  @Test
  void reportsWhatFollowsCompressedBodyAsMalformed() throws Exception {
    ByteArrayOutputStream body = new ByteArrayOutputStream();
    body.writeBytes(gzip("[{\"a\":1}"));
    body.writeBytes(gzip("]"));
    Answer answer = respond("200 OK", "Content-Encoding: gzip\r\n", body.toByteArray());
    assertThatThrownBy(() -> answered(answer))
        .isInstanceOf(Malformed.class)
        .hasMessageContaining("only one member can be read");
  }

  @Test
  void neverQuotesAGarbledChunk() {
    Answer answer = wire -> wire.json("Transfer-Encoding: chunked\r\n").send(KEY + "\r\n");
    Malformed failure = catchThrowableOfType(Malformed.class, () -> answered(answer));
    assertThat(failure).hasMessageContaining("garbled").hasNoCause();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "HTTQ " + KEY,
        "HTTP/1.1 200 OK\r\nContent-Length: -5",
        "HTTP/1.1 302 " + KEY + "\r\nLocation: /\r\nContent-Length: -5",
        "HTTP/1.1 503 Busy\r\nContent-Encoding: gzip\r\nContent-Length: -5"
      })
  void neverQuotesAResponseThatIsNotHttp(String head) {
    Answer answer = wire -> wire.send(head + "\r\n\r\n");
    Unavailable failure = catchThrowableOfType(Unavailable.class, () -> answered(answer));
    assertThat(failure).hasNoCause().hasMessageStartingWith("POS-302 ");
    assertThat(failure.getMessage()).doesNotContain(KEY);
  }

  @Test
  void reportsAResetInTheBodyAsUnavailable() throws Exception {
    try (Simulator service = Simulator.start();
        ApiClient client = Clients.to(service.baseUrl())) {
      service.location(KEY).products().generate(50);
      service.faults().everywhere().then(Fault.resetBody());

      assertThatThrownBy(() -> read(client))
          .isInstanceOfSatisfying(
              Unavailable.class, e -> assertThat(e.is(Problem.TOO_SLOW)).isFalse())
          .hasMessageContaining("broke off");
    }
  }

  /** A connection that is closed before the response, and an invitation to repeat at once. */
  static List<Answer> invitations() {
    return List.of(Wire::close, respond("503 Busy", "Retry-After: 0\r\n", ""));
  }

  @ParameterizedTest
  @MethodSource("invitations")
  void sendsNoRequestTwice(Answer answer) throws Exception {
    try (HostileService server = HostileService.always(answer);
        ApiClient client = Clients.to(server.baseUrl())) {
      assertThatThrownBy(() -> read(client)).isInstanceOf(Unavailable.class);
      assertThat(server.calls()).hasSize(1);
    }
  }

  @Test
  void cutsASilentBody() {
    Answer answer = wire -> wire.json("Content-Length: 100\r\n").send("[").hang();
    Unavailable failure =
        catchThrowableOfType(Unavailable.class, () -> answered(answer, timeouts(20_000, 200)));
    assertThat(failure).hasMessageContaining("stalled");
    assertThat(failure.is(Problem.TOO_SLOW)).isTrue();
  }

  @Test
  void cutsAnObjectThatIsNotWholeInTheTimeOfAKilobyte() {
    Answer answer =
        wire -> {
          wire.chunked().send("1\r\n{\r\n");
          for (int block = 0; block < 100; block++) {
            wire.pause(20).send("400\r\n" + " ".repeat(0x400) + "\r\n");
          }
          wire.send("1\r\n}\r\n0\r\n\r\n");
        };
    try (HostileService server = HostileService.always(answer);
        ApiClient client = Clients.to(server.baseUrl(), timeouts(20_000, 200))) {
      assertThatThrownBy(() -> Clients.open(client, "products", PRODUCTS, Shape.OBJECT).next())
          .isInstanceOfSatisfying(
              Unavailable.class, e -> assertThat(e.is(Problem.TOO_SLOW)).isTrue());
    }
  }

  @Test
  void cutsHeadersThatDoNotArrive() {
    Unavailable failure =
        catchThrowableOfType(Unavailable.class, () -> answered(Wire::hang, timeouts(200, 20_000)));
    assertThat(failure).hasMessageContaining("no response within PT0.2S");
    assertThat(failure.is(Problem.TOO_SLOW)).isTrue();
  }

  @Test
  void waitsForHeadersLongerThanForAStall() throws Exception {
    Answer answer = wire -> json("[]").send(wire.pause(1_500));
    assertThat(answered(answer, timeouts(20_000, 1_000))).isEmpty();
  }

  @Test
  void reusesTheConnectionAfterAWholeBody() throws Exception {
    try (HostileService server = HostileService.always(json("[{}]"));
        ApiClient client = Clients.to(server.baseUrl())) {
      read(client);
      read(client);
      assertThat(server.calls()).hasSize(2);
      assertThat(server.calls()).map(Call::connection).containsOnly(1);
    }
  }

  @Test
  void leavesIdleConnectionBeforeServiceClosesIt() throws Exception {
    AtomicInteger closed = new AtomicInteger();
    Answer answer =
        wire -> {
          json("[]").send(wire);
          wire.pause(2_000).close();
          closed.incrementAndGet();
        };
    try (HostileService server = HostileService.always(answer);
        ApiClient client = Clients.to(server.baseUrl())) {
      read(client);
      await().until(() -> closed.get() == 1);
      assertThat(read(client)).isEmpty();
    }
  }

  @Test
  void closesRowsAtAnyTime() throws Exception {
    Answer answer = wire -> wire.json("Content-Length: 100\r\n").send("[{},").hang();
    try (HostileService server = HostileService.always(answer);
        ApiClient client = Clients.to(server.baseUrl())) {
      Rows rows = Clients.open(client);
      rows.next();
      rows.close();
      rows.close();
    }
  }

  /** A body that does not end, and no response. */
  static List<Answer> endless() {
    return List.of(wire -> wire.json("Content-Length: 100\r\n").send("[{},").hang(), Wire::hang);
  }

  @ParameterizedTest
  @MethodSource("endless")
  void closeCancelsAWaitingThread(Answer answer) throws Exception {
    try (HostileService server = HostileService.always(answer)) {
      HttpApiClient client = Clients.to(server.baseUrl());
      CompletableFuture<ClientClosedException> reader =
          CompletableFuture.supplyAsync(
              () -> catchThrowableOfType(ClientClosedException.class, () -> read(client)));
      await().until(() -> !server.calls().isEmpty());
      client.close();

      assertThat(reader.get(5, TimeUnit.SECONDS))
          .isInstanceOf(ClientClosedException.class)
          .hasMessageEndingWith("cancelled, the client is closed");
      assertThatThrownBy(() -> read(client)).isInstanceOf(ClientClosedException.class);
      assertThat(server.calls()).hasSize(1);
    }
  }

  @ParameterizedTest
  @CsvSource({
    "'', /products",
    "/, /products",
    "/pos/v1, /pos/v1/products",
    "/pos/v1/, /pos/v1/products",
  })
  void appendsPathsToTheBaseUrl(String base, String path) throws Exception {
    try (HostileService server = HostileService.always(json("[]"));
        ApiClient client = Clients.to(URI.create(server.baseUrl() + base))) {
      read(client);
      assertThat(server.call().head()).startsWith("GET " + path + " HTTP/1.1");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"products", "/a/../b", "/a?b=c", "/a\nb"})
  void refusesPathsThatAreMoreThanAPath(String path) throws Exception {
    try (ApiClient client = Clients.to(URI.create("https://localhost"))) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> Clients.open(client, "products", new Request(path), Shape.ARRAY));
    }
  }

  @Test
  void sendsNothingWithoutPrivacyRules() throws Exception {
    try (HostileService server = HostileService.always(json("[]"));
        ApiClient client = Clients.to(server.baseUrl().resolve("/"))) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> Clients.open(client, "Products", PRODUCTS, Shape.ARRAY))
          .withMessage("the privacy rules of downtown/Products are unknown");
      assertThat(server.calls()).isEmpty();
    }
  }

  @Test
  void showsOnlyTimesAndNumbersInMessages() throws Exception {
    Request request =
        new Request(
            "/reporting/register-transactions",
            new Parameter("from", "2026-01-01T00:00:00Z"),
            new Parameter("PageSize", "100"),
            new Parameter("pageKey", "offset:100"));
    try (HostileService server = HostileService.always(respond("404 Not Found", "", ""));
        ApiClient client = Clients.to(server.baseUrl())) {
      assertThatThrownBy(() -> Clients.open(client, "register-transactions", request, Shape.ARRAY))
          .isInstanceOf(Refused.class)
          .hasMessageStartingWith(
              "POS-206 downtown/register-transactions: GET /reporting/register-transactions"
                  + "?from=2026-01-01T00:00:00Z&PageSize=100&pageKey=… 404: ");
      assertThat(server.call().head()).contains("pageKey=offset%3A100 ");
    }
  }

  @Test
  void reportsAnUnknownHostWithItsSetting() throws Exception {
    reportsUnknown("https://nowhere.invalid", "the host nowhere.invalid");
    ProxySelector before = ProxySelector.getDefault();
    ProxySelector.setDefault(
        ProxySelector.of(InetSocketAddress.createUnresolved("proxy.invalid", 3128)));
    try {
      reportsUnknown("https://127.0.0.1", "the host proxy.invalid of the JVM's own proxy");
    } finally {
      ProxySelector.setDefault(before);
    }
  }

  private static void reportsUnknown(String url, String host) throws Exception {
    try (ApiClient client = Clients.to(URI.create(url))) {
      assertThatThrownBy(() -> read(client))
          .isInstanceOf(Unavailable.class)
          .hasMessageContaining(": " + host + " is unknown. Correct base.url");
    }
  }

  @Test
  void reportsAClosedPortAsUnavailable() throws Exception {
    URI url;
    try (HostileService server = HostileService.always(json("[]"))) {
      url = server.baseUrl();
    }
    try (ApiClient client = Clients.to(url)) {
      assertThatThrownBy(() -> read(client))
          .isInstanceOf(Unavailable.class)
          .hasMessageContaining("cannot connect to 127.0.0.1:" + url.getPort());
    }
  }

  private static byte[] gzip(String text) {
    return Answer.packed(text.getBytes(StandardCharsets.UTF_8));
  }
}
