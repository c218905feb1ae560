package io.posconnect.client;

import static io.posconnect.client.Clients.KEY;
import static io.posconnect.client.Clients.PRODUCTS;
import static io.posconnect.client.Clients.read;
import static io.posconnect.hostile.Answer.json;
import static io.posconnect.hostile.Answer.respond;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.posconnect.Messages;
import io.posconnect.client.ApiException.Malformed;
import io.posconnect.client.ApiException.Refused;
import io.posconnect.client.ApiException.Throttled;
import io.posconnect.client.ApiException.Unavailable;
import io.posconnect.hostile.Answer;
import io.posconnect.hostile.Call;
import io.posconnect.hostile.HostileService;
import io.posconnect.problem.Problem;
import io.posconnect.resource.Shape;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What responses other than 200 become. */
class ResponseTest {

  @ParameterizedTest
  @CsvSource({
    "300, REDIRECT_REFUSED",
    "304, REDIRECT_REFUSED",
    "400, REQUEST_REFUSED",
    "403, PERMISSION_MISSING",
    "404, PATH_UNKNOWN",
    "405, PATH_UNKNOWN",
    "407, PROXY_REFUSES",
    "410, PATH_UNKNOWN",
    "413, REQUEST_REFUSED",
    "414, REQUEST_REFUSED",
    "418, REQUEST_REFUSED",
    "422, REQUEST_REFUSED",
  })
  void reportsARefusalWithItsRemedy(int status, Problem problem) {
    Refused failure = catchThrowableOfType(Refused.class, () -> answered(status, "", ""));

    assertThat(failure.status()).isEqualTo(status);
    assertThat(failure.incident().problem()).isEqualTo(problem);
    assertExplained(failure, status, problem);
  }

  private static void assertExplained(ApiException failure, int status, Problem problem) {
    assertThat(failure)
        .hasMessageStartingWith(
            problem.code() + " downtown/products: GET /products " + status + ": ")
        .hasMessageEndingWith(". " + problem.remedy())
        .satisfies(refusal -> Messages.assertExplained(refusal.getMessage()));
  }

  @ParameterizedTest
  @CsvSource({
    "408, TOO_SLOW, true",
    "425, SERVICE_FAILED, false",
    "500, SERVICE_FAILED, false",
    "502, SERVICE_FAILED, false",
    "503, SERVICE_FAILED, false",
    "504, TOO_SLOW, true",
    "524, TOO_SLOW, true",
  })
  void reportsATransientStatusAsUnavailable(int status, Problem problem, boolean timeout) {
    Unavailable failure = catchThrowableOfType(Unavailable.class, () -> answered(status, "", ""));

    assertThat(failure.is(Problem.TOO_SLOW)).isEqualTo(timeout);
    assertThat(failure).hasMessageContaining(timeout ? "contact its support" : "");
    assertExplained(failure, status, problem);
  }

  @ParameterizedTest
  @ValueSource(ints = {201, 204, 206})
  void reportsOtherSuccessesAsMalformed(int status) {
    assertThatThrownBy(() -> answered(status, "", ""))
        .isInstanceOf(Malformed.class)
        .hasMessageStartingWith("POS-403 downtown/products: GET /products " + status + ": ");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          429 | Retry-After: 7                             | PT7S
          429 | Retry-After:  0                            | PT0S
          429 | Retry-After: Sat, 21 Nov 2026 10:01:30 GMT | PT1M30S
          429 | Retry-After: Sat, 21 Nov 2026 09:00:00 GMT | PT0S
          429 | Retry-After: soon                          |
          429 | Retry-After:                               |
          429 | Retry-After: -5                            |
          429 | Retry-After: \u00ff                        |
          429 | X-After: 7                                 |
          503 | Retry-After: 7                             | PT7S
          503 | Retry-After: 0                             | PT0S
          503 | Retry-After: 99999999999999999999          | PT596523H14M7S
          """)
  void readsRetryAfterOrIgnoresIt(int status, String header, Duration wait) {
    String headers = "Date: Sat, 21 Nov 2026 10:00:00 GMT\r\n" + header + "\r\n";
    ApiException failure =
        catchThrowableOfType(ApiException.class, () -> answered(status, headers, ""));
    assertThat(failure.retryAfter()).isEqualTo(Optional.ofNullable(wait));
  }

  @Test
  void readsDateOfRetryAfterOfAnAnswerThatHasNoDateItself() {
    String past = "Retry-After: Sat, 21 Nov 2015 10:00:00 GMT\r\n";
    ApiException failure = catchThrowableOfType(ApiException.class, () -> answered(429, past, ""));
    assertThat(failure.retryAfter()).contains(Duration.ZERO);
  }

  @Test
  void showsOnlyTheTraceIdOfTheBody() {
    String body = "{\"Message\":\"Only 60 per minute\",\"x\":[{}],\"TraceId\":\"00-ab:1\"}";
    assertThatThrownBy(() -> answered(429, "", body))
        .hasMessageStartingWith("POS-401 downtown/products: GET /products 429 (TraceId 00-ab:1): ")
        .hasMessageNotContaining("Only 60");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          Only 30 requests per minute are permitted.  | 30
          30/min                                      | 30
          30 per minute, 30 in all                    | 30
          Only 30 per minute, wait 60 seconds         | 30
          Above 12 per minute. Try again in 1 minute  | 12
          Requests per minute exceeded, wait 60 secs  |
          Quota per minute: retry after 60000 ms      |
          Requests per minute exceeded, retry in 5    |
          Only 30 per minute. Retry-After: 12         | 30
          HTTP429: at most 12 PER MINUTE              | 12
          429: 0 left of 30 per minute                | 30
          30 per minute, 60 in all                    |
          1 per minute or 200 in all                  |
          per minute: 0, -1, 10^30, 1.5, 1,000, 12:30 |
          v2, x9, 3x 99999999999999999999 per minute  |
          nur dreißig Anfragen                        |
          Rate limit exceeded. Try again in 1 seconds |
          Try again in a minute: 1                    |
          """)
  void readsOnlyPlausibleNumberOfThrottledMessage(String message, Integer limit) {
    String body = "{\"Message\":\"" + message + "\",\"TraceId\":\"7\"}";
    Throttled failure = catchThrowableOfType(Throttled.class, () -> answered(429, "", body));

    assertThat(failure.stated())
        .isEqualTo(limit == null ? OptionalInt.empty() : OptionalInt.of(limit));
    String stated = "a limit of %s a minute".formatted(limit);
    assertThat(failure.getMessage().contains(stated)).isEqualTo(limit != null);
    assertThat(failure.getMessage().replace(stated, "")).doesNotContain("30", "60", "12");
  }

  @Test
  void readsNoNumberOfLongMessage() {
    String body = "{\"Message\":\"Only 30 per minute" + " ".repeat(8 * 1024) + "\"}";
    Throttled failure = catchThrowableOfType(Throttled.class, () -> answered(429, "", body));

    assertThat(failure.stated()).isEmpty();
  }

  @Test
  void findsTheTraceIdInABodyThatBreaksOff() {
    assertThatThrownBy(() -> answered(500, "", "{\"traceId\":\"abc\",\"Mess"))
        .hasMessageContaining(" 500 (TraceId abc): ");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"TraceId\":\"a b\"}",
        "{\"TraceId\":\"a\\nERROR forged\"}",
        "{\"TraceId\":17}",
        "{\"x\":{\"TraceId\":\"inner\"}}",
        "[\"TraceId\"]",
        "<html>TraceId</html>",
        "{",
        ""
      })
  void showsNoTraceIdOfAnotherForm(String body) {
    assertThatThrownBy(() -> answered(403, "", body)).hasMessageNotContaining("TraceId");
  }

  @Test
  void readsOnlyTheBeginningOfAnErrorBody() {
    String body = "{\"x\":\"" + "y".repeat(8 * 1024) + "\",\"TraceId\":\"abc\"}";
    assertThatThrownBy(() -> answered(403, "", body)).hasMessageNotContaining("TraceId");
  }

  @ParameterizedTest
  @ValueSource(strings = {KEY, "S3CR3T-KEY", "x" + KEY + "y", "czNjcjN0LUtleTo"})
  void hidesAKeyThatTheServiceSendsBack(String echo) {
    Refused failure =
        catchThrowableOfType(
            Refused.class, () -> answered(401, "", "{\"TraceId\":\"" + echo + "\"}"));

    assertThat(failure.getMessage()).contains("***").doesNotContainIgnoringCase(echo);
  }

  @Test
  void hidesFormerKeyThatTheServiceSendsBack() throws Exception {
    Iterator<Credentials> keys =
        List.of(Clients.CREDENTIALS, new Credentials("successor", "")).iterator();
    String body = "{\"TraceId\":\"" + KEY + "-successor\"}";
    try (HostileService server = HostileService.always(respond("403 Forbidden", "", body));
        ApiClient client = Clients.to(server.baseUrl(), keys::next)) {
      assertThatThrownBy(() -> Clients.open(client)).hasMessageContaining("***-successor");
      assertThatThrownBy(() -> Clients.open(client)).hasMessageContaining("TraceId ***-***)");
    }
  }

  @Test
  void namesLocationAndNoStreamWhoseKeyIsRefused() {
    Refused failure = catchThrowableOfType(Refused.class, () -> answered(401, "", ""));

    assertThat(failure.status()).isEqualTo(401);
    assertThat(failure)
        .hasMessageStartingWith("POS-201 downtown: GET /products 401: ")
        .hasMessageEndingWith(". " + Problem.KEY_REFUSED.remedy());
  }

  @ParameterizedTest
  @ValueSource(ints = {301, 302, 303, 307, 308})
  void followsRedirectsWithinTheOrigin(int status) throws Exception {
    try (HostileService server =
            HostileService.start(
                call ->
                    call.head().startsWith("GET /products ")
                        ? respond(status + " Moved", "Location: /v2/products?x=1\r\n", "moved")
                        : json("[{}]"));
        ApiClient client = Clients.to(server.baseUrl())) {
      assertThat(read(client)).hasSize(1);
      assertThat(server.calls()).hasSize(2);
      assertThat(server.call().head())
          .startsWith("GET /v2/products?x=1 ")
          .contains("Authorization: Basic ");
      assertThat(server.calls()).map(Call::connection).containsOnly(1);
    }
  }

  @Test
  void reportsEachRedirectBeforeItFollows() throws Exception {
    List<Integer> sentBefore = new ArrayList<>();
    try (HostileService server =
            HostileService.start(
                call ->
                    call.head().startsWith("GET /here ")
                        ? json("[{}]")
                        : respond(
                            "302 Found",
                            call.head().startsWith("GET /products ")
                                ? "Location: /there\r\n"
                                : "Location: /here\r\n",
                            ""));
        ApiClient client = Clients.to(server.baseUrl())) {
      client
          .open("products", PRODUCTS, Shape.ARRAY, () -> sentBefore.add(server.calls().size()))
          .close();
      assertThat(sentBefore).containsExactly(1, 2);
      assertThat(server.calls()).hasSize(3);
    }
  }

  @Test
  void limitsTheTimeOfAllRedirectsTogether() throws Exception {
    Answer redirect = respond("302 Found", "Location: /products\r\n", "");
    try (HostileService server = HostileService.always(wire -> redirect.send(wire.pause(150)));
        ApiClient client = Clients.to(server.baseUrl(), Clients.timeouts(400, 20_000))) {
      assertThatThrownBy(() -> read(client))
          .isInstanceOfSatisfying(
              Unavailable.class, e -> assertThat(e.is(Problem.TOO_SLOW)).isTrue());
      assertThat(server.calls()).hasSizeLessThan(5);
    }
  }

  @Test
  void neverSendsTheKeyToAnotherOrigin() throws Exception {
    try (HostileService other = HostileService.always(json("[]"));
        HostileService server =
            HostileService.always(
                respond("302 Found", "Location: " + other.baseUrl() + "/x\r\n", ""));
        ApiClient client = Clients.to(server.baseUrl())) {
      assertThatThrownBy(() -> read(client))
          .isInstanceOf(Refused.class)
          .hasMessageContaining("302: redirects to " + other.baseUrl() + ", where");
      assertThat(other.calls()).isEmpty();
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "Location: https://s3cr3t-key.example.com/s3cr3t-Key\r\n",
        "Location: ftp://x/\r\n",
        ""
      })
  void refusesRedirectsOutOfTheOrigin(String headers) {
    assertThatThrownBy(() -> answered(302, headers, ""))
        .isInstanceOf(Refused.class)
        .hasMessageStartingWith("POS-306 downtown/products: GET /products 302: ")
        .hasMessageContaining("Correct base.url")
        .message()
        .doesNotContainIgnoringCase(KEY);
  }

  @Test
  void followsNoMoreThanFiveRedirects() throws Exception {
    try (HostileService server =
            HostileService.always(respond("302 Found", "Location: /products\r\n", ""));
        ApiClient client = Clients.to(server.baseUrl())) {
      assertThatThrownBy(() -> read(client))
          .isInstanceOf(Refused.class)
          .hasMessageContaining("more than 5 redirects");
      assertThat(server.calls()).hasSize(6);
    }
  }

  private static void answered(int status, String headers, String body) throws ApiException {
    Clients.answered(respond(status + " Whatever", headers, body));
  }
}
