package io.posconnect.simulator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import com.fasterxml.jackson.databind.JsonNode;
import io.posconnect.simulator.ResponseHistory.ShownVersion;
import io.posconnect.simulator.SimulatedLocation.InitialRows;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class SimulatedLocationTest {

  private final TestClock clock = new TestClock();
  private final Simulator service = Simulator.builder().clock(clock).unlimited().start();
  private final SimulatedLocation location = service.location();
  private final Client client = Client.of(service);

  @AfterEach
  void end() {
    service.close();
  }

  private String text(Table table, long id) {
    for (Row row : table.rows()) {
      if (row.id() == id) {
        return new String(table.template().render(row), StandardCharsets.UTF_8);
      }
    }
    throw new IllegalArgumentException("no row " + id);
  }

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
  void anUpdateChangesContentRevisionAndTime() {
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
  void aTouchMovesOnlyTheTime() {
    Table products = location.products();
    long id = products.create();
    String before = text(products, id);
    clock.advance(Duration.ofSeconds(1));
    products.touch(id);
    assertThat(text(products, id).replace("12:00:01", "12:00:00")).isEqualTo(before);
  }

  @Test
  void respellingChangesTheTextAndNotTheContent() {
    Table products = location.products();
    products.generate(30);
    for (long id : products.ids()) {
      String before = text(products, id);
      JsonNode content = products.row(id);
      products.respell(id);
      assertThat(text(products, id)).isNotEqualTo(before);
      for (Map.Entry<String, JsonNode> field : content.properties()) {
        JsonNode now = products.row(id).get(field.getKey());
        if (field.getValue().isNumber()) {
          assertThat(now.decimalValue()).isEqualByComparingTo(field.getValue().decimalValue());
        } else {
          assertThat(now).isEqualTo(field.getValue());
        }
      }
    }
  }

  @Test
  void anyNumberIsSpelledInFourWays() {
    BigDecimal ten = new BigDecimal("10.00");
    assertThat(FieldWriter.spelled(ten, 0)).isEqualTo("10");
    assertThat(FieldWriter.spelled(ten, 1)).isEqualTo("10.0");
    assertThat(FieldWriter.spelled(ten, 2)).isEqualTo("1e1");
    assertThat(FieldWriter.spelled(ten, 3)).isEqualTo("10.00");
    assertThat(FieldWriter.spelled(new BigDecimal("0.00"), 2)).isEqualTo("0e0");
    assertThat(FieldWriter.spelled(new BigDecimal("10.50"), 2)).isEqualTo("105e-1");
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
  void aLateCommitIsVisibleNowWithATimeInThePast() throws Exception {
    Instant past = clock.instant().minus(Duration.ofMinutes(4));
    long id = location.products().createAt(past);
    String since = Endpoint.PRODUCTS + "?fromLastModifiedDateUTC=";
    assertThat(client.json(since + clock.instant().minusSeconds(60))).isEmpty();
    assertThat(client.json(since + clock.instant().minusSeconds(300))).hasSize(1);
    location.products().updateAt(id, past.plusSeconds(1));
    assertThat(location.products().revision(id)).isEqualTo(2);
  }

  @Test
  void aRowThatIsGoneCannotChange() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> location.products().update(1))
        .withMessage("products has no row 1");
  }

  @Test
  void historyHoldsEveryDistinctContentThatWasShownInOrder() throws Exception {
    Table products = location.products();
    long id = products.create();
    client.get(Endpoint.PRODUCTS);
    products.respell(id);
    client.get(Endpoint.PRODUCTS);
    products.update(id);
    products.update(id);
    client.get(Endpoint.PRODUCTS + "?fromLastModifiedDateUTC=2000-01-01T00:00:00Z");
    clock.advance(Duration.ofSeconds(1));
    products.touch(id);
    client.get(Endpoint.PRODUCTS);
    products.delete(id);
    client.get(Endpoint.PRODUCTS + "?fromLastModifiedDateUTC=2000-01-01T00:00:00Z");
    assertThat(location.history().of(SimulatedLocation.PRODUCTS, id))
        .extracting(ShownVersion::revision)
        .containsExactly(1, 3, 3);
    client.get(Endpoint.PRODUCTS);
    client.get(Endpoint.PRODUCTS);
    assertThat(location.history().of(SimulatedLocation.PRODUCTS, id))
        .extracting(ShownVersion::present)
        .containsExactly(true, true, true, false);
  }

  @Test
  void historyCanBeLeftOut() throws Exception {
    try (Simulator light = Simulator.builder().withoutHistory().start()) {
      light.location().products().create();
      Client.of(light).get(Endpoint.PRODUCTS);
      assertThat(light.location().history().of(SimulatedLocation.PRODUCTS)).isEmpty();
    }
  }

  @Test
  void theSameSeedMakesTheSameDay() {
    SimulatedLocation twin = service.location("twin");
    for (SimulatedLocation each : new SimulatedLocation[] {location, twin}) {
      service.fill(each, InitialRows.SMALL);
      try (Churn churn = service.churn(each, 42)) {
        churn.run(500);
        assertThat(churn.counts().values().stream().mapToInt(n -> n).sum()).isEqualTo(500);
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
  void aBusyDayTouchesEverything() {
    service.fill(location, InitialRows.SMALL);
    try (Churn churn = service.churn(location, 7)) {
      churn.run(2_000);
      assertThat(churn.counts().keySet()).containsExactlyInAnyOrder(Churn.Event.values());
    }
    assertThat(location.inventory().revisions().values()).anyMatch(revision -> revision > 2);
    assertThat(location.loyaltyTransactions().size()).isGreaterThan(InitialRows.SMALL.loyalty());
  }

  @Test
  void extraEndpointsServeTheirOwnTables() throws Exception {
    Endpoint menu = new Endpoint("/menus", "menus", Endpoint.Style.FULL, Optional.empty(), 10);
    try (Simulator more =
        Simulator.builder().endpoint(menu).keyPages("/points", SimulatedLocation.LOYALTY).start()) {
      more.location().table("menus").generate(3);
      assertThat(Client.of(more).json("/menus")).hasSize(3);
      assertThat(Client.of(more).json("/points").get("items")).isEmpty();
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

  /** A clock that stands still until it is moved. */
  static final class TestClock implements InstantSource {

    private final AtomicReference<Instant> now =
        new AtomicReference<>(Instant.parse("2026-03-01T12:00:00Z"));

    void advance(Duration by) {
      now.updateAndGet(then -> then.plus(by));
    }

    @Override
    public Instant instant() {
      return now.get();
    }
  }
}
