package io.posconnect.task;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.posconnect.Messages;
import io.posconnect.config.Props;
import io.posconnect.config.SourceConfig;
import io.posconnect.offset.DigestScope;
import io.posconnect.problem.Incident;
import io.posconnect.problem.Problem;
import io.posconnect.record.TopicSchemas;
import io.posconnect.resource.Privacy;
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
import org.junit.jupiter.params.provider.ValueSource;

class RecordContractsTest {

  /** Of every topic, each topic once. */
  private static Collection<TopicSchemas> schemas(Props props) {
    SourceConfig config = props.config();
    Map<String, TopicSchemas> topics = new LinkedHashMap<>();
    for (Stream stream : config.streams()) {
      TopicSchemas.of(RecordContracts.contract(config, stream), config.destination(stream))
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

  @ParameterizedTest
  @CsvSource({
    "a, {'name':'a'%'type':'long'}",
    "x, {'name':'a'%'aliases':['X']%'type':['null'%'long']}",
    "a, {'name':'a'%'type':{'type':'string'%'logicalType':'uuid'}}",
    "a, {'name':'a'%'type':{'type':'array'%'items':'int'}}",
    "a.b, {'name':'a'%'type':{'type':'record'%'name':'A'%'fields':[{'name':'b'%'type':'int'}]}}"
  })
  void refusesAHashedFieldThatIsNoString(String hashed, String field) {
    String declared = field.replace('%', ',').replace('\'', '"');

    List<Incident> faults = RecordContracts.faults(hashed(hashed, declared).config());

    assertThat(faults)
        .singleElement()
        .satisfies(
            fault -> {
              assertThat(fault.subject()).startsWith("resources.").endsWith(".schema");
              assertThat(fault.toString())
                  .contains("the field " + hashed + " is hashed, and a hash is a string: declare");
              Messages.assertExplained(fault.toString());
            });
  }

  @ParameterizedTest
  @CsvSource({
    "source, ",
    "leads, {'type':'record'%'name':'Source'%'fields':[FIELD]}",
    "leads, {'type':'record'%'name':'Envelope'%'namespace':'io.posconnect.leads'%'fields':[FIELD]}",
    "leads, {'type':'record'%'name':'L'%'fields':[FIELD%{'name':'a'%'type':['null'%{'type':'record'"
        + "%'name':'Source'%'namespace':'io.posconnect'%'fields':[FIELD]}]}]}"
  })
  void refusesARecordThatHasTheNameOfAnotherOfItsEvent(String resource, String schema) {
    Props props = keyed(resource, "id");
    if (schema != null) {
      String declared = schema.replace("FIELD", "{'name':'id','type':'long'}");
      props =
          props.with(
              "resources." + resource + ".schema", declared.replace('%', ',').replace('\'', '"'));
    }

    assertThat(RecordContracts.faults(props.config()))
        .singleElement()
        .satisfies(
            fault -> {
              assertThat(fault.toString()).contains("two records of one event would be called io.");
              Messages.assertExplained(fault.toString());
            });
    assertThat(RecordContracts.faults(props.with("event.format", "flat").config()))
        .as("a flat event has no source")
        .isEmpty();
  }

  @ParameterizedTest
  @CsvSource({
    "email, email|mail:string, mail, id",
    "mail, email|mail:string, email, id",
    "id, id|identifier:string, identifier, id",
    "card-no, card-no:string, card_no, id",
    "buyer.email, buyer|client:json, client.email, id",
    "e-mail, email_hash|e-mail:string, email_hash, id",
    "ref, 'id|identifier:string,ref:string', identifier, id|ref"
  })
  void hashesAndKeepsAFieldUnderAllOfItsNames(
      String path, String fields, String other, String key) {
    Props props = hashed(path, field("a")).with("resources.cards.fields", fields);
    props.with("resources.cards.key.fields", key);
    assertThat(RecordContracts.faults(props.config())).isEmpty();
    Privacy privacy = props.config().privacy("cards");
    assertThat(action(privacy, other)).isEqualTo(Privacy.Action.HASH);
    assertThat(privacy.paths()).as("one is enough to be met").containsExactly(path);
    props.without("resources.cards.hash.fields");
    props.with("resources.cards.include.fields", key.contains(path) ? path : "id," + path);
    assertThat(action(props.config().privacy("cards"), other)).isEqualTo(Privacy.Action.KEEP);
  }

  private static Privacy.Action action(Privacy privacy, String path) {
    Privacy.Field found = new Privacy.Field(Privacy.Action.KEEP, "", privacy.fields());
    for (String name : path.split("\\.", -1)) {
      found = found.within().find(name);
    }
    return found.action();
  }

  @Test
  void bothNamesOfAHashedKeyAreComparedAsGivenAndMetAsOne() {
    Props props = keyed("cards", "a|b").with("hash.salt", "salt-of-at-least-16");
    props.with("resources.cards.hash.fields", "a,b").with("resources.cards.include.fields", "a,b");
    Privacy privacy = props.config().privacy("cards");
    assertThat(List.of("a", "b"))
        .allMatch(name -> privacy.paths().contains(privacy.fields().find(name).path()));
    assertThat(privacy.text()).startsWith("only a,b, hashed a,b (salt ");
  }

  @Test
  void refusesTwoRulesForOneFieldAndAKeyThatIsExcludedByAnAlias() {
    Props props = hashed("mail", field("a"));
    props.with("resources.cards.fields", "id|ident:string,email|mail:string");
    props.with("resources.cards.exclude.fields", "email");
    assertThat(RecordContracts.faults(props.config())).asString().contains("name only one of them");
    props.without("resources.cards.hash.fields").with("resources.cards.exclude.fields", "ident");
    assertThat(RecordContracts.faults(props.config())).asString().contains("removes the key field");
  }

  /** The catalog declares these fields, and nothing else is given. */
  @ParameterizedTest
  @CsvSource({"customers, hash.fields, customerID, is hashed"})
  void refusesPrivateFieldOfCatalogAtItsSetting(
      String resource, String setting, String path, String detail) {
    String name = "resources." + resource + ".";
    Props props =
        Props.of("resources=" + resource)
            .with("resources.loyalty-transactions.path", "/loyalty")
            .with("hash.salt", "salt-of-at-least-16")
            .with(name + setting, path);
    assertThat(RecordContracts.faults(props.config()))
        .singleElement()
        .satisfies(
            fault -> assertThat(fault.observed()).startsWith(name + setting).contains(detail));
  }

  /** A converter writes the inner one by its name alone, and nobody can read the event. */
  @ParameterizedTest
  @ValueSource(strings = {"envelope", "flat"})
  void refusesARecordThatHasTheNameOfTheRowAroundIt(String format) {
    String schema =
        """
        {"type": "record", "name": "Lead", "fields": [
          {"name": "id", "type": "long"},
          {"name": "a", "type": {"type": "record", "name": "Lead", "namespace": "io.posconnect",
            "fields": [{"name": "b", "type": "long"}]}}]}
        """;
    Props props =
        keyed("leads", "id").with("resources.leads.schema", schema).with("event.format", format);
    assertThat(RecordContracts.faults(props.config()))
        .singleElement()
        .satisfies(
            fault ->
                assertThat(fault.toString())
                    .contains("two records of one event would be called io.posconnect.Lead: give"));
  }

  @Test
  void acceptsAHashedFieldThatIsDeclaredAsAString() {
    Props props =
        hashed("a", "{\"name\":\"a\",\"type\":\"long\"}")
            .with("resources.cards.fields", "a:string");

    assertThat(RecordContracts.faults(props.config())).isEmpty();
  }

  @Test
  void namesTheStreamAndTheRemedyOfAnUnusableSchema() {
    SourceConfig config = hashed("a", "{\"name\":\"location\",\"type\":\"string\"}").config();

    assertThatIllegalArgumentException()
        .isThrownBy(() -> RecordContracts.contract(config, config.streams().get(0)))
        .withMessageStartingWith("POS-111 " + config.streams().get(0) + ": every row has a field")
        .withMessageEndingWith(". " + Problem.UNUSABLE_SCHEMA.remedy());
  }

  private static Props hashed(String path, String field) {
    return declared("id", field("id") + "," + field)
        .with("resources.cards.hash.fields", path)
        .with("hash.salt", "salt-of-at-least-16");
  }

  private static Props keyed(String resource, String keyFields) {
    String name = "resources." + resource;
    return Props.of("resources=" + resource)
        .with(name + ".path", "/all")
        .with(name + ".retrieval", "full")
        .with(name + ".key.fields", keyFields);
  }

  private static Props declared(String keyFields, String fields) {
    return keyed("cards", keyFields)
        .with(
            "resources.cards.schema",
            "{\"type\":\"record\",\"name\":\"Card\",\"fields\":[" + fields + "]}");
  }

  private static final Stream CARDS = new Stream("default", "cards");

  private static DigestScope cards(String keyFields, String fields) {
    return scope(CARDS, declared(keyFields, fields));
  }

  private static DigestScope scope(Stream stream, Props props) {
    SourceConfig config = props.config();
    return RecordContracts.scope(config, stream, RecordContracts.contract(config, stream));
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

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "stamp | ''    | full /all without stamp",
        "stamp | id,at | 'full /all without stamp; only at,id'",
        "''    | id,at | 'full /all, only at,id'",
        "''    | ''    | full /all",
      })
  void aPersonReadsWhatIsComparedAndWhatIsLeftOut(String ignored, String kept, String words) {
    Props props =
        keyed("cards", "id")
            .with("resources.cards.ignore.fields", ignored)
            .with("resources.cards.include.fields", kept);

    assertThat(scope(CARDS, props).comparison()).isEqualTo(words);
  }

  private static DigestScope scope(int paths) {
    Props props =
        Props.one()
            .with("resources", "products")
            .with(
                "resources.products.exclude.fields",
                IntStream.range(0, paths)
                    .mapToObj(i -> "address" + i + ".postcode")
                    .collect(Collectors.joining(",")));
    return scope(new Stream("default", "products"), props);
  }
}
