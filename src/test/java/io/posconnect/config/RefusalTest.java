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
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class RefusalTest {

  private static final String NO_SCHEMA =
      " cannot be read on this worker as a file of at most 1 MiB with an Avro schema of type record";

  /** What is wrong, by setting and without the remedies; several faults of one are joined. */
  static Map<String, String> refusals(Props props) {
    return SourceConfig.validate(props.map(), config -> List.of(), config -> List.of())
        .configValues()
        .stream()
        .filter(value -> !value.errorMessages().isEmpty())
        .peek(value -> value.errorMessages().forEach(Messages::assertExplained))
        .collect(
            Collectors.toMap(
                ConfigValue::name,
                value ->
                    value.errorMessages().stream()
                        .map(Messages::observed)
                        .collect(Collectors.joining(" / "))));
  }

  private static void refuses(Props props, String setting, String message) {
    assertThat(refusals(props)).containsExactly(Map.entry(setting, message));
    assertThatThrownBy(props::config)
        .isInstanceOf(ConfigException.class)
        .extracting(Throwable::getMessage)
        .extracting(Messages::observed)
        .isEqualTo(message);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      quoteCharacter = '`',
      value = {
        "poll.interval.ms; 0; Value must be at least 1",
        "lookback.ms; -1; Value must be at least 0",
        "window.max.ms; 59999; Value must be at least 60000",
        "reconcile.interval.ms; -1; Value must be at least 0",
        "reconcile.window.ms; -1; Value must be at least 0",
        "checkpoint.interval.ms; -1; Value must be at least 0",
        "deletes.confirm.ms; -1; Value must be at least 0",
        "request.timeout.ms; 0; Value must be at least 1",
        "stall.timeout.ms; 0; Value must be at least 1",
        "retry.backoff.ms; 0; Value must be at least 1",
        "retry.backoff.max.ms; 0; Value must be at least 1",
        "errors.fail.after.ms; -1; Value must be at least 0",
        "deletes.max.ratio; 1.1; Value must be no more than 1",
        "deletes.max.ratio; -0.1; Value must be at least 0",
        "rate.limit.share; 0.0; Value must be at least 0.001",
        "rate.limit.share; NaN; must be a number",
        "deletes.max.ratio; NaN; must be a number",
        "retry.backoff.max.ms; 31536000001; Value must be no more than 31536000000",
        "request.timeout.ms; 2147483648; Value must be no more than 86400000",
        "stall.timeout.ms; 2147483648; Value must be no more than 86400000",
        "rate.limit.share; 1.1; Value must be no more than 1",
        "digest.max.keys; 0; Value must be at least 1",
        "batch.max.records; 1; Value must be at least 2",
        "buffer.max.bytes; 0; Value must be at least 1",
        "resources.products.requests.per.minute; 0; Value must be at least 1",
        "resources.customers.page.size; 0; Value must be at least 1",
        "resources.customers.first.page; 2; Value must be no more than 1",
        "snapshot.id; june#2; must be text without # and control characters, at most 100 of them",
        "start.from; yesterday; must be earliest, now, or a past instant such as 2024-01-31T00:00:00Z",
        "start.from; +1000000000-12-31T23:59:59Z; must be earliest, now, or a past instant such as"
            + " 2024-01-31T00:00:00Z",
        "start.from; 2199-12-31T00:00:00Z; must be earliest, now, or a past instant such as"
            + " 2024-01-31T00:00:00Z",
        "start.from; 2024-01-31; must be earliest, now, or a past instant such as 2024-01-31T00:00:00Z",
        "event.format; json; String must be one of: envelope, flat",
        "decimal.handling.mode; exact; String must be one of: precise, string, double",
        "errors.rows; ignore; String must be one of: dead-letter, fail, skip",
        "errors.streams; ignore; String must be one of: isolate, fail",
        "ssl.truststore.type; BKS; must be PEM, or a type of key store that this JVM knows, such as"
            + " PKCS12",
        "resources.products.retrieval; all;"
            + " String must be one of: full, modified-since, date-range, pages, cursor",
        "resources.customers.snapshot; all; String must be one of: list, pages",
        "resources.products.path; products; must be a path that begins with a slash and has no"
            + " query, such as /reporting/inventory",
        "resources.products.path; /p?x=1; must be a path that begins with a slash and has no"
            + " query, such as /reporting/inventory",
        "resources.products.parameter.from; a b; must be the name of a query parameter",
        "topic.prefix; a b; must be letters, digits, dots, - and _, and not begin or end with a"
            + " dot",
        "topic.prefix; pos.; must be letters, digits, dots, - and _, and not begin or end with a"
            + " dot",
        "topic.template; {prefix}.all; must be a name that holds {resource}, and may hold {prefix}"
            + " and {location}",
        "topic.template; {store}.{resource}; must be a name that holds {resource}, and may hold"
            + " {prefix} and {location}",
        "checkpoints.topic; a/b; must be the name of a topic: letters, digits, dots, - and _, at"
            + " most 249 of them",
        "location.name; Down Town; must be lower-case letters, digits, - and _, and begin with a"
            + " letter or digit",
        "user.agent; é; must be printable ASCII"
      })
  void aValueOutOfBoundsIsRefused(String setting, String value, String demand) {
    refuses(
        Props.one().with(setting, value),
        setting,
        "POS-101 " + setting + ": invalid value " + value + ": " + demand);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/",
        "//x",
        "/a//b",
        "/a//",
        "/\0",
        "/.",
        "/a/../b",
        "/a/%2E%2e",
        "/a b",
        "/a%",
        "/a#b"
      })
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
  void whatIsTooLongOrHoldsNulIsRefusedInsteadOfThrowing() {
    String record = "{\"type\":\"record\",\"name\":\"P\",\"fields\":[%s]}";
    String order = "{\"name\":\"productId\",\"type\":\"long\",\"order\":\"x\"}";
    for (Map.Entry<String, String> hostile :
        List.of(
            Map.entry("resources.products.path", "/a".repeat(10_000)),
            Map.entry("resources.products.path", "/" + "%41".repeat(6_000)),
            Map.entry("resources.products.schema.file", "/x\0y"),
            Map.entry("ssl.truststore.location", "/x\0y"),
            Map.entry("ssl.keystore.location", "\0"),
            Map.entry("resources.products.schema", record.formatted(order)),
            Map.entry("resources.products.schema", "[".repeat(100_000)),
            Map.entry("base.url", "https://" + "a".repeat(64) + ".example"),
            Map.entry("base.url", "https://api.example.com:99999"),
            Map.entry("base.url", "https://[fe80::1%25eth0]"),
            Map.entry("base.url", "https://x/" + "/".repeat(50_000) + "y"),
            Map.entry("location.name", "a".repeat(101)),
            Map.entry("snapshot.id", "a".repeat(101)))) {
      assertThat(refusals(Props.one().with(hostile.getKey(), hostile.getValue())))
          .containsOnlyKeys(hostile.getKey());
    }
  }

  @Test
  void aClassIsNeitherLoadedNorAskedForConnections() {
    refuses(
        Props.one().with("ssl.engine.factory.class", "no.such.Factory"),
        "ssl.engine.factory.class",
        "POS-105 ssl.engine.factory.class: has no effect: Kafka's own factory is used");
  }

  @Test
  void aConfigurationBringsNoProvidersOfItsOwn(@TempDir Path folder) throws IOException {
    Path secrets = Files.writeString(folder.resolve("secrets.properties"), "key=hush");

    SourceConfig config =
        Props.one()
            .with("config.providers", "mine")
            .with(
                "config.providers.mine.class",
                "org.apache.kafka.common.config.provider.FileConfigProvider")
            .with("user.agent", "${mine:" + secrets + ":key}")
            .config();

    assertThat(config.userAgent()).hasValue("${mine:" + secrets + ":key}");
  }

  @Test
  void listsMustHoldNamesEachOnce() {
    assertThat(refusals(Props.one().with("resources", "products,Products")).get("resources"))
        .endsWith("must be names, each once, of lower-case letters, digits and -");
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
            Map.entry("topic.prefix", "POS-104 topic.prefix: a required setting is missing"));
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
        "POS-101 base.url: must be an absolute http or https address without user, query and"
            + " fragment, such as https://api.example.com/v1");
  }

  @Test
  void aProxyWithASecretIsRefusedAndNotRepeated() {
    refuses(
        Props.one().with("proxy.url", "http://user:hush@proxy.example.com"),
        "proxy.url",
        "POS-101 proxy.url: must be the http address of a proxy without user and path, such as"
            + " http://proxy.example.com:3128");
  }

  @Test
  void anAddressIsRequired() {
    refuses(
        Props.one().without("base.url"),
        "base.url",
        "POS-104 base.url: location default has no address");
  }

  @Test
  void aKeyIsRequiredForEachLocation() {
    refuses(
        Props.one().without("api.key"), "api.key", "POS-104 api.key: location default has no key");
    refuses(
        Props.one().with("api.key", " "),
        "api.key",
        "POS-104 api.key: location default has no key");
    refuses(
        Props.several("a", "b").without("locations.b.api.key"),
        "locations.b.api.key",
        "POS-104 locations.b.api.key: location b has no key");
  }

  @Test
  void theGeneralKeyIsNoneForALocationWithAnAddressOfItsOwn() {
    refuses(
        Props.several("a", "b")
            .with("api.key", "general")
            .without("locations.b.api.key")
            .with("locations.b.base.url", "https://b.example.com"),
        "locations.b.api.key",
        "POS-104 locations.b.api.key: location b has no key");
  }

  @ParameterizedTest
  @ValueSource(strings = {"hush:hush", "hush\nhush", "\u2003hush"})
  void aKeyThatCannotBeSentIsRefusedAndNotRepeated(String key) {
    refuses(
        Props.one().with("api.key", key),
        "api.key",
        "POS-107 api.key: key of location default holds a colon or begins or ends with white"
            + " space, or it or its password holds a control character");
  }

  @Test
  void plainHttpIsRefusedUnlessAllowedOrLoopback() {
    refuses(
        Props.one().with("base.url", "http://api.example.com"),
        "base.url",
        "POS-106 base.url: would send the key of location default unencrypted");
    refuses(
        Props.several("a", "b").with("locations.b.base.url", "http://127.example.com"),
        "locations.b.base.url",
        "POS-106 locations.b.base.url: would send the key of location b unencrypted");
    for (String loopback : List.of("localhost", "127.0.0.1:8080", "[::1]:8080")) {
      assertThat(refusals(Props.one().with("base.url", "http://" + loopback))).isEmpty();
    }
    assertThat(
            refusals(
                Props.one().with("base.url", "http://api.example.com").with("allow.http", "true")))
        .isEmpty();
  }

  @Test
  void plainHttpToALoopbackAddressIsRefusedWhereAProxyStandsBetween() {
    Props props =
        Props.one()
            .with("base.url", "http://127.0.0.1:8080")
            .with("proxy.url", "http://proxy.example.com:3128");
    refuses(
        props, "base.url", "POS-106 base.url: would send the key of location default unencrypted");
    assertThat(refusals(props.with("allow.http", "true"))).isEmpty();
    assertThat(refusals(props.without("allow.http").with("base.url", "https://127.0.0.1:8080")))
        .isEmpty();
  }

  @Test
  void likeRowsCannotBeCountedInWhatIsReadFiltered() {
    for (String retrieval : List.of("modified-since", "date-range")) {
      Props props =
          Props.one()
              .with("resources", "visits")
              .with("resources.visits.path", "/visits")
              .with("resources.visits.key.fields", "door")
              .with("resources.visits.retrieval", retrieval)
              .with("resources.visits.occurrences", "true");
      refuses(
          props,
          "resources.visits.occurrences",
          "POS-105 resources.visits.occurrences: like rows of visits cannot be told apart if it is"
              + " read as "
              + retrieval
              + ": read it as full, pages or cursor, or set resources.visits.occurrences=false and name"
              + " key fields that tell its rows apart");
      for (String whole : List.of("full", "pages", "cursor")) {
        assertThat(refusals(props.with("resources.visits.retrieval", whole))).isEmpty();
      }
    }
    assertThat(
            refusals(
                Props.one()
                    .with("resources.loyalty-transactions.path", "/loyalty")
                    .with("resources.loyalty-transactions.retrieval", "date-range")))
        .containsOnlyKeys("resources.loyalty-transactions.retrieval");
  }

  @Test
  void parametersOfOneNameAreRefused() {
    refuses(
        Props.one()
            .with("resources.customers.snapshot", "pages")
            .with("resources.customers.parameter.from", "PageNumber"),
        "resources.customers.parameter.from",
        "POS-105 resources.customers.parameter.from: gives two parameters the name PageNumber,"
            + " since resources.customers.parameter.page.number and"
            + " resources.customers.parameter.from are the same");
  }

  @Test
  void oneKeyUnderTwoNamesIsRefused() {
    refuses(
        Props.several("a", "b").with("locations.b.api.key", "key-of-a"),
        "locations.b.api.key",
        "POS-108 locations.b.api.key: is the same key as locations.a.api.key at the same"
            + " address, so locations a and b are one");
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
        "POS-105 location.name: names the only location, but locations is given");
  }

  @Test
  void aSettingOfALocationThatIsNotListedIsRefused() {
    refuses(
        Props.several("airport").with("locations.ariport.start.from", "now"),
        "locations.ariport.start.from",
        "POS-103 locations.ariport.start.from: there is no location ariport (known: airport)");
  }

  @Test
  void aNameThatIsNoSettingIsRefused() {
    refuses(
        Props.one().with("resources.products.poll.intervall.ms", "1"),
        "resources.products.poll.intervall.ms",
        "POS-102 resources.products.poll.intervall.ms: is no setting of a resource; perhaps"
            + " poll.interval.ms is meant");
    refuses(
        Props.one().with("locations.default.apikey", "hush"),
        "locations.default.apikey",
        "POS-102 locations.default.apikey: is no setting of a location; perhaps api.key is meant");
    refuses(
        Props.one().with("resources.products.api.key", "hush"),
        "resources.products.api.key",
        "POS-102 resources.products.api.key: is no setting of a resource; perhaps fields is"
            + " meant");
    refuses(
        Props.one().with("resources.products", "x"),
        "resources.products",
        "POS-102 resources.products: is no setting; what is meant is"
            + " resources.products.<setting>");
    refuses(
        Props.one().with("resources.Products.path", "/x"),
        "resources.Products.path",
        "POS-102 resources.Products.path: \"Products\" is no name of a resource, which is made"
            + " of lower-case letters, digits and -");
  }

  @Test
  void aResourceThatNobodyDescribesIsRefused() {
    refuses(
        Props.one().with("resources", "product"),
        "resources",
        "POS-103 resources: product is not known; perhaps products is meant, or"
            + " resources.product.path, .retrieval and .key.fields are to be set");
    refuses(
        Props.several("a").with("locations.a.resources", "custmers"),
        "locations.a.resources",
        "POS-103 locations.a.resources: custmers is not known; perhaps customers is meant, or"
            + " resources.custmers.path, .retrieval and .key.fields are to be set");
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
                "POS-104 resources.gift-cards.path: is needed, since resources has gift-cards and no"
                    + " path of it is published"),
            Map.entry(
                "resources.gift-cards.retrieval",
                "POS-104 resources.gift-cards.retrieval: is needed, since the catalog lacks gift-cards:"
                    + " full, modified-since, date-range, pages or cursor"),
            Map.entry(
                "resources.gift-cards.key.fields",
                "POS-104 resources.gift-cards.key.fields: is needed: the fields that identify a row of"
                    + " gift-cards"));
  }

  @Test
  void aListedResourceWithoutAPublishedPathNeedsOne() {
    refuses(
        Props.one().with("resources", "loyalty-transactions"),
        "resources.loyalty-transactions.path",
        "POS-104 resources.loyalty-transactions.path: is needed, since resources has"
            + " loyalty-transactions and no path of it is published");
  }

  @Test
  void settingsOfAResourceThatIsNotReadAreRefused() {
    refuses(
        Props.one().with("resources.product.start.from", "now"),
        "resources.product.start.from",
        "POS-103 resources.product.start.from: product is not among the resources; perhaps"
            + " products is meant");
  }

  @Test
  void settingsThatTheRetrievalDoesNotKnowAreRefused() {
    refuses(
        Props.one().with("resources.inventory.lookback.ms", "1"),
        "resources.inventory.lookback.ms",
        "POS-105 resources.inventory.lookback.ms: has no effect, since inventory is read as full");
    refuses(
        Props.one().with("resources.products.parameter.to", "t"),
        "resources.products.parameter.to",
        "POS-105 resources.products.parameter.to: has no effect, since products is read as"
            + " modified-since");
  }

  @Test
  void keyFieldsOfASingleObjectAreRefused() {
    refuses(
        Props.one().with("resources.locations.key.fields", "id"),
        "resources.locations.key.fields",
        "POS-105 resources.locations.key.fields: has no effect: locations is one object, known"
            + " by its location");
  }

  @Test
  @Timeout(value = 30, threadMode = ThreadMode.SEPARATE_THREAD)
  void aPipeIsNoFileOfASchemaAndIsNotWaitedFor(@TempDir Path folder) throws Exception {
    Path pipe = folder.resolve("pipe.avsc");
    assertThat(new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor()).isZero();

    refuses(
        Props.one().with("resources.products.schema.file", pipe.toString()),
        "resources.products.schema.file",
        "POS-110 resources.products.schema.file: " + pipe + NO_SCHEMA);
  }

  @Test
  void schemasThatCannotBeReadAreRefused(@TempDir Path folder) throws IOException {
    Path absent = folder.resolve("absent.avsc");
    Path broken = folder.resolve("broken.avsc");
    Files.writeString(broken, "\"string\"");

    refuses(
        Props.one().with("resources.products.schema", "{"),
        "resources.products.schema",
        "POS-101 resources.products.schema: must be an Avro schema of type record");
    refuses(
        Props.one().with("resources.products.schema.file", broken.toString()),
        "resources.products.schema.file",
        "POS-110 resources.products.schema.file: " + broken + NO_SCHEMA);
    refuses(
        Props.one().with("resources.products.schema.file", "/dev/zero"),
        "resources.products.schema.file",
        "POS-110 resources.products.schema.file: /dev/zero" + NO_SCHEMA);
    refuses(
        Props.one().with("resources.products.schema.file", folder.toString()),
        "resources.products.schema.file",
        "POS-110 resources.products.schema.file: " + folder + NO_SCHEMA);
    refuses(
        Props.one().with("resources.products.schema.file", absent.toString()),
        "resources.products.schema.file",
        "POS-110 resources.products.schema.file: " + absent + NO_SCHEMA);
    refuses(
        Props.one()
            .with("resources.products.schema", "{\"type\":\"record\",\"name\":\"P\",\"fields\":[]}")
            .with("resources.products.schema.file", absent.toString()),
        "resources.products.schema.file",
        "POS-105 resources.products.schema.file: says the same as resources.products.schema");
  }

  @Test
  void topicsOfTwoPurposesAreRefused() {
    refuses(
        Props.one().with("checkpoints.topic", "pos.products"),
        "checkpoints.topic",
        "POS-109 checkpoints.topic: gives checkpoints and resource products the same topic,"
            + " pos.products (a dot counts as _)");
    refuses(
        Props.one().with("checkpoints.topic", "x.y").with("dead.letters.topic", "x_y"),
        "dead.letters.topic",
        "POS-109 dead.letters.topic: gives broken rows and checkpoints the same topic, x_y (a"
            + " dot counts as _)");
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
        "POS-109 topic.template: gives resource c and resource b-c the same topic, a-b-c (a dot"
            + " counts as _)");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "connect-offsets",
        "connect-pos-configs",
        "docker-connect-status",
        "my_connect_statuses",
        "__consumer_offsets",
        "__transaction_state",
        "_schemas"
      })
  void topicsOnWhichSomebodyElseLivesAreRefused(String topic) {
    for (String setting : List.of("checkpoints.topic", "dead.letters.topic")) {
      assertThat(refusals(Props.one().with(setting, topic)).get(setting))
          .startsWith("POS-109 " + setting + ": gives ")
          .contains(
              " the topic " + topic + ", as Kafka, Connect or a registry calls one of its own");
    }
  }

  @Test
  void topicsThatOnlyResembleAWorkersAreAccepted() {
    assertThat(
            refusals(
                Props.one()
                    .with("topic.prefix", "kafka-connect-pos")
                    .with("checkpoints.topic", "kafka-connect-pos.offsets")))
        .isEmpty();
  }

  @Test
  void theTopicOfTheConnectorsOffsetsIsNoTopicOfRecords() {
    refuses(
        Props.one()
            .with("offsets.storage.topic", "pos.positions")
            .with("checkpoints.topic", "pos_positions"),
        "checkpoints.topic",
        "POS-109 checkpoints.topic: gives checkpoints and the connector's offsets the same"
            + " topic, pos_positions (a dot counts as _)");
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
        .startsWith("POS-109 topic.template: leads to topic pppp")
        .contains("which is not the name of a topic: letters, digits, dots, - and _, at most 249");
  }

  @Test
  void contradictionsAreRefused() {
    refuses(
        Props.one().with("retry.backoff.ms", "400000"),
        "retry.backoff.ms",
        "POS-105 retry.backoff.ms: is longer than retry.backoff.max.ms, which is 300000");
    refuses(
        Props.one().with("event.format", "flat").with("tombstones.on.delete", "false"),
        "tombstones.on.delete",
        "POS-105 tombstones.on.delete: cannot be false with event.format=flat, where a tombstone"
            + " is the delete");
    refuses(
        Props.one().with("ssl.keystore.password", "hush"),
        "ssl.keystore.password",
        "POS-105 ssl.keystore.password: has no effect without ssl.keystore.location");
  }

  @ParameterizedTest
  @ValueSource(strings = {"ssl.truststore.location", "ssl.keystore.location"})
  void aFileOfCertificatesThatIsNotThereIsRefused(String setting, @TempDir Path folder) {
    Path absent = folder.resolve("absent.p12");

    refuses(
        Props.one().with(setting, absent.toString()),
        setting,
        "POS-110 "
            + setting
            + ": "
            + absent
            + " cannot be read on this worker as a file of at most 16 MiB");
  }

  @Test
  void allFaultsAreToldAtOnce() {
    Props props =
        Props.one().without("base.url").without("api.key").with("retry.backoff.ms", "400000");

    assertThat(refusals(props)).containsOnlyKeys("base.url", "api.key", "retry.backoff.ms");
    assertThatThrownBy(props::config)
        .hasMessageContainingAll(
            "POS-104 base.url: ", "POS-104 api.key: ", "POS-105 retry.backoff.ms: ");
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
        .satisfies(value -> assertThat(value.errorMessages()).containsExactly("is gone"));
  }
}
