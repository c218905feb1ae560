package io.posconnect.simulator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

import io.posconnect.simulator.Faults.ActiveFault;
import io.posconnect.simulator.RequestLog.LoggedRequest;
import io.posconnect.simulator.ResponseHistory.ShownVersion;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Faults strike what they aim at, and break what they name; the log and the history notice. */
class FaultsTest {

  private final TestClock clock = new TestClock();
  @AutoClose private final Simulator service = Simulator.builder().clock(clock).unlimited().start();
  private final SimulatedLocation location = service.location();
  private final Client client = Client.of(service);

  @BeforeEach
  void fill() {
    location.products().generate(50);
  }

  private ActiveFault everywhere(Fault fault) {
    return service.faults().everywhere().then(fault);
  }

  private HttpResponse<String> products() throws Exception {
    return client.get(Endpoint.PRODUCTS);
  }

  @Test
  void strikesOnlyWhatItAimsAt() throws Exception {
    SimulatedLocation other = service.location("other");
    ActiveFault fault =
        service
            .faults()
            .on(Endpoint.PRODUCTS)
            .at(other)
            .whenQuery(query -> query.contains("n=2"))
            .times(2)
            .then(Fault.status(500));
    Client struck = new Client(service, "other");
    assertThat(client.status(Endpoint.PRODUCTS + "?n=2")).isEqualTo(200);
    assertThat(struck.status(Endpoint.PRODUCTS)).isEqualTo(200);
    assertThat(struck.status(Endpoint.INVENTORY + "?n=2")).isEqualTo(200);
    for (int expected : new int[] {500, 500, 200}) {
      assertThat(struck.status(Endpoint.PRODUCTS + "?n=2")).isEqualTo(expected);
    }
    assertThat(fault.hits()).isEqualTo(2);
  }

  @Test
  void brokenBodiesAreShownInPart() throws Exception {
    for (Fault broken : List.of(Fault.cutChunks(), Fault.cutAfter(10_000), Fault.resetBody())) {
      location.history().clear();
      service.forgetRequests();
      try (ActiveFault fault = everywhere(broken)) {
        assertThatExceptionOfType(IOException.class).isThrownBy(this::products);
        assertThat(fault.hits()).isPositive();
      }
      await().until(() -> service.requests().stream().allMatch(LoggedRequest::finished));
      assertThat(service.requests()).noneMatch(LoggedRequest::whole);
      assertThat(location.history().of(SimulatedLocation.PRODUCTS)).hasSizeBetween(1, 40);
      assertThat(shown(1)).noneMatch(ShownVersion::whole);
      products();
      assertThat(shown(1)).singleElement().matches(ShownVersion::whole);
    }
  }

  private List<ShownVersion> shown(long id) {
    return location.history().of(SimulatedLocation.PRODUCTS, id);
  }

  @Test
  void heldResponsesGoOnWhenTheFaultIsClosed() throws Exception {
    for (Fault slow :
        List.of(Fault.silentBody(), Fault.slowHeaders(Duration.ofHours(1)), Fault.slowBody(10))) {
      ActiveFault fault = everywhere(slow);
      CompletableFuture<HttpResponse<String>> answer = client.later(Endpoint.PRODUCTS);
      await().until(() -> fault.hits() == 1);
      assertThat(answer).isNotDone();
      fault.close();
      assertThat(answer.get(10, TimeUnit.SECONDS).body()).endsWith("]");
    }
  }

  @Test
  void closingTheServiceReleasesHeldResponses() {
    everywhere(Fault.silentBody());
    CompletableFuture<HttpResponse<String>> answer = client.later(Endpoint.PRODUCTS);
    await().until(() -> service.requests().size() == 1);
    service.close();
    await().until(answer::isCompletedExceptionally);
  }

  @Test
  void staleReplicasServeEarlierRows() throws Exception {
    String then = products().body();
    clock.advance(Duration.ofSeconds(30));
    location.products().update(1);
    location.products().delete(2);
    location.products().create();
    String now = products().body();
    assertThat(now).isNotEqualTo(then);
    everywhere(Fault.stale(Duration.ofSeconds(10)));
    assertThat(products().body()).isEqualTo(then);
    clock.advance(Duration.ofSeconds(10));
    assertThat(products().body()).isEqualTo(now);
  }

  @Test
  void listsMayLackTheirSecondHalfAndAnswersTheirDate() throws Exception {
    try (ActiveFault fault = everywhere(Fault.firstHalf())) {
      assertThat(client.json(Endpoint.PRODUCTS)).hasSize(25);
      assertThat(fault.hits()).isEqualTo(1);
    }
    assertThat(client.json(Endpoint.PRODUCTS)).hasSize(50);

    everywhere(Fault.noDate());
    assertThat(products().headers().firstValue("Date")).isEmpty();
  }

  @Test
  void keysMayOpenAnotherStore() throws Exception {
    everywhere(Fault.identityOf(service.location("other")));
    assertThat(client.json(Endpoint.WHOAMI).get("LocationName").asText()).isEqualTo("Store No. 2");
    assertThat(client.json(Endpoint.PRODUCTS)).hasSize(50);
  }

  @Test
  void theServiceComesBackOnTheSamePort() throws Exception {
    service.goDown();
    assertThatExceptionOfType(IOException.class).isThrownBy(this::products);
    service.comeBack();
    assertThat(products().statusCode()).isEqualTo(200);
  }
}
