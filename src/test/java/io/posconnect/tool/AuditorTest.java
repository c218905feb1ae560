package io.posconnect.tool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.posconnect.hostile.Answer;
import io.posconnect.hostile.HostileService;
import io.posconnect.resource.Stream;
import io.posconnect.simulator.Fault;
import io.posconnect.tool.AuditedKeys.Outcome;
import io.posconnect.tool.MemoryTopics.Form;
import io.posconnect.tool.StreamResult.Difference;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class AuditorTest extends SimulatedAudit {

  private static final String ROW = "{\"id\":1,\"name\":\"Ann\",\"price\":8.25,\"size\":\"XL\"}";

  AuditorTest() {
    super("id:long,name:string,price:decimal");
  }

  private void checkpoint() {
    topics.checkpoint(config(), THINGS, Instant.now().plusSeconds(5));
  }

  /** The events of these rows, and the checkpoint behind them. */
  private void published(String... rows) {
    publish(rows);
    checkpoint();
  }

  private static void assertEqualTo(StreamResult result, int rows) {
    assertThat(result.verdict()).as(result.toString()).isEqualTo(Verdict.EQUAL);
    assertThat(result.count(Outcome.EQUAL)).as(result.toString()).isEqualTo(rows);
  }

  @ParameterizedTest
  @CsvSource({
    "AVRO, envelope, precise", "AVRO, flat, precise", "JSON, envelope, precise",
    "JSON, flat, string", "JSON_WITH_SCHEMA, envelope, precise", "JSON_WITH_SCHEMA, flat, precise",
    "AVRO, envelope, string", "AVRO, flat, double", "JSON, envelope, double"
  })
  void everyFormOfEventsIsEqualToItsRows(Form form, String format, String decimals) {
    topics = new MemoryTopics(form);
    settings.put("event.format", format);
    settings.put("decimal.handling.mode", decimals);
    publish(ROW, "{\"id\":2,\"price\":0.12345678901}", "{\"id\":3}", "{\"id\":4}");
    topics.delete(config(), THINGS, "{\"id\":4}");
    checkpoint();
    rows(
        "{\"SIZE\":\"XL\",\"price\":8.250,\"name\":\"Ann\",\"id\":1.0}",
        "{\"id\":2,\"price\":0.12345678901,\"none\":null}",
        "{\"id\":3}");

    StreamResult result = audit();
    assertEqualTo(result, 3);
    assertThat(result.numbers().orElseThrow().upTo()).isEqualTo(5);
  }

  /** As the connector does, which would follow them without an end as well. */
  @Test
  void followsNoPagesThatRepeatTheirRowsBesideABrokenOneThatChanges() {
    AtomicInteger calls = new AtomicInteger();
    try (HostileService lying =
        HostileService.start(
            call ->
                Answer.json("200 OK", "[" + ROW + ",{\"no\":" + calls.getAndIncrement() + "}]"))) {
      settings.put("base.url", lying.baseUrl().toString());
      settings.put("resources.things.retrieval", "pages");
      settings.put("resources.things.page.size", "1");
      assertThat(audit().verdict()).isEqualTo(Verdict.NOT_DECIDED);
    }
  }

  @Test
  void listsWhatIsMissingDifferentAndPhantom() {
    published(ROW, "{\"id\":2}", "{\"id\":3}");
    rows(
        "{\"id\":1,\"name\":\"Bob\",\"price\":8.25,\"size\":\"XL\",\"more\":[1]}",
        "{\"id\":2}",
        "{\"id\":4}");

    StreamResult result = audit();
    assertThat(result.verdict()).isEqualTo(Verdict.DIFFERENT);
    assertThat(result.differences())
        .extracting(Difference::outcome, Difference::key)
        .containsExactly(
            tuple(Outcome.DIFFERENT, "1"),
            tuple(Outcome.MISSING, "4"),
            tuple(Outcome.PHANTOM, "3"));
    assertThat(result.differences().get(0).fields()).containsExactly("name", "more");
    assertThat(words(result))
        .contains("1 key missing in the topic, though the connector has read the service since.");
  }

  @Test
  void showsNoValue() {
    settings.put("resources.things.exclude.fields", "secret");
    settings.put("resources.things.hash.fields", "hashed");
    settings.put("hash.salt", "salt-of-at-least-16");
    published("{\"id\":1,\"size\":\"S\",\"email\":\"a@b.example\",\"hashed\":\"00\"}");
    rows("{\"id\":1,\"size\":\"L\",\"email\":\"ann@b.example\",\"hashed\":\"mark\",\"secret\":1}");

    StreamResult result = audit();
    assertThat(result.differences().get(0).fields())
        .containsExactlyInAnyOrder("size", "email", "hashed");
    assertThat(new AuditJson(List.of(result), Optional.empty(), Instant.now()).text())
        .doesNotContain("ann@b", "mark", KEY);
  }

  @Test
  void whatIsPublishedMeanwhileIsNoDifference() {
    published(ROW, "{\"id\":2}");
    rows("{\"id\":1,\"name\":\"Bob\"}", "{\"id\":3}");
    topics.beforeReads(
        () -> {},
        () -> {
          publish("{\"id\":1,\"name\":\"Bob\"}", "{\"id\":3}");
          topics.delete(config(), THINGS, "{\"id\":2}");
        });

    assertEqualTo(audit(), 2);
  }

  @Test
  void emptyPagesBeforeTheFirstRowAreReadOn() {
    settings.put("resources.things.retrieval", "cursor");
    published("{\"id\":1}");
    page("", "[]", "second");
    page("second", "[]", "third");
    page("third", "[{\"id\":1}]", "");

    assertEqualTo(audit(), 1);
  }

  private void page(String key, String items, String next) {
    service
        .faults()
        .on("/things")
        .whenQuery(query -> key.isEmpty() != query.contains("pageKey=") && query.contains(key))
        .then(
            Fault.json(
                "{\"items\":%s,\"haveMoreData\":%s,\"nextPageKey\":\"%s\"}"
                    .formatted(items, !next.isEmpty(), next)));
  }

  @Test
  void listThatChangesWhileItIsReadIsAskedAgain() {
    published("{\"id\":1}");
    topics.beforeReads(() -> {}, () -> rows("{\"id\":1}"));

    assertEqualTo(audit(), 1);
  }

  @ParameterizedTest
  @EnumSource
  void earlierContractIsNoDifference(Form form) {
    topics = new MemoryTopics(form);
    settings.put("resources.things.fields", "id:long");
    publish(ROW, "{\"id\":3,\"at\":\"01/31/2026 09:30:00\"}");
    settings.put("resources.things.fields", "id:long,price:decimal,size:string,at:timestamp");
    published("{\"id\":2,\"price\":1,\"at\":\"2026-01-31T09:30:00Z\"}");
    rows(
        ROW,
        "{\"id\":2,\"price\":1.0,\"at\":\"01/31/2026 09:30:00\"}",
        "{\"id\":3,\"at\":\"01/31/2026 09:30:00\"}");

    assertEqualTo(audit(), 3);
  }

  @Test
  void ignoredFieldIsNotCompared() {
    settings.put("resources.things.ignore.fields", "NAME,read");
    published(ROW);
    rows(ROW.replace("Ann", "Bob").replace("}", ",\"read\":7}"));

    assertEqualTo(audit(), 1);
  }

  @Test
  void streamsOfOneTopicAreKeptApart() {
    settings.remove("api.key");
    settings.put("locations", "default,other");
    settings.put("locations.default.api.key", KEY);
    settings.put("locations.other.api.key", "other-key");
    publish("{\"id\":1}");
    topics.publish(config(), new Stream("other", "things"), "{\"id\":2}");
    settings.put("locations", "default,other,foreign");
    settings.put("locations.foreign.api.key", "foreign-key");
    topics.publish(config(), new Stream("foreign", "things"), "{\"id\":9}");
    settings.put("locations", "default,other");
    settings.remove("locations.foreign.api.key");
    checkpoint();
    topics.checkpoint(config(), new Stream("other", "things"), Instant.now());
    rows("{\"id\":1}");
    service.location("other-key").table("things").createRaw("{\"id\":2}");

    assertThat(audit(config().streams())).hasSize(2).allSatisfy(result -> assertEqualTo(result, 1));
  }

  @Test
  void rowsOfOneKeyAndBrokenRowsAreNoDifference() {
    published("{\"id\":1,\"name\":\"b\"}", "{\"id\":2,\"name\":\"old\"}");
    rows(
        "{\"id\":1,\"name\":\"a\"}",
        "{\"id\":1,\"name\":\"b\"}",
        "{\"id\":2,\"name\":\"" + "x".repeat(1_100_000) + "\"}",
        "{\"no\":\"key\"}");

    StreamResult result = audit();
    assertEqualTo(result, 1);
    assertThat(result.count(Outcome.BROKEN)).isOne();
    assertThat(words(result)).contains("2 rows of the service cannot be an event (dead letter)");
  }

  @Test
  void readsOnBehindPageOfNothingButSecondRows() {
    paged();
    published("{\"id\":1}", "{\"id\":2}", "{\"id\":3}");
    rows(
        "{\"id\":1}",
        "{\"id\":2}",
        "{\"id\":1,\"name\":\"b\"}",
        "{\"id\":2,\"name\":\"b\"}",
        "{\"id\":3}");

    assertEqualTo(audit(), 3);
  }

  @Test
  void pageThatIsReadAtTheThirdTryHasItsOccurrences() {
    paged();
    settings.put("resources.things.occurrences", "true");
    String long2 = "{\"id\":4,\"name\":\"" + "x".repeat(2_000) + "\"}";
    published("{\"id\":1}", "{\"id\":2}", "{\"id\":3}", long2);
    rows("{\"id\":1}", "{\"id\":2}", "{\"id\":3}", long2);
    AtomicInteger cut = new AtomicInteger();
    AtomicInteger refused = new AtomicInteger();
    Predicate<String> second = query -> query.contains("PageNumber=2");
    service
        .faults()
        .on("/paged")
        .whenQuery(second.and(any -> cut.incrementAndGet() == 1))
        .then(Fault.cutChunks());
    service
        .faults()
        .on("/paged")
        .whenQuery(second.and(any -> refused.incrementAndGet() == 2))
        .then(Fault.status(503));

    assertEqualTo(audit(), 4);
  }

  @Test
  void compactionExplainsWhatIsMissingBeforeItsEnd() {
    topics.compacted = true;
    topics.skip(THINGS);
    published("{\"id\":1}", "{\"id\":2}", "{\"id\":2}");
    rows("{\"id\":1}", "{\"id\":2}");

    StreamResult result = audit();
    assertEqualTo(result, 2);
    assertThat(result.numbers().orElseThrow().removed()).isOne();

    topics = new MemoryTopics(Form.AVRO);
    topics.compacted = true;
    publish("{\"id\":1}", "{\"id\":2}", "{\"id\":2}");
    topics.skip(THINGS);
    published("{\"id\":1}");
    assertThat(audit().numbers().orElseThrow().lost().count()).isOne();
  }
}
