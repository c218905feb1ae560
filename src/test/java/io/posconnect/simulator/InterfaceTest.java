package io.posconnect.simulator;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.posconnect.simulator.Endpoint.Permission;
import io.posconnect.simulator.SimulatedLocation.InitialRows;
import java.net.URLEncoder;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.time.Instant;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** The simulator behaves as the interface document states, sentence by sentence. */
class InterfaceTest {

  private static final ObjectMapper MAPPER = new ObjectMapper();

  @AutoClose private final Simulator service = Simulator.builder().unlimited().start();
  private final SimulatedLocation location = service.location();
  private final Client client = Client.of(service);

  @Test
  void listEndpointsAnswerWithBareArraysOfAnyLength() throws Exception {
    assertThat(client.get(Endpoint.PRODUCTS).body()).isEqualTo("[]");
    service.fill(location, InitialRows.SMALL);
    for (String path :
        List.of(
            Endpoint.PRODUCTS,
            Endpoint.CUSTOMERS,
            Endpoint.CUSTOMERS_PAGINATED,
            Endpoint.REGISTER_TRANSACTIONS,
            Endpoint.INVENTORY)) {
      HttpResponse<String> response = client.get(path);
      assertThat(response.statusCode()).as(path).isEqualTo(200);
      assertThat(response.headers().firstValue("Content-Type").orElse(""))
          .startsWith("application/json");
      assertThat(MAPPER.readTree(response.body()).isArray()).as(path).isTrue();
    }
  }

  @Test
  void customersHaveThePublishedFieldsAndProductsManyMore() throws Exception {
    location.products().create();
    JsonNode product = client.json(Endpoint.PRODUCTS).get(0);
    assertThat(product.get("productId").isIntegralNumber()).isTrue();
    assertThat(product.get("name").isTextual()).isTrue();
    assertThat(product.get("price").isNumber()).isTrue();
    assertThat(product.size()).isGreaterThan(60);

    location.customers().create();
    JsonNode customer = client.json(Endpoint.CUSTOMERS).get(0);
    assertThat(customer.get("customerID").isIntegralNumber()).isTrue();
    assertThat(customer.get("firstName").isTextual()).isTrue();
    assertThat(customer.get("lastName").isTextual()).isTrue();
  }

  @Test
  void loyaltyMovementsHaveOnlyThePublishedFields() throws Exception {
    long first = location.loyaltyTransactions().create();
    location.loyaltyTransactions().duplicate(first);
    JsonNode items = client.json(Endpoint.LOYALTY).get("items");
    assertThat(items.get(0).fieldNames())
        .toIterable()
        .containsExactly(
            ("lspId locId customerId transactionType transactionDateUtc points"
                    + " adjustmentReason comment registerTransactionId")
                .split(" "));
    assertThat(items.get(1)).isEqualTo(items.get(0));
  }

  @Test
  void registerTransactionsMayLackTheirTransactionId() throws Exception {
    location.registerTransactions().generate(100);
    JsonNode rows = client.json(Endpoint.REGISTER_TRANSACTIONS);
    assertThat(rows).allMatch(row -> row.get("registerTransactionId").isIntegralNumber());
    assertThat(rows).anyMatch(row -> row.get("transactionId").isNull());
    assertThat(rows).anyMatch(row -> row.get("transactionId").isIntegralNumber());
    assertThat(rows).noneMatch(row -> row.has("lastModifiedDateUTC"));
  }

  @Test
  void onlyWhatChangedSinceIsReturnedAndNothingDeleted() throws Exception {
    for (Table table : List.of(location.products(), location.customers())) {
      String path = table == location.products() ? Endpoint.PRODUCTS : Endpoint.CUSTOMERS;
      table.createAt(Instant.parse("2026-01-01T00:00:00Z"));
      table.createAt(Instant.parse("2026-01-02T00:00:00Z"));
      table.createAt(Instant.parse("2026-01-02T00:00:00.001Z"));
      String from = "?fromLastModifiedDateUTC=2026-01-02T00:00:00Z";
      assertThat(client.json(path + from)).hasSize(1);
      assertThat(client.json(path)).hasSize(3);
      List.copyOf(table.ids()).forEach(table::delete);
      assertThat(client.json(path)).isEmpty();
      assertThat(client.json(path + "?fromLastModifiedDateUTC=2000-01-01T00:00:00Z")).isEmpty();
    }
  }

  @Test
  void aDateRangeIsOpenAtBothBoundsUnlessConfigured() throws Exception {
    String range =
        "?fromLastModifiedDateUTC=2026-01-01T00:00:00Z&toLastModifiedDateUTC=2026-01-03T00:00:00Z";
    assertThat(rowsOfThreeDays(Simulator.builder(), range)).isEqualTo(1);
    assertThat(rowsOfThreeDays(Simulator.builder().inclusive(true, false), range)).isEqualTo(2);
    assertThat(rowsOfThreeDays(Simulator.builder().inclusive(true, true), range)).isEqualTo(3);
  }

  private static int rowsOfThreeDays(SimulatorBuilder how, String query) throws Exception {
    try (Simulator other = how.start()) {
      for (int day = 1; day <= 3; day++) {
        Instant at = Instant.parse("2026-01-0" + day + "T00:00:00Z");
        other.location().registerTransactions().createAt(at);
      }
      return Client.of(other).json(Endpoint.REGISTER_TRANSACTIONS + query).size();
    }
  }

  @Test
  void unknownParametersAreSilentlyIgnored() throws Exception {
    location.products().create();
    assertThat(client.json(Endpoint.PRODUCTS + "?fromlastmodified=2999-01-01T00:00:00Z"))
        .hasSize(1);
    location.inventory().create();
    assertThat(client.json(Endpoint.INVENTORY + "?fromLastModifiedDateUTC=2999-01-01T00:00:00Z"))
        .hasSize(1);
  }

  @Test
  void aTimestampWithoutZoneIsRefused() throws Exception {
    for (String bad : List.of("2026-01-01T00:00:00", "yesterday", "", "2026-01-01")) {
      HttpResponse<String> response =
          client.get(Endpoint.PRODUCTS + "?fromLastModifiedDateUTC=" + bad);
      assertThat(response.statusCode()).as(bad).isEqualTo(400);
      assertThat(MAPPER.readTree(response.body()).at("/errors/fromLastModifiedDateUTC")).hasSize(1);
    }
  }

  @Test
  void pagesEndWithAShortOne() throws Exception {
    location.customers().generate(250);
    assertThat(customers(1, 100)).hasSize(100);
    assertThat(customers(3, 100)).hasSize(50);
    assertThat(customers(2, 125)).isNull();
    assertThat(customers(2, 50).get(0).get("customerID").asInt()).isEqualTo(51);
    assertThat(customers(6, 50)).isEmpty();
    assertThat(customers(0, 50)).isNull();
  }

  private JsonNode customers(int number, int size) throws Exception {
    HttpResponse<String> page =
        client.get(Endpoint.CUSTOMERS_PAGINATED + "?PageNumber=" + number + "&PageSize=" + size);
    return page.statusCode() == 400 ? null : MAPPER.readTree(page.body());
  }

  @Test
  void pageKeysLeadThroughTheWholeListInPagesUpToTheEndpointsMaximum() throws Exception {
    location.loyaltyTransactions().generate(150);
    JsonNode cut = client.json(Endpoint.LOYALTY + "?maxPageSize=1000");
    assertThat(cut.get("items")).hasSize(100);
    assertThat(cut.get("pageSize").asInt()).isEqualTo(100);
    List<JsonNode> items = new ArrayList<>();
    JsonNode envelope = client.json(Endpoint.LOYALTY + "?maxPageSize=40");
    envelope.get("items").forEach(items::add);
    while (envelope.get("haveMoreData").asBoolean()) {
      assertThat(envelope.get("pageSize").asInt()).isEqualTo(40);
      String key = envelope.get("nextPageKey").asText();
      assertThat(key).startsWith("offset:");
      String encoded = URLEncoder.encode(key, UTF_8);
      envelope = client.json(Endpoint.LOYALTY + "?maxPageSize=40&pageKey=" + encoded);
      envelope.get("items").forEach(items::add);
    }
    assertThat(items).hasSize(150);
    assertThat(envelope.get("nextPageKey").isTextual()).as("the last page has one too").isTrue();
  }

  @Test
  void aMissingOrWrongKeyIs401WithAnEmptyBody() throws Exception {
    HttpRequest.Builder wrong = client.request(Endpoint.WHOAMI);
    for (String header :
        List.of(
            Client.basic("unknown:"),
            Client.basic(Simulator.KEY),
            Client.basic(Simulator.KEY + ":x"),
            "Bearer " + Simulator.KEY,
            "Basic ???")) {
      HttpResponse<String> response = client.send(wrong.setHeader("Authorization", header).build());
      assertThat(response.statusCode()).isEqualTo(401);
      assertThat(response.body()).isEmpty();
    }
  }

  @Test
  void aPasswordCanBeRequired() throws Exception {
    try (Simulator strict = Simulator.builder().password("second").start()) {
      strict.location();
      Client other = Client.of(strict);
      assertThat(other.status(Endpoint.WHOAMI)).isEqualTo(401);
      HttpRequest both =
          other
              .request(Endpoint.WHOAMI)
              .setHeader("Authorization", Client.basic(Simulator.KEY + ":second"))
              .build();
      assertThat(other.send(both).statusCode()).isEqualTo(200);
    }
  }

  @Test
  void aMissingPermissionIs403ButWhoamiNeedsNone() throws Exception {
    location.forbid(Permission.REPORTING);
    HttpResponse<String> response = client.get(Endpoint.INVENTORY);
    assertThat(response.statusCode()).isEqualTo(403);
    assertThat(MAPPER.readTree(response.body()).get("Message").asText()).contains("Reporting");
    assertThat(client.status(Endpoint.REGISTER_TRANSACTIONS)).isEqualTo(403);
    assertThat(client.status(Endpoint.PRODUCTS)).isEqualTo(200);
    location.permit(Permission.REPORTING);
    assertThat(client.status(Endpoint.INVENTORY)).isEqualTo(200);

    for (Permission permission : Permission.values()) {
      location.forbid(permission);
    }
    JsonNode store = client.json(Endpoint.WHOAMI);
    assertThat(store.get("LocationName").asText()).isEqualTo("Store No. 1");
    assertThat(store.get("Address").isTextual()).isTrue();
    assertThat(store.get("LspName").isTextual()).isTrue();
  }

  @Test
  void onlyGetOfAKnownPathIsAllowed() throws Exception {
    for (String method : List.of("POST", "PUT", "DELETE", "HEAD")) {
      HttpRequest request =
          client
              .request(Endpoint.PRODUCTS)
              .method(method, HttpRequest.BodyPublishers.ofString("{}"))
              .build();
      assertThat(client.send(request).statusCode()).as(method).isEqualTo(405);
    }
    assertThat(client.status("/product")).isEqualTo(404);
  }

  @Test
  void everyAnswerHasTheServicesTime() throws Exception {
    service.skew(Duration.ofHours(-3));
    for (String path : List.of(Endpoint.WHOAMI, "/nowhere")) {
      String date = client.get(path).headers().firstValue("Date").orElseThrow();
      Instant shown = ZonedDateTime.parse(date, DateTimeFormatter.RFC_1123_DATE_TIME).toInstant();
      assertThat(Duration.between(shown, Instant.now()))
          .isBetween(Duration.ofHours(3).minusMinutes(1), Duration.ofHours(3).plusMinutes(1));
    }
  }

  @Test
  void eachKeyOpensAStoreOfItsOwn() throws Exception {
    service.location("second-key").products().generate(3);
    assertThat(client.json(Endpoint.PRODUCTS)).isEmpty();
    Client second = new Client(service, "second-key");
    assertThat(second.json(Endpoint.PRODUCTS)).hasSize(3);
    assertThat(second.json(Endpoint.WHOAMI).get("LocationName").asText()).isEqualTo("Store No. 2");
  }

  @Test
  void aRevokedKeyIs401UntilItIsRestoredAndARotatedOneOpensTheSameStore() throws Exception {
    service.revoke(Simulator.KEY);
    assertThat(client.status(Endpoint.WHOAMI)).isEqualTo(401);
    service.restore(Simulator.KEY);
    assertThat(client.status(Endpoint.WHOAMI)).isEqualTo(200);

    location.products().create();
    service.rotate(Simulator.KEY, "rotated");
    assertThat(client.status(Endpoint.PRODUCTS)).isEqualTo(401);
    assertThat(new Client(service, "rotated").json(Endpoint.PRODUCTS)).hasSize(1);
  }
}
