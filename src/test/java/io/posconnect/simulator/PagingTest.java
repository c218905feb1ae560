package io.posconnect.simulator;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.posconnect.RandomCases;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;

class PagingTest {

  private static final Simulator SERVICE = Simulator.builder().unlimited().start();

  @AfterAll
  static void end() {
    SERVICE.close();
  }

  @Test
  void anyPageSizeGivesTheSameRows() {
    RandomCases.check(40, PagingTest::pagesHoldAllRows);
  }

  private static void pagesHoldAllRows(RandomGenerator random) throws Exception {
    int size = random.nextInt(1, 101);
    int rows = random.nextInt(231);
    String key = "rows-" + rows;
    SimulatedLocation location = SERVICE.location(key);
    location.customers().generate(rows - location.customers().size());
    Client client = new Client(SERVICE, key);
    List<JsonNode> paged = new ArrayList<>();
    int page = 0;
    JsonNode answer;
    do {
      page++;
      answer =
          client.json(Endpoint.CUSTOMERS_PAGINATED + "?PageNumber=" + page + "&PageSize=" + size);
      answer.forEach(paged::add);
    } while (answer.size() == size);
    assertThat(paged).hasSize(rows).containsExactlyElementsOf(client.json(Endpoint.CUSTOMERS));
  }

  @Test
  void anyMaxPageSizeGivesTheSameItems() {
    RandomCases.check(40, PagingTest::pageKeysLeadToAllItems);
  }

  private static void pageKeysLeadToAllItems(RandomGenerator random) throws Exception {
    int size = random.nextInt(1, 101);
    int rows = random.nextInt(231);
    String key = "items-" + rows;
    SimulatedLocation location = SERVICE.location(key);
    location.loyaltyTransactions().generate(rows - location.loyaltyTransactions().size());
    Client client = new Client(SERVICE, key);
    List<JsonNode> items = new ArrayList<>();
    String target = Endpoint.LOYALTY + "?maxPageSize=" + size;
    JsonNode envelope = client.json(target);
    envelope.get("items").forEach(items::add);
    while (envelope.get("haveMoreData").asBoolean()) {
      String next = envelope.get("nextPageKey").asText();
      envelope =
          client.json(target + "&pageKey=" + URLEncoder.encode(next, StandardCharsets.UTF_8));
      envelope.get("items").forEach(items::add);
    }
    assertThat(items).hasSize(rows);
    assertThat(items)
        .extracting(JsonNode::toString)
        .containsExactlyElementsOf(
            itemsAtOnce(client, rows).stream().map(JsonNode::toString).toList());
  }

  private static List<JsonNode> itemsAtOnce(Client client, int rows) throws Exception {
    List<JsonNode> items = new ArrayList<>();
    for (int offset = 0; offset < rows; offset += 100) {
      client
          .json(Endpoint.LOYALTY + "?pageKey=offset%3A" + offset)
          .get("items")
          .forEach(items::add);
    }
    return items;
  }
}
