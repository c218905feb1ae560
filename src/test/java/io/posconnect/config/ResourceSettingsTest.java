package io.posconnect.config;

import static org.assertj.core.api.Assertions.assertThat;

import io.posconnect.resource.Catalog;
import io.posconnect.resource.Resource;
import io.posconnect.resource.Retrieval;
import io.posconnect.resource.Retrieval.Cursor;
import io.posconnect.resource.Retrieval.DateRange;
import io.posconnect.resource.Retrieval.Full;
import io.posconnect.resource.Retrieval.ModifiedSince;
import io.posconnect.resource.Retrieval.Pages;
import io.posconnect.resource.Stream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class ResourceSettingsTest {

  private static final String SCHEMA =
      """
      {"type": "record", "name": "Product", "fields": [{"name": "productId", "type": "long"}]}\
      """;

  private static final Map<String, Retrieval> RETRIEVALS =
      Map.of(
          "products", new ModifiedSince("fromLastModifiedDateUTC"),
          "customers", new ModifiedSince("fromLastModifiedDateUTC"),
          "register-transactions",
              new DateRange("fromLastModifiedDateUTC", "toLastModifiedDateUTC"),
          "inventory", new Full(false),
          "locations", new Full(true));

  private static Resource resource(Props props, String name) {
    return props.config().resource(new Stream("default", name));
  }

  @Test
  void takesResourceFromCatalogWithoutOverrides() {
    for (Catalog.Entry entry : Catalog.entries()) {
      if (entry.published()) {
        Resource resource = resource(Props.one(), entry.name());
        assertThat(resource)
            .isEqualTo(
                new Resource(
                    entry.name(),
                    entry.path(),
                    RETRIEVALS.get(entry.name()),
                    entry.keyFields(),
                    entry.occurrences(),
                    Set.of(),
                    entry.requestsPerMinute(),
                    entry.pollInterval(),
                    entry.lookback(),
                    List.of()));
        assertThat(resource.retrieval().style()).isEqualTo(entry.style());
      }
    }
  }

  @Test
  void readsLoyaltyTransactionsOnceTheyHavePath() {
    Props props = Props.one().with("resources.loyalty-transactions.path", "/loyalty/points");

    assertThat(props.config().streams())
        .hasSize(6)
        .contains(new Stream("default", "loyalty-transactions"));
    Resource loyalty = resource(props, "loyalty-transactions");
    assertThat(loyalty.path()).isEqualTo("/loyalty/points");
    assertThat(loyalty.retrieval()).isEqualTo(new Cursor("pageKey", "maxPageSize", 100));
    assertThat(loyalty.occurrences()).isTrue();
    assertThat(loyalty.keyFields())
        .containsExactly(
            "locId",
            "customerId",
            "transactionDateUtc",
            "transactionType",
            "registerTransactionId?",
            "points?");
  }

  @Test
  void skipsLoyaltyTransactionsThatListOmits() {
    Props props =
        Props.one()
            .with("resources", "products")
            .with("resources.loyalty-transactions.path", "/loyalty/points");

    assertThat(props.config().streams()).containsExactly(new Stream("default", "products"));
  }

  @Test
  void overridesEveryPartOfResource() {
    Resource products =
        resource(
            Props.of(
                    "resources.products.path=/v2/products resources.products.lookback.ms=9"
                        + " resources.products.ignore.fields=lastSeen"
                        + " resources.products.requests.per.minute=7"
                        + " resources.products.poll.interval.ms=8"
                        + " resources.products.parameter.from=since")
                .with("resources.products.key.fields", "id|productId, lspId"),
            "products");

    assertThat(products)
        .isEqualTo(
            new Resource(
                "products",
                "/v2/products",
                new ModifiedSince("since"),
                List.of("id|productId", "lspId"),
                false,
                Set.of("lastSeen"),
                7,
                Duration.ofMillis(8),
                Duration.ofMillis(9),
                List.of()));
  }

  @Test
  void definesResourceThatCatalogLacks() {
    Props props =
        Props.of(
            "resources=gift-cards resources.gift-cards.path=/gift/cards"
                + " resources.gift-cards.retrieval=pages"
                + " resources.gift-cards.key.fields=cardId"
                + " resources.gift-cards.occurrences=true");

    assertThat(resource(props, "gift-cards"))
        .isEqualTo(
            new Resource(
                "gift-cards",
                "/gift/cards",
                new Pages("PageNumber", "PageSize", 1, 100),
                List.of("cardId"),
                true,
                Set.of(),
                120,
                Duration.ofMinutes(1),
                Duration.ofMinutes(15),
                List.of()));
  }

  @Test
  void buildsEveryRetrievalFromItsParameters() {
    assertThat(retrieval("retrieval=full")).isEqualTo(new Full(false));
    assertThat(retrieval("retrieval=modified-since parameter.from=f"))
        .isEqualTo(new ModifiedSince("f"));
    assertThat(retrieval("retrieval=date-range parameter.from=f parameter.to=t"))
        .isEqualTo(new DateRange("f", "t"));
    assertThat(
            retrieval(
                "retrieval=pages parameter.page.number=n parameter.page.size=s first.page=0"
                    + " page.size=10000"))
        .isEqualTo(new Pages("n", "s", 0, 10_000));
    assertThat(
            retrieval(
                "retrieval=cursor parameter.page.key=k parameter.max.page.size=m page.size=5"))
        .isEqualTo(new Cursor("k", "m", 5));
  }

  private static Object retrieval(String settings) {
    String all = "path=/things key.fields=id " + settings;
    return resource(
            Props.of("resources=things resources.things." + all.replace(" ", " resources.things.")),
            "things")
        .retrieval();
  }

  @Test
  void readsSnapshotOfCustomersInPages() {
    assertThat(
            resource(Props.one().with("resources.customers.snapshot", "pages"), "customers")
                .retrieval())
        .isEqualTo(
            new ModifiedSince(
                "fromLastModifiedDateUTC",
                "/customer/customers-paginated",
                new Pages("PageNumber", "PageSize", 1, 100)));
    assertThat(
            resource(
                    Props.of(
                        "resources.customers.snapshot=pages"
                            + " resources.customers.snapshot.path=/paged"
                            + " resources.customers.page.size=50"),
                    "customers")
                .retrieval())
        .isEqualTo(
            new ModifiedSince(
                "fromLastModifiedDateUTC", "/paged", new Pages("PageNumber", "PageSize", 1, 50)));
  }

  @Test
  void readsPagesOfCustomersAtPathOfPages() {
    assertThat(
            resource(Props.one().with("resources.customers.retrieval", "pages"), "customers")
                .path())
        .isEqualTo("/customer/customers-paginated");
  }

  /** Also as Notepad and PowerShell write it. */
  @Test
  void readsSchemaInlineOrFromFile(@TempDir Path folder) throws IOException {
    Path file = folder.resolve("product.avsc");
    Props ofFile = Props.one().with("resources.products.schema.file", file.toString());
    for (String text : List.of(SCHEMA, "\ufeff" + SCHEMA)) {
      Files.writeString(file, text);
      assertThat(ofFile.config().schema("products")).contains(SCHEMA);
    }
    assertThat(Props.one().with("resources.products.schema", SCHEMA).config().schema("products"))
        .contains(SCHEMA);
  }

  @Test
  void prefersLocationThenResourceThenGeneralValue() {
    Props props = Props.several("a", "b");
    assertThat(interval(props, "a", "products")).isEqualTo(30_000);
    assertThat(lookback(props, "a", "products")).isEqualTo(5_400_000);
    assertThat(lookback(props, "a", "customers")).isEqualTo(900_000);

    props.with("poll.interval.ms", "1").with("lookback.ms", "10");
    assertThat(interval(props, "a", "products")).isEqualTo(1);
    assertThat(lookback(props, "a", "products")).isEqualTo(10);

    props.with("resources.products.poll.interval.ms", "2");
    assertThat(interval(props, "a", "products")).isEqualTo(2);
    assertThat(interval(props, "a", "customers")).isEqualTo(1);

    props.with("locations.a.poll.interval.ms", "3");
    assertThat(interval(props, "a", "products")).isEqualTo(3);
    assertThat(interval(props, "a", "customers")).isEqualTo(3);
    assertThat(interval(props, "b", "products")).isEqualTo(2);
  }

  /** The remedy for old answers (POS-411), which are refused whatever the retrieval. */
  @Test
  void acceptsLookbackForListsToo() {
    Props props = Props.one().with("resources.inventory.lookback.ms", "7200000");

    assertThat(lookback(props, "default", "inventory")).isEqualTo(7_200_000);
  }

  private static long interval(Props props, String location, String resource) {
    return props.config().resource(new Stream(location, resource)).pollInterval().toMillis();
  }

  private static long lookback(Props props, String location, String resource) {
    return props.config().resource(new Stream(location, resource)).lookback().toMillis();
  }
}
