package io.posconnect.simulator;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.posconnect.simulator.ResponseHistory.ShownVersion;
import io.posconnect.simulator.SimulatedLocation.InitialRows;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

class SimulatedLocationTest {

  private final TestClock clock = new TestClock();
  @AutoClose private final Simulator service = Simulator.builder().clock(clock).unlimited().start();
  private final SimulatedLocation location = service.location();
  private final Client client = Client.of(service);

  @Test
  void truthIsWhatIsServed() throws Exception {
    service.fill(location, InitialRows.SMALL);
    var served = client.json(Endpoint.PRODUCTS);
    assertThat(served).hasSameSizeAs(location.truth(SimulatedLocation.PRODUCTS).values());
    for (JsonNode row : served) {
      JsonNode truth =
          location.truth(SimulatedLocation.PRODUCTS).get(row.get("productId").asText());
      assertThat(truth.get("name")).isEqualTo(row.get("name"));
    }
  }

  @Test
  void updatesChangeContentRevisionAndTime() {
    Table products = location.products();
    long id = products.create();
    JsonNode before = products.row(id);
    clock.advance(Duration.ofSeconds(1));
    assertThat(products.update(id)).isEqualTo(2);
    JsonNode after = products.row(id);
    assertThat(after.get("revision").asInt()).isEqualTo(2);
    assertThat(after.get("price")).isNotEqualTo(before.get("price"));
    assertThat(after.get("name")).isEqualTo(before.get("name"));
    assertThat(after.get("lastModifiedDateUTC").asText()).startsWith("2026-03-01T12:00:01.000");
  }

  @Test
  void editsStayThroughLaterUpdates() {
    Table products = location.products();
    long id = products.createEdited(row -> row.put("name", "By hand"));
    products.updateEdited(id, row -> row.put("price", new BigDecimal("3.50")));
    clock.advance(Duration.ofSeconds(1));
    products.update(id);
    JsonNode row = products.row(id);
    assertThat(row.get("name").asText()).isEqualTo("By hand");
    assertThat(row.get("price").decimalValue()).isEqualTo(new BigDecimal("3.50"));
    assertThat(row.get("revision").asInt()).isEqualTo(3);
    assertThat(row.get("lastModifiedDateUTC").asText()).contains("12:00:01");
  }

  @Test
  void rawRowsAreServedToTheLetter() throws Exception {
    long id = location.products().createRaw("\"not an object\"");
    assertThat(client.get(Endpoint.PRODUCTS).body()).isEqualTo("[\"not an object\"]");
    location.products().updateRaw(id, "{ \"a\" : 1e1 }");
    assertThat(client.get(Endpoint.PRODUCTS).body()).isEqualTo("[{ \"a\" : 1e1 }]");
  }

  @Test
  void lateCommitsShowATimeInThePast() throws Exception {
    Instant past = clock.instant().minus(Duration.ofMinutes(4));
    long id = location.products().createAt(past);
    String since = Endpoint.PRODUCTS + "?fromLastModifiedDateUTC=";
    assertThat(client.json(since + clock.instant().minusSeconds(60))).isEmpty();
    assertThat(client.json(since + clock.instant().minusSeconds(300))).hasSize(1);
    location.products().updateAt(id, past.plusSeconds(1));
    assertThat(location.products().revision(id)).isEqualTo(2);
  }

  @Test
  void historyHoldsDistinctContentsInOrder() throws Exception {
    Table products = location.products();
    long id = products.create();
    client.get(Endpoint.PRODUCTS);
    client.get(Endpoint.PRODUCTS);
    products.update(id);
    products.update(id);
    client.get(Endpoint.PRODUCTS + "?fromLastModifiedDateUTC=2000-01-01T00:00:00Z");
    products.delete(id);
    client.get(Endpoint.PRODUCTS + "?fromLastModifiedDateUTC=2000-01-01T00:00:00Z");
    assertThat(location.history().of(SimulatedLocation.PRODUCTS, id))
        .extracting(ShownVersion::revision)
        .containsExactly(1, 3);
    client.get(Endpoint.PRODUCTS);
    client.get(Endpoint.PRODUCTS);
    assertThat(location.history().of(SimulatedLocation.PRODUCTS, id))
        .extracting(ShownVersion::present)
        .containsExactly(true, true, false);
  }

  @Test
  void equalSeedsMakeEqualDays() {
    SimulatedLocation twin = service.location("twin");
    for (SimulatedLocation each : new SimulatedLocation[] {location, twin}) {
      service.fill(each, InitialRows.SMALL);
      try (Churn churn = service.churn(each, 42)) {
        churn.run(2_000);
        assertThat(churn.counts().keySet()).containsExactlyInAnyOrder(Churn.Event.values());
        assertThat(each.products().ids()).as("people try commands on 1").contains(1L);
      }
    }
    for (String resource :
        new String[] {
          SimulatedLocation.PRODUCTS,
          SimulatedLocation.REGISTER_TRANSACTIONS,
          SimulatedLocation.INVENTORY
        }) {
      assertThat(twin.table(resource).revisions()).isEqualTo(location.table(resource).revisions());
    }
  }

  @Test
  void changesWhileServingNeverTearAList() throws Exception {
    service.fill(location, InitialRows.SMALL);
    try (Churn churn = service.churn(location, 3).start(2_000)) {
      for (int round = 0; round < 30; round++) {
        JsonNode rows = client.json(Endpoint.INVENTORY);
        assertThat(rows).extracting(row -> row.get("inventoryId").asLong()).isSorted();
      }
      assertThat(churn.counts()).isNotEmpty();
    }
  }
}
