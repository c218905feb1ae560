package io.posconnect.task;

import static org.assertj.core.api.Assertions.assertThat;

import io.posconnect.Messages;
import io.posconnect.config.Props;
import io.posconnect.config.SourceConfig;
import io.posconnect.offset.DigestScope;
import io.posconnect.problem.Incident;
import io.posconnect.record.TopicSchemas;
import io.posconnect.resource.Stream;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RecordContractsTest {

  private static final String RECORD =
      "{\"type\":\"record\",\"name\":\"%s\",\"fields\":[{\"name\":\"%s\",\"type\":\"long\"}]}";

  /** Of every topic, each topic once. */
  private static Collection<TopicSchemas> schemas(Props props) {
    SourceConfig config = props.config();
    Map<String, TopicSchemas> topics = new LinkedHashMap<>();
    for (Stream stream : config.streams()) {
      TopicSchemas.of(
              RecordContracts.contract(config, stream), RecordContracts.destination(config, stream))
          .forEach(schemas -> topics.putIfAbsent(schemas.topic(), schemas));
    }
    return topics.values();
  }

  private static List<String> names(Props props) {
    return schemas(props).stream()
        .flatMap(each -> List.of(each.key().name(), each.value().name()).stream())
        .toList();
  }

  @Test
  void everyTopicOfTheConnectorHasItsSchemas() {
    assertThat(schemas(Props.one()))
        .extracting(TopicSchemas::topic)
        .containsExactlyInAnyOrder(
            ("pos.products pos.customers pos.register-transactions pos.inventory"
                    + " pos.locations pos.checkpoints pos.status pos.dead-letters")
                .split(" "));
  }

  @Test
  void theirNamesAreTheSameInEveryEnvironment() {
    List<String> names = names(Props.one());

    assertThat(names)
        .contains("io.posconnect.ProductKey", "io.posconnect.products.Envelope")
        .isEqualTo(names(Props.several("a", "b").with("topic.prefix", "production")));
    assertThat(names(Props.one().with("event.format", "flat"))).contains("io.posconnect.Product");
    assertThat(names(Props.one().with("schema.namespace", "com.shop")))
        .contains("com.shop.ProductKey", "com.shop.products.Envelope", "io.posconnect.Checkpoint");
  }

  private static Props giftCards(String resource, String products, String giftCards) {
    return Props.one()
        .with("resources", "products," + resource)
        .with("resources." + resource + ".path", "/cards")
        .with("resources." + resource + ".retrieval", "full")
        .with("resources." + resource + ".key.fields", "id")
        .with("resources.products.schema", RECORD.formatted(products, "productId"))
        .with("resources." + resource + ".schema", RECORD.formatted(giftCards, "id"));
  }

  @ParameterizedTest
  @CsvSource({
    "cards, Product, Product",
    "cards, com.shop.Item, com.shop.item",
    "cards, Product, ProductKey",
    "cards, Product, io.posconnect.products.Envelope",
    "cards, Product, Source",
    "cards, Product, Checkpoint",
    "product, Product, Card"
  })
  void refusesTwoRecordsOfOneName(String resource, String products, String giftCards) {
    List<Incident> faults =
        RecordContracts.faults(giftCards(resource, products, giftCards).config());

    assertThat(faults)
        .singleElement()
        .satisfies(
            fault -> {
              assertThat(fault.subject()).startsWith("resources.").endsWith(".schema");
              assertThat(fault.toString()).contains("two different records would be called");
              Messages.assertExplained(fault.toString());
            });
  }

  private static final Stream CARDS = new Stream("default", "cards");

  private static DigestScope cards(String keyFields, String fields) {
    SourceConfig config =
        Props.of("resources=cards resources.cards.path=/cards" + " resources.cards.retrieval=full")
            .with("resources.cards.key.fields", keyFields)
            .with(
                "resources.cards.schema",
                "{\"type\":\"record\",\"name\":\"Card\",\"fields\":[" + fields + "]}")
            .config();
    return RecordContracts.scope(config, CARDS, RecordContracts.contract(config, CARDS));
  }

  private static String field(String name, String... aliases) {
    return "{\"name\":\"%s\",\"aliases\":[%s],\"type\":\"long\"}"
        .formatted(
            name,
            Arrays.stream(aliases)
                .map(alias -> '"' + alias + '"')
                .collect(Collectors.joining(",")));
  }

  @Test
  void everyNameOfAKeyFieldIsPartOfTheKeys() {
    String two = field("a") + "," + field("b");
    assertThat(cards("a", two).keys()).isEqualTo("location,a:int64");
    assertThat(cards("a|b", two).keys()).isEqualTo("location,a|b:int64");
    assertThat(cards("a", field("a", "x")).keys()).isEqualTo("location,a/x:int64");
    assertThat(cards("x", field("a", "x", "y")).keys()).isEqualTo("location,a/x/y:int64");
  }

  @Test
  void manyPrivatePathsTakeFewBytesOfEachOffset() {
    assertThat(scope(2).ignored()).isEqualTo("excluded address0.postcode,address1.postcode");
    assertThat(scope(100).ignored()).hasSizeLessThanOrEqualTo(100);
    assertThat(scope(100)).isEqualTo(scope(100)).isNotEqualTo(scope(99));
  }

  private static DigestScope scope(int paths) {
    SourceConfig config =
        Props.one()
            .with("resources", "products")
            .with(
                "resources.products.exclude.fields",
                IntStream.range(0, paths)
                    .mapToObj(i -> "address" + i + ".postcode")
                    .collect(Collectors.joining(",")))
            .config();
    Stream products = new Stream("default", "products");
    return RecordContracts.scope(config, products, RecordContracts.contract(config, products));
  }

  @Test
  void recordsOfDifferentNamesPass() {
    assertThat(RecordContracts.faults(giftCards("cards", "Product", "Card").config())).isEmpty();
    assertThat(RecordContracts.faults(Props.one().config())).isEmpty();
  }
}
