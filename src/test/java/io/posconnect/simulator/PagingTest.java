package io.posconnect.simulator;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.lifecycle.AfterContainer;

class PagingTest {

  private static final Simulator SERVICE = Simulator.builder().unlimited().start();

  @AfterContainer
  static void end() {
    SERVICE.close();
  }

  @Property(tries = 40)
  void anyPageSizeGivesTheSameRows(
      @ForAll @IntRange(min = 1, max = 100) int size, @ForAll @IntRange(max = 230) int rows)
      throws Exception {
    String key = "rows-" + rows;
    Store store = SERVICE.store(key);
    store.customers().generate(rows - store.customers().size());
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

  @Property(tries = 40)
  void anyMaxPageSizeGivesTheSameItems(
      @ForAll @IntRange(min = 1, max = 100) int size, @ForAll @IntRange(max = 230) int rows)
      throws Exception {
    String key = "items-" + rows;
    Store store = SERVICE.store(key);
    store.loyaltyTransactions().generate(rows - store.loyaltyTransactions().size());
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
