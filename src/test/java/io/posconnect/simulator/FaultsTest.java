package io.posconnect.simulator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.posconnect.simulator.Faults.ActiveFault;
import io.posconnect.simulator.RequestLog.LoggedRequest;
import io.posconnect.simulator.ResponseHistory.ShownVersion;
import io.posconnect.simulator.SimulatedLocationTest.TestClock;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class FaultsTest {

  private final AtomicLong nanos = new AtomicLong();
  private final TestClock clock = new TestClock();
  private final Simulator service = Simulator.builder().ticker(nanos::get).clock(clock).start();
  private final SimulatedLocation location = service.location();
  private final Client client = Client.of(service);

  @BeforeEach
  void fill() {
    location.products().generate(50);
  }

  @AfterEach
  void end() {
    service.close();
  }

  private ActiveFault everywhere(Fault fault) {
    return service.faults().everywhere().then(fault);
  }

  private HttpResponse<String> products() throws Exception {
    return client.get(Endpoint.PRODUCTS);
  }

  @Test
  void strikesOnlySoManyTimes() throws Exception {
    ActiveFault fault = service.faults().on(Endpoint.PRODUCTS).times(2).then(Fault.status(500));
    assertThat(client.status(Endpoint.WHOAMI)).isEqualTo(200);
    assertThat(client.status(Endpoint.PRODUCTS)).isEqualTo(500);
    assertThat(client.status(Endpoint.PRODUCTS)).isEqualTo(500);
    assertThat(client.status(Endpoint.PRODUCTS)).isEqualTo(200);
    assertThat(fault.hits()).isEqualTo(2);
  }

  @Test
  void strikesAfterSomePassedAndOnlyMatchingQueries() throws Exception {
    service
        .faults()
        .on(Endpoint.CUSTOMERS_PAGINATED)
        .whenQuery(query -> query.contains("PageNumber=2"))
        .after(1)
        .times(1)
        .then(Fault.status(503));
    String second = Endpoint.CUSTOMERS_PAGINATED + "?PageNumber=2&PageSize=10";
    assertThat(client.status(Endpoint.CUSTOMERS_PAGINATED)).isEqualTo(200);
    assertThat(client.status(second)).isEqualTo(200);
    assertThat(client.status(second)).isEqualTo(503);
    assertThat(client.status(second)).isEqualTo(200);
  }

  @Test
  void strikesOnlyOneStore() throws Exception {
    SimulatedLocation other = service.location("other");
    service.faults().everywhere().at(other).then(Fault.status(500));
    assertThat(client.status(Endpoint.WHOAMI)).isEqualTo(200);
    assertThat(new Client(service, "other").status(Endpoint.WHOAMI)).isEqualTo(500);
  }

  @Test
  void endsAfterItsTimeOrWhenClosed() throws Exception {
    service.faults().everywhere().during(Duration.ofSeconds(10)).then(Fault.status(500));
    nanos.addAndGet(Duration.ofSeconds(9).toNanos());
    assertThat(client.status(Endpoint.WHOAMI)).isEqualTo(500);
    nanos.addAndGet(Duration.ofSeconds(1).toNanos());
    assertThat(client.status(Endpoint.WHOAMI)).isEqualTo(200);
    ActiveFault fault = everywhere(Fault.status(500));
    assertThat(client.status(Endpoint.WHOAMI)).isEqualTo(500);
    fault.close();
    assertThat(client.status(Endpoint.WHOAMI)).isEqualTo(200);
  }

  @Test
  void answersInManyShapes() throws Exception {
    service.faults().everywhere().times(1).then(Fault.badRequestAsProblem("from"));
    assertThat(products().body()).contains("errors");
    service.faults().everywhere().times(1).then(Fault.badRequestAsMessage());
    assertThat(products().body()).contains("message");
    service.faults().everywhere().times(1).then(Fault.badRequestAsText());
    assertThat(products().body()).startsWith("\"");
    service.faults().everywhere().times(1).then(Fault.html());
    assertThat(products().body()).startsWith("<!DOCTYPE");
    service.faults().everywhere().times(1).then(Fault.emptyBody());
    assertThat(products().body()).isEmpty();
    service.faults().everywhere().times(1).then(Fault.nested(10_000));
    assertThat(products().body()).hasSize(20_000);
    service.faults().everywhere().times(1).then(Fault.hugeNumber("productId", "price"));
    assertThat(products().body()).contains("1e999999999");
    service.faults().everywhere().times(1).then(Fault.wrapped());
    assertThat(products().body()).startsWith("{\"data\":[").endsWith("]}");
  }

  @Test
  void throttlesWithAndWithoutAHint() throws Exception {
    service.faults().everywhere().times(1).then(Fault.throttled());
    assertThat(products().headers().firstValue("Retry-After")).isEmpty();
    service.faults().everywhere().times(1).then(Fault.throttled("7"));
    HttpResponse<String> response = products();
    assertThat(response.statusCode()).isEqualTo(429);
    assertThat(response.headers().firstValue("Retry-After")).contains("7");
    assertThat(response.body()).contains("Message", "TraceId");
  }

  @Test
  void redirects() throws Exception {
    everywhere(Fault.redirect(URI.create("https://elsewhere.example/products")));
    HttpResponse<String> response = products();
    assertThat(response.statusCode()).isEqualTo(302);
    assertThat(response.headers().firstValue("Location"))
        .contains("https://elsewhere.example/products");
  }

  @Test
  void namesAnotherContentType() throws Exception {
    everywhere(Fault.contentType("text/plain"));
    HttpResponse<String> response = products();
    assertThat(response.headers().firstValue("Content-Type")).contains("text/plain");
    assertThat(response.body()).startsWith("[").endsWith("]");
    assertThat(location.history().of(SimulatedLocation.PRODUCTS, 1)).noneMatch(ShownVersion::whole);
  }

  @Test
  void compressesUnasked() throws Exception {
    everywhere(Fault.gzip());
    HttpResponse<InputStream> response =
        client.get(Endpoint.PRODUCTS, HttpResponse.BodyHandlers.ofInputStream());
    assertThat(response.headers().firstValue("Content-Encoding")).contains("gzip");
    try (InputStream body = new GZIPInputStream(response.body())) {
      assertThat(new String(body.readAllBytes(), StandardCharsets.UTF_8))
          .startsWith("[{\"productId\":1,")
          .endsWith("]");
    }
  }

  @Test
  void cutsResetsAndAnnouncesTooMuch() {
    List<Fault> faults =
        List.of(
            Fault.cutChunks(),
            Fault.cutAfter(10),
            Fault.cutLength(),
            Fault.reset(),
            Fault.resetBody());
    for (int i = 0; i < faults.size(); i++) {
      service.forgetRequests();
      try (ActiveFault fault = everywhere(faults.get(i))) {
        assertThatExceptionOfType(IOException.class).as("fault " + i).isThrownBy(this::products);
        assertThat(fault.hits()).isPositive();
      }
      await().until(() -> service.requests().stream().allMatch(LoggedRequest::finished));
      assertThat(service.requests()).noneMatch(LoggedRequest::whole);
    }
  }

  @Test
  void rowsOfABrokenBodyAreShownInPartOnly() throws Exception {
    try (ActiveFault fault = everywhere(Fault.cutChunks())) {
      assertThatExceptionOfType(IOException.class).isThrownBy(this::products);
      await().until(() -> !location.history().of(SimulatedLocation.PRODUCTS).isEmpty());
      assertThat(fault.hits()).isEqualTo(1);
    }
    assertThat(location.history().of(SimulatedLocation.PRODUCTS)).hasSizeBetween(10, 40);
    assertThat(location.history().of(SimulatedLocation.PRODUCTS, 1)).noneMatch(ShownVersion::whole);
    products();
    assertThat(location.history().of(SimulatedLocation.PRODUCTS)).hasSize(50);
    assertThat(location.history().of(SimulatedLocation.PRODUCTS, 1))
        .singleElement()
        .matches(ShownVersion::whole);
  }

  @Test
  void fallsSilentUntilReleased() throws Exception {
    ActiveFault fault = everywhere(Fault.silentBody());
    CompletableFuture<HttpResponse<String>> answer = client.later(Endpoint.PRODUCTS);
    await().until(() -> fault.hits() == 1);
    assertThat(service.requests()).noneMatch(LoggedRequest::finished);
    assertThat(answer).isNotDone();
    fault.close();
    assertThat(answer.get(10, TimeUnit.SECONDS).body()).endsWith("]");
  }

  @Test
  void keepsHeadersAndBodiesWaitingUntilReleased() throws Exception {
    for (Fault slow : List.of(Fault.slowHeaders(Duration.ofHours(1)), Fault.slowBody(10))) {
      ActiveFault fault = everywhere(slow);
      CompletableFuture<HttpResponse<String>> answer = client.later(Endpoint.PRODUCTS);
      await().until(() -> fault.hits() == 1);
      assertThat(answer).isNotDone();
      fault.close();
      assertThat(answer.get(10, TimeUnit.SECONDS).body()).endsWith("]");
    }
  }

  @Test
  void closingTheServiceReleasesWhoeverWaits() {
    everywhere(Fault.silentBody());
    CompletableFuture<HttpResponse<String>> answer = client.later(Endpoint.PRODUCTS);
    await().until(() -> service.requests().size() == 1);
    service.close();
    await().until(answer::isCompletedExceptionally);
  }

  @Test
  void theDateIsAheadBehindJumpingOrMissing() throws Exception {
    try (ActiveFault fault = everywhere(Fault.dateAhead(Duration.ofMinutes(-90)))) {
      assertThat(dateAhead()).isEqualTo(Duration.ofMinutes(-90));
      assertThat(fault.hits()).isEqualTo(1);
    }
    List<Duration> jumps = List.of(Duration.ZERO, Duration.ofDays(2));
    try (ActiveFault fault = everywhere(Fault.jumpingDate(jumps))) {
      assertThat(List.of(dateAhead(), dateAhead(), dateAhead()))
          .containsExactly(Duration.ZERO, Duration.ofDays(2), Duration.ZERO);
      assertThat(fault.hits()).isEqualTo(3);
    }
    everywhere(Fault.noDate());
    assertThat(products().headers().firstValue("Date")).isEmpty();
  }

  private Duration dateAhead() throws Exception {
    String date = products().headers().firstValue("Date").orElseThrow();
    Instant said = ZonedDateTime.parse(date, DateTimeFormatter.RFC_1123_DATE_TIME).toInstant();
    return Duration.between(clock.instant(), said);
  }

  @Test
  void aStaleReplicaServesWhatWas() throws Exception {
    String then = products().body();
    clock.advance(Duration.ofSeconds(30));
    location.products().update(1);
    location.products().delete(2);
    location.products().create();
    String now = products().body();
    assertThat(now).isNotEqualTo(then);
    try (ActiveFault fault = everywhere(Fault.stale(Duration.ofSeconds(10)))) {
      assertThat(products().body()).isEqualTo(then);
      clock.advance(Duration.ofSeconds(10));
      assertThat(products().body()).isEqualTo(now);
      assertThat(fault.hits()).isEqualTo(2);
    }
  }

  @Test
  void anotherStoreIsBehindTheKey() throws Exception {
    everywhere(Fault.identityOf(service.location("other")));
    assertThat(client.json(Endpoint.WHOAMI).get("LocationName").asText()).isEqualTo("Store No. 2");
    assertThat(client.json(Endpoint.PRODUCTS)).hasSize(50);
  }

  @Test
  void pageKeysAreHostile() throws Exception {
    location.loyaltyTransactions().generate(150);
    String prefix = "a&b=c\n+%ü ";
    try (ActiveFault fault = everywhere(Fault.pageKeysBeginWith(prefix))) {
      JsonNode first = client.json(Endpoint.LOYALTY);
      String key = first.get("nextPageKey").asText();
      assertThat(key).isEqualTo(prefix + "offset:100");
      String encoded = URLEncoder.encode(key, StandardCharsets.UTF_8);
      assertThat(client.json(Endpoint.LOYALTY + "?pageKey=" + encoded).get("items")).hasSize(50);
      assertThat(client.status(Endpoint.LOYALTY + "?pageKey=a&b=c")).isEqualTo(400);
      assertThat(fault.hits()).isEqualTo(3);
    }
    everywhere(Fault.repeatingPageKey());
    JsonNode again = client.json(Endpoint.LOYALTY + "?pageKey=offset:100");
    assertThat(again.get("nextPageKey").asText()).isEqualTo("offset:100");
    assertThat(again.get("haveMoreData").asBoolean()).isTrue();
  }

  @Test
  void theServiceGoesDownAndComesBackOnTheSamePort() throws Exception {
    int port = service.port();
    service.goDown();
    assertThatExceptionOfType(IOException.class).isThrownBy(this::products);
    service.comeBack();
    assertThat(products().statusCode()).isEqualTo(200);
    assertThat(service.port()).isEqualTo(port);
  }
}
