package io.posconnect.client;

import static io.posconnect.client.Clients.KEY;
import static io.posconnect.client.Clients.PRODUCTS;
import static io.posconnect.client.Clients.read;
import static io.posconnect.client.Clients.timeouts;
import static io.posconnect.client.RawServer.cut;
import static io.posconnect.client.RawServer.garbled;
import static io.posconnect.client.RawServer.json;
import static io.posconnect.client.RawServer.respond;
import static io.posconnect.client.RawServer.silence;
import static io.posconnect.client.RawServer.stalled;
import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.awaitility.Awaitility.await;

import io.posconnect.client.ApiException.Malformed;
import io.posconnect.client.ApiException.Refused;
import io.posconnect.client.ApiException.Unavailable;
import io.posconnect.client.Connection.Timeouts;
import io.posconnect.json.BodyLimits;
import io.posconnect.problem.Problem;
import io.posconnect.resource.Request;
import io.posconnect.resource.Request.Parameter;
import io.posconnect.resource.Shape;
import io.posconnect.simulator.Fault;
import io.posconnect.simulator.Simulator;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.zip.GZIPOutputStream;
import mockwebserver3.MockResponse;
import mockwebserver3.SocketEffect;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class HttpApiClientTest {

  @Test
  void sendsKeyAsUserNameAndRequestsFreshJson() throws Exception {
    try (RawServer server = new RawServer(json("[]"));
        ApiClient client = Clients.to(server.url())) {
      assertThat(read(client)).isEmpty();
      assertThat(server.head())
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
    try (RawServer server = new RawServer(json("[]"));
        ApiClient client = Clients.to(server.url(), keys::next)) {
      read(client);
      assertThat(server.head()).contains("Basic b2xkOg==");
      read(client);
      assertThat(server.head()).contains("Basic bmV3OnB3");
    }
  }

  @Test
  void readsTheDateHeader() throws Exception {
    String date = "Date: Sat, 21 Nov 2026 10:11:12 GMT\r\n";
    try (RawServer server = new RawServer(respond("200 OK", date, "[]"));
        ApiClient client = Clients.to(server.url());
        Rows rows = Clients.open(client)) {
      assertThat(rows.date()).contains(Instant.parse("2026-11-21T10:11:12Z"));
    }
  }

  @Test
  void readsChunkedBodies() throws Exception {
    MockResponse answer =
        garbled("Transfer-Encoding: chunked\r\n", "5\r\n[{\"a\"\r\n7\r\n:1},{}]\r\n0\r\n");
    assertThat(answered(answer)).containsExactly("{\"a\":1}", "{}");
  }

  @Test
  void readsBodiesThatEndWithTheConnection() throws Exception {
    MockResponse answer = cut("", "[{\"a\":1}]");
    assertThat(answered(answer)).containsExactly("{\"a\":1}");
  }

  @Test
  void readsGzipAndCountsUnpackedBytes() throws Exception {
    byte[] packed = gzip("[{\"a\":1}]");
    try (RawServer server = new RawServer(respond("200 OK", "Content-Encoding: gzip\r\n", packed));
        ApiClient client = Clients.to(server.url());
        Rows rows = Clients.open(client)) {
      assertThat(Clients.drain(rows)).containsExactly("{\"a\":1}");
      assertThat(rows.bytes()).isEqualTo(9);
    }
  }

  @Test
  void refusesAnAnnouncedLengthBeyondTheLimit() throws Exception {
    assertTooLarge(garbled("Content-Length: 1001\r\n", ""), 1_000);
  }

  private static void assertTooLarge(MockResponse answer, int limit) throws Exception {
    BodyLimits limits = new BodyLimits(limit, 1_000, 10, 100, 10, 10);
    try (RawServer server = new RawServer(answer);
        ApiClient client = Clients.to(server.url(), Timeouts.DEFAULT, limits)) {
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
    MockResponse answer = respond("200 OK", "Content-Type: " + type + "\r\n", "[]");
    assertThatThrownBy(() -> answered(answer))
        .isInstanceOf(Malformed.class)
        .hasMessageStartingWith("POS-403 downtown/products: GET /products 200: the body " + reason);
  }

  @Test
  void refusesEncodingsThatItDidNotRequest() {
    assertThatThrownBy(() -> answered(respond("200 OK", "Content-Encoding: br\r\n", "[]")))
        .isInstanceOf(Malformed.class)
        .hasMessageContaining("content encoding br");
  }

  /** Shorter than announced; without the last chunk, though the JSON is whole; in a row. */
  static List<MockResponse> truncated() {
    return List.of(
        cut("Content-Length: 100\r\n", "[{\"a\":1},"),
        cut("Transfer-Encoding: chunked\r\n", "9\r\n[{\"a\":1}]\r\n"),
        cut("", "[{\"a\":1},{\"a\""));
  }

  @ParameterizedTest
  @MethodSource("truncated")
  void reportsATruncatedBodyAsMalformed(MockResponse answer) {
    assertThatThrownBy(() -> answered(answer))
        .isInstanceOf(Malformed.class)
        .hasMessageContaining("truncated");
  }

  @Test
  void neverQuotesAGarbledChunk() {
    MockResponse answer = garbled("Transfer-Encoding: chunked\r\n", KEY + "\r\n");
    Malformed failure = catchThrowableOfType(Malformed.class, () -> answered(answer));
    assertThat(failure).hasMessageContaining("garbled").hasNoCause();
  }

  @Test
  void neverQuotesAResponseThatIsNotHttp() {
    MockResponse answer = new MockResponse.Builder().status("HTTQ " + KEY).build();
    Unavailable failure = catchThrowableOfType(Unavailable.class, () -> answered(answer));
    assertThat(failure).hasNoCause();
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
  static List<MockResponse> invitations() {
    return List.of(
        new MockResponse.Builder().onResponseStart(new SocketEffect.CloseSocket()).build(),
        respond("503 Busy", "Retry-After: 0\r\n", ""));
  }

  @ParameterizedTest
  @MethodSource("invitations")
  void sendsNoRequestTwice(MockResponse answer) throws Exception {
    try (RawServer server = new RawServer(answer);
        ApiClient client = Clients.to(server.url())) {
      assertThatThrownBy(() -> read(client)).isInstanceOf(Unavailable.class);
      assertThat(server.heads()).hasSize(1);
    }
  }

  @Test
  void cutsASilentBody() {
    MockResponse answer = stalled("Content-Length: 100\r\n", "[");
    Unavailable failure =
        catchThrowableOfType(Unavailable.class, () -> answered(answer, timeouts(20_000, 200)));
    assertThat(failure).hasMessageContaining("stalled");
    assertThat(failure.is(Problem.TOO_SLOW)).isTrue();
  }

  @Test
  void cutsHeadersThatDoNotArrive() {
    Unavailable failure =
        catchThrowableOfType(Unavailable.class, () -> answered(silence(), timeouts(200, 20_000)));
    assertThat(failure).hasMessageContaining("no response within PT0.2S");
    assertThat(failure.is(Problem.TOO_SLOW)).isTrue();
  }

  @Test
  void waitsForHeadersLongerThanForAStall() throws Exception {
    MockResponse answer = json("[]").newBuilder().headersDelay(400, MILLISECONDS).build();
    assertThat(answered(answer, timeouts(20_000, 100))).isEmpty();
  }

  @Test
  void reusesTheConnectionAfterAWholeBody() throws Exception {
    try (RawServer server = new RawServer(json("[{}]"));
        ApiClient client = Clients.to(server.url())) {
      read(client);
      read(client);
      assertThat(server.heads()).hasSize(2);
      assertThat(server.connections()).isEqualTo(1);
    }
  }

  @Test
  void closesRowsAtAnyTime() throws Exception {
    MockResponse answer = stalled("Content-Length: 100\r\n", "[{},");
    try (RawServer server = new RawServer(answer);
        ApiClient client = Clients.to(server.url())) {
      Rows rows = Clients.open(client);
      rows.next();
      rows.close();
      rows.close();
    }
  }

  /** A body that does not end, and no response. */
  static List<MockResponse> endless() {
    return List.of(stalled("Content-Length: 100\r\n", "[{},"), silence());
  }

  @ParameterizedTest
  @MethodSource("endless")
  void closeCancelsAWaitingThread(MockResponse answer) throws Exception {
    try (RawServer server = new RawServer(answer)) {
      HttpApiClient client = Clients.to(server.url());
      CompletableFuture<ClientClosedException> reader =
          CompletableFuture.supplyAsync(
              () -> catchThrowableOfType(ClientClosedException.class, () -> read(client)));
      await().until(() -> !server.heads().isEmpty());
      client.close();

      assertThat(reader.get(5, TimeUnit.SECONDS))
          .isInstanceOf(ClientClosedException.class)
          .hasMessageEndingWith("cancelled, the client is closed");
      assertThatThrownBy(() -> read(client)).isInstanceOf(ClientClosedException.class);
      assertThat(server.heads()).hasSize(1);
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
    try (RawServer server = new RawServer(json("[]"));
        ApiClient client = Clients.to(server.url(base))) {
      read(client);
      assertThat(server.head()).startsWith("GET " + path + " HTTP/1.1");
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
    try (RawServer server = new RawServer(json("[]"));
        ApiClient client = Clients.to(server.url("/"))) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> Clients.open(client, "Products", PRODUCTS, Shape.ARRAY))
          .withMessage("the privacy rules of downtown/Products are unknown");
      assertThat(server.heads()).isEmpty();
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
    try (RawServer server = new RawServer(respond("404 Not Found", "", ""));
        ApiClient client = Clients.to(server.url())) {
      assertThatThrownBy(() -> Clients.open(client, "register-transactions", request, Shape.ARRAY))
          .isInstanceOf(Refused.class)
          .hasMessageStartingWith(
              "POS-206 downtown/register-transactions: GET /reporting/register-transactions"
                  + "?from=2026-01-01T00:00:00Z&PageSize=100&pageKey=… 404: ");
      assertThat(server.head()).contains("pageKey=offset%3A100 ");
    }
  }

  @Test
  void reportsAnUnknownHostWithItsSetting() throws Exception {
    try (ApiClient client = Clients.to(URI.create("https://nowhere.invalid"))) {
      assertThatThrownBy(() -> read(client))
          .isInstanceOf(Unavailable.class)
          .hasMessageContaining("nowhere.invalid is unknown. Correct base.url");
    }
  }

  @Test
  void reportsAClosedPortAsUnavailable() throws Exception {
    URI url;
    try (RawServer server = new RawServer(json("[]"))) {
      url = server.url();
    }
    try (ApiClient client = Clients.to(url)) {
      assertThatThrownBy(() -> read(client))
          .isInstanceOf(Unavailable.class)
          .hasMessageContaining("cannot connect to 127.0.0.1:" + url.getPort());
    }
  }

  private static List<String> answered(MockResponse answer) throws ApiException, IOException {
    return answered(answer, Timeouts.DEFAULT);
  }

  private static List<String> answered(MockResponse answer, Timeouts timeouts)
      throws ApiException, IOException {
    try (RawServer server = new RawServer(answer);
        ApiClient client = Clients.to(server.url(), timeouts)) {
      return read(client);
    }
  }

  private static byte[] gzip(String text) throws IOException {
    ByteArrayOutputStream packed = new ByteArrayOutputStream();
    try (GZIPOutputStream gzip = new GZIPOutputStream(packed)) {
      gzip.write(text.getBytes(StandardCharsets.UTF_8));
    }
    return packed.toByteArray();
  }
}
