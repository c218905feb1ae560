package io.posconnect.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.posconnect.Messages;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.common.config.ConfigValue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class RefusalTest {

  /** What is wrong, by setting; several faults of one are joined. */
  private static Map<String, String> refusals(Props props) {
    return SourceConfig.validate(props.map(), config -> List.of(), config -> List.of())
        .configValues()
        .stream()
        .filter(value -> !value.errorMessages().isEmpty())
        .peek(value -> value.errorMessages().forEach(Messages::assertExplained))
        .collect(
            Collectors.toMap(
                ConfigValue::name, value -> String.join(" / ", value.errorMessages())));
  }

  private static void refuses(Props props, String setting, String message) {
    assertThat(refusals(props)).containsExactly(Map.entry(setting, message));
    assertThatThrownBy(props::config).isInstanceOf(ConfigException.class).hasMessage(message);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      quoteCharacter = '`',
      value = {
        "poll.interval.ms; 0; must be between 1 and 3155760000000",
        "lookback.ms; -1; must be between 0 and 3155760000000",
        "window.max.ms; 59999; must be between 60000 and 3155760000000",
        "reconcile.interval.ms; -1; must be between 0 and 3155760000000",
        "reconcile.window.ms; -1; must be between 0 and 3155760000000",
        "checkpoint.interval.ms; -1; must be between 0 and 3155760000000",
        "deletes.confirm.ms; -1; must be between 0 and 3155760000000",
        "request.timeout.ms; 0; must be between 1 and 3155760000000",
        "stall.timeout.ms; 0; must be between 1 and 3155760000000",
        "retry.backoff.ms; 0; must be between 1 and 3155760000000",
        "retry.backoff.max.ms; 0; must be between 1 and 3155760000000",
        "errors.fail.after.ms; -1; must be between 0 and 3155760000000",
        "deletes.max.ratio; 1.1; must be between 0 and 1",
        "deletes.max.ratio; -0.1; must be between 0 and 1",
        "rate.limit.share; 0.0; must be more than 0 and at most 1",
        "rate.limit.share; 1.1; must be more than 0 and at most 1",
        "digest.max.keys; 0; must be at least 1",
        "digest.buckets; 1025; must be between 1 and 1024",
        "fetch.threads; 0; must be between 1 and 64",
        "batch.max.records; 1; must be between 2 and 100000",
        "buffer.max.bytes; 0; must be at least 1",
        "resources.products.requests.per.minute; 0; must be between 1 and 60000",
        "resources.customers.page.size; 0; must be between 1 and 1000000",
        "resources.customers.first.page; 2; must be between 0 and 1",
        "start.from; yesterday; must be earliest, now, or an instant such as 2024-01-31T00:00:00Z",
        "start.from; 2024-01-31; must be earliest, now, or an instant such as 2024-01-31T00:00:00Z",
        "event.format; json; must be one of envelope, flat",
        "decimal.handling.mode; exact; must be one of precise, string, double",
        "errors.rows; ignore; must be one of dead-letter, fail, skip",
        "errors.streams; ignore; must be one of isolate, fail",
        "resources.products.retrieval; all;"
            + " must be one of full, modified-since, date-range, pages, cursor",
        "resources.customers.snapshot; all; must be one of list, pages",
        "resources.products.path; products; must be a path that begins with a slash and has no"
            + " query, such as /reporting/inventory",
        "resources.products.path; /p?x=1; must be a path that begins with a slash and has no"
            + " query, such as /reporting/inventory",
        "resources.products.parameter.from; a b; must be the name of a query parameter",
        "topic.prefix; a b; must be letters, digits, dots, - and _, and not begin or end with a dot",
        "topic.prefix; pos.; must be letters, digits, dots, - and _, and not begin or end with a"
            + " dot",
        "topic.template; {prefix}.all; must be a name that holds {resource}, and may hold {prefix}"
            + " and {location}",
        "topic.template; {store}.{resource}; must be a name that holds {resource}, and may hold"
            + " {prefix} and {location}",
        "checkpoints.topic; a/b; must be the name of a topic: letters, digits, dots, - and _, at most"
            + " 249 of them",
        "location.name; Down Town; must be lower-case letters, digits, - and _, and begin with a"
            + " letter or digit",
        "user.agent; é; must be printable ASCII"
      })
  void aValueOutOfBoundsIsRefused(String setting, String value, String demand) {
    refuses(
        Props.one().with(setting, value),
        setting,
        "Invalid value " + value + " for configuration " + setting + ": " + demand);
  }

  @ParameterizedTest
  @ValueSource(strings = {"/", "//x", "/a//b", "/a/../b", "/a/%2E%2e", "/a b", "/a%", "/a#b"})
  void aPathThatCannotBeSentOrThatClimbsIsRefused(String path) {
    assertThat(refusals(Props.one().with("resources.products.path", path)))
        .containsOnlyKeys("resources.products.path");
  }

  @ParameterizedTest
  @ValueSource(strings = {"/x", "/a/b/", "/a.b/..c", "/a%20b"})
  void aPathOfProperSegmentsIsAccepted(String path) {
    assertThat(refusals(Props.one().with("resources.products.path", path))).isEmpty();
  }

  @Test
  void listsMustHoldNamesEachOnce() {
    assertThat(refusals(Props.one().with("resources", "products,Products")).get("resources"))
        .endsWith("must be names, each once, of lower-case letters, digits and -, and not empty");
    assertThat(refusals(Props.one().with("resources", "products,products")))
        .containsKey("resources");
    assertThat(refusals(Props.one().with("resources", ""))).containsKey("resources");
    assertThat(refusals(Props.one().with("locations", "a,a"))).containsKey("locations");
    assertThat(refusals(Props.one().with("locations", "a/b"))).containsKey("locations");
    assertThat(refusals(Props.one().with("resources.products.key.fields", "a|")))
        .containsOnlyKeys("resources.products.key.fields");
    assertThat(refusals(Props.one().with("resources.products.ignore.fields", "a,a")))
        .containsOnlyKeys("resources.products.ignore.fields");
  }

  @Test
  void aPrefixIsRequired() {
    assertThat(refusals(Props.one().without("topic.prefix")))
        .containsExactly(
            Map.entry(
                "topic.prefix",
                "Missing required configuration \"topic.prefix\" which has no default value."));
  }

  @ParameterizedTest
  @CsvSource({
    "ftp://example.com",
    "example.com",
    "https://",
    "https://user:hush@example.com",
    "https://example.com?x=hush",
    "https://example.com/#hush"
  })
  void anAddressThatIsNoneIsRefusedAndNotRepeated(String url) {
    refuses(
        Props.one().with("base.url", url),
        "base.url",
        "base.url must be an absolute http or https address without user, query and fragment,"
            + " such as https://api.example.com/v1");
  }

  @Test
  void aProxyWithASecretIsRefusedAndNotRepeated() {
    refuses(
        Props.one().with("proxy.url", "http://user:hush@proxy.example.com"),
        "proxy.url",
        "proxy.url must be the http address of a proxy without user and path, such as"
            + " http://proxy.example.com:3128");
  }

  @Test
  void anAddressIsRequired() {
    refuses(
        Props.one().without("base.url"),
        "base.url",
        "base.url: location default has no address; set it to the service's");
  }

  @Test
  void aKeyIsRequiredForEachLocation() {
    refuses(
        Props.one().without("api.key"),
        "api.key",
        "api.key: location default has no key; set it to the key of that store");
    refuses(
        Props.one().with("api.key", " "),
        "api.key",
        "api.key: location default has no key; set it to the key of that store");
    refuses(
        Props.several("a", "b").without("locations.b.api.key"),
        "locations.b.api.key",
        "locations.b.api.key: location b has no key; set it to the key of that store");
  }

  @ParameterizedTest
  @ValueSource(strings = {"hush:hush", "hush\nhush"})
  void aKeyThatCannotBeSentIsRefusedAndNotRepeated(String key) {
    refuses(
        Props.one().with("api.key", key),
        "api.key",
        "api.key: key of location default holds a colon, or it or its password a control"
            + " character, which cannot be sent; copy it again");
  }

  @Test
  void plainHttpIsRefusedUnlessAllowedOrLoopback() {
    refuses(
        Props.one().with("base.url", "http://api.example.com"),
        "base.url",
        "base.url: would send the key of location default unencrypted; use https, or set"
            + " allow.http=true");
    refuses(
        Props.several("a", "b").with("locations.b.base.url", "http://127.example.com"),
        "locations.b.base.url",
        "locations.b.base.url: would send the key of location b unencrypted; use https, or set"
            + " allow.http=true");
    for (String loopback : List.of("localhost", "127.0.0.1:8080", "[::1]:8080")) {
      assertThat(refusals(Props.one().with("base.url", "http://" + loopback))).isEmpty();
    }
    assertThat(
            refusals(
                Props.one().with("base.url", "http://api.example.com").with("allow.http", "true")))
        .isEmpty();
  }

  @Test
  void oneStoreUnderTwoNamesIsRefused() {
    refuses(
        Props.several("a", "b").with("locations.b.api.key", "key-of-a"),
        "locations.b.api.key",
        "locations.b.api.key: is the same key as locations.a.api.key at the same address, so"
            + " locations a and b are one store; give each its own key, or remove one");
    assertThat(
            refusals(
                Props.several("a", "b")
                    .with("locations.b.api.key", "key-of-a")
                    .with("locations.b.base.url", "https://b.example.com")))
        .isEmpty();
  }

  @Test
  void theOnlyLocationHasNoNameBesideAList() {
    refuses(
        Props.several("a").with("location.name", "x"),
        "location.name",
        "location.name: names the only location, but locations is given; remove one");
  }

  @Test
  void aSettingOfALocationThatIsNotListedIsRefused() {
    refuses(
        Props.several("airport").with("locations.ariport.start.from", "now"),
        "locations.ariport.start.from",
        "locations.ariport.start.from: there is no location ariport; add it to locations, or"
            + " correct the name (known: airport)");
  }

  @Test
  void aNameThatIsNoSettingIsRefused() {
    refuses(
        Props.one().with("resources.products.poll.intervall.ms", "1"),
        "resources.products.poll.intervall.ms",
        "resources.products.poll.intervall.ms: is no setting of a resource; perhaps"
            + " poll.interval.ms is meant, or remove it");
    refuses(
        Props.one().with("locations.default.apikey", "hush"),
        "locations.default.apikey",
        "locations.default.apikey: is no setting of a location; perhaps api.key is meant, or"
            + " remove it");
    refuses(
        Props.one().with("resources.products.api.key", "hush"),
        "resources.products.api.key",
        "resources.products.api.key: is no setting of a resource; perhaps path is meant, or"
            + " remove it");
    refuses(
        Props.one().with("resources.products", "x"),
        "resources.products",
        "resources.products: is no setting; what is meant is resources.products.<setting>, or"
            + " remove it");
    refuses(
        Props.one().with("resources.Products.path", "/x"),
        "resources.Products.path",
        "resources.Products.path: \"Products\" is no name of a resource; use lower-case letters,"
            + " digits and -");
  }

  @Test
  void aResourceThatNobodyDescribesIsRefused() {
    refuses(
        Props.one().with("resources", "product"),
        "resources",
        "resources: product is not known; perhaps products is meant, or set"
            + " resources.product.path, .retrieval and .key.fields");
    refuses(
        Props.several("a").with("locations.a.resources", "custmers"),
        "locations.a.resources",
        "locations.a.resources: custmers is not known; perhaps customers is meant, or set"
            + " resources.custmers.path, .retrieval and .key.fields");
  }

  @Test
  void aResourceOfOnesOwnMustBeDescribedInFull() {
    assertThat(
            refusals(
                Props.one()
                    .with("resources", "gift-cards")
                    .with("resources.gift-cards.page.size", "9")))
        .containsOnly(
            Map.entry(
                "resources.gift-cards.path",
                "resources.gift-cards.path: is needed, since no path of gift-cards is published;"
                    + " set it, or remove gift-cards from resources"),
            Map.entry(
                "resources.gift-cards.retrieval",
                "resources.gift-cards.retrieval: is needed, since the catalog lacks gift-cards;"
                    + " set it to one of full, modified-since, date-range, pages, cursor"),
            Map.entry(
                "resources.gift-cards.key.fields",
                "resources.gift-cards.key.fields: is needed: name the fields that identify a row"
                    + " of gift-cards"));
  }

  @Test
  void aListedResourceWithoutAPublishedPathNeedsOne() {
    refuses(
        Props.one().with("resources", "loyalty-transactions"),
        "resources.loyalty-transactions.path",
        "resources.loyalty-transactions.path: is needed, since no path of loyalty-transactions is"
            + " published; set it, or remove loyalty-transactions from resources");
  }

  @Test
  void settingsOfAResourceThatIsNotReadAreRefused() {
    refuses(
        Props.one().with("resources.product.start.from", "now"),
        "resources.product.start.from",
        "resources.product.start.from: product is not among the resources; add it to resources,"
            + " or correct the name (perhaps products)");
  }

  @Test
  void settingsThatTheRetrievalDoesNotKnowAreRefused() {
    refuses(
        Props.one().with("resources.inventory.lookback.ms", "1"),
        "resources.inventory.lookback.ms",
        "resources.inventory.lookback.ms: has no effect, since inventory is read as full;"
            + " remove it");
    refuses(
        Props.one().with("resources.products.parameter.to", "t"),
        "resources.products.parameter.to",
        "resources.products.parameter.to: has no effect, since products is read as"
            + " modified-since; remove it");
  }

  @Test
  void keyFieldsOfASingleObjectAreRefused() {
    refuses(
        Props.one().with("resources.locations.key.fields", "id"),
        "resources.locations.key.fields",
        "resources.locations.key.fields: has no effect: locations is one object, known by its"
            + " location; remove it");
  }

  @Test
  void schemasThatCannotBeReadAreRefused(@TempDir Path folder) throws IOException {
    Path absent = folder.resolve("absent.avsc");
    Path broken = folder.resolve("broken.avsc");
    Files.writeString(broken, "\"string\"");

    refuses(
        Props.one().with("resources.products.schema", "{"),
        "resources.products.schema",
        "resources.products.schema must be an Avro schema of type record");
    refuses(
        Props.one().with("resources.products.schema.file", broken.toString()),
        "resources.products.schema.file",
        "resources.products.schema.file: must be a file with an Avro schema of type record");
    refuses(
        Props.one().with("resources.products.schema.file", absent.toString()),
        "resources.products.schema.file",
        "resources.products.schema.file: "
            + absent
            + " cannot be read on this worker"
            + " (NoSuchFileException); put it there, or give the schema inline");
    refuses(
        Props.one()
            .with("resources.products.schema", "{\"type\":\"record\",\"name\":\"P\",\"fields\":[]}")
            .with("resources.products.schema.file", absent.toString()),
        "resources.products.schema.file",
        "resources.products.schema.file: says the same as resources.products.schema; remove one");
  }

  @Test
  void topicsOfTwoPurposesAreRefused() {
    refuses(
        Props.one().with("checkpoints.topic", "pos.products"),
        "checkpoints.topic",
        "checkpoints.topic: gives checkpoints and resource products the same topic, pos.products (a dot"
            + " counts as _); choose another name");
    refuses(
        Props.one().with("checkpoints.topic", "x.y").with("dead.letters.topic", "x_y"),
        "dead.letters.topic",
        "dead.letters.topic: gives broken rows and checkpoints the same topic, x_y (a dot counts as"
            + " _); choose another name");
    refuses(
        Props.several("a", "a-b")
            .with("locations.a.resources", "b-c")
            .with("locations.a-b.resources", "c")
            .with("topic.template", "{location}-{resource}")
            .with("resources.b-c.path", "/b")
            .with("resources.b-c.retrieval", "full")
            .with("resources.b-c.key.fields", "id")
            .with("resources.c.path", "/c")
            .with("resources.c.retrieval", "full")
            .with("resources.c.key.fields", "id"),
        "topic.template",
        "topic.template: gives resource c and resource b-c the same topic, a-b-c (a dot counts as"
            + " _); choose another name");
  }

  @Test
  void topicsThatAreTooLongAreRefused() {
    assertThat(
            refusals(
                    Props.one()
                        .with("topic.prefix", "p".repeat(240))
                        .with("checkpoints.topic", "r")
                        .with("dead.letters.topic", "d"))
                .get("topic.template"))
        .contains("is no legal name; it must be the name of a topic");
  }

  @Test
  void contradictionsAreRefused() {
    refuses(
        Props.one().with("retry.backoff.ms", "400000"),
        "retry.backoff.ms",
        "retry.backoff.ms: is longer than retry.backoff.max.ms; lower it to at most 300000");
    refuses(
        Props.one().with("event.format", "flat").with("tombstones.on.delete", "false"),
        "tombstones.on.delete",
        "tombstones.on.delete: cannot be false with event.format=flat, where a tombstone is the"
            + " delete; remove one of them");
  }

  @Test
  void allFaultsAreToldAtOnce() {
    Props props =
        Props.one().without("base.url").without("api.key").with("retry.backoff.ms", "400000");

    assertThat(refusals(props)).containsOnlyKeys("base.url", "api.key", "retry.backoff.ms");
    assertThatThrownBy(props::config)
        .hasMessageContainingAll("base.url: ", "api.key: ", "retry.backoff.ms: ");
  }

  @Test
  void theServiceIsAskedOnlyWhenAllElseIsWellAndWanted() {
    AtomicInteger asked = new AtomicInteger();

    SourceConfig.validate(Props.one().without("api.key").map(), c -> List.of(), c -> count(asked));
    SourceConfig.validate(
        Props.one().with("validate.connection", "false").map(), c -> List.of(), c -> count(asked));
    assertThat(asked).hasValue(0);

    SourceConfig.validate(Props.one().map(), c -> List.of(), c -> count(asked));
    assertThat(asked).hasValue(1);
  }

  private static List<Fault> count(AtomicInteger asked) {
    asked.incrementAndGet();
    return List.of();
  }

  @Test
  void aFaultOfTheServiceStandsOnItsSettingEvenIfThatIsNotGiven() {
    List<ConfigValue> values =
        SourceConfig.validate(
                Props.one().map(),
                c -> List.of(),
                c -> List.of(new Fault("resources.products.path", "is gone")))
            .configValues();

    assertThat(values)
        .filteredOn(value -> value.name().equals("resources.products.path"))
        .singleElement()
        .satisfies(
            value ->
                assertThat(value.errorMessages())
                    .containsExactly("resources.products.path: is gone"));
  }
}
