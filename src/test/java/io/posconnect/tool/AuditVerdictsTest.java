package io.posconnect.tool;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.posconnect.record.Provenance.FetchKind;
import io.posconnect.resource.Numbering;
import io.posconnect.resource.Stream;
import io.posconnect.resource.Window;
import io.posconnect.simulator.Table;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.connect.data.Struct;
import org.apache.kafka.connect.source.SourceRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The verdict on everything that somebody can do to a topic, and on what time does: whatever is
 * wrong is never equal, and what is right never different.
 */
class AuditVerdictsTest extends SimulatedAudit {

  private static final Stream PRODUCTS = new Stream("default", "products");
  private static final Stream SALES = new Stream("default", "register-transactions");
  private static final Duration DAY = Duration.ofDays(1);
  private static final List<Case> CASES = new ArrayList<>();

  /**
   * @param plant what is done to a stream
   * @param words that the findings contain; none for a stream without any
   */
  private record Case(
      String claim, Consumer<AuditVerdictsTest> plant, Verdict verdict, int exit, String words) {
    @Override
    public String toString() {
      return claim;
    }
  }

  private static void plant(
      String claim, Consumer<AuditVerdictsTest> plant, Verdict verdict, String words) {
    int exit =
        switch (verdict) {
          case EQUAL, NEVER_TOLD, NOT_DUE_YET -> 0;
          case DIFFERENT -> 1;
          case NOT_DECIDED -> 4;
        };
    CASES.add(new Case(claim, plant, verdict, exit, words));
  }

  static {
    plant("quiet", t -> t.filled(), Verdict.EQUAL, "");
    plant("quiet, flat", t -> t.flat().filled(), Verdict.EQUAL, "");
    plant("quiet, a date range", t -> t.sales(), Verdict.EQUAL, "");
    plant("quiet, a filtered list", t -> t.products(), Verdict.EQUAL, "");

    // Somebody did something to the topic.
    String lost = "1 event number missing up to 7: ";
    plant("an event is lost", t -> t.filled().drop(2), Verdict.DIFFERENT, lost + "3");
    plant("a lost row", t -> t.filled().drop(2), Verdict.DIFFERENT, "1 key missing in the topic");
    plant("a superseded event is lost", t -> t.filled().drop(0), Verdict.DIFFERENT, lost + "1");
    plant("the latest event is lost", t -> t.filled().drop(7, 6), Verdict.DIFFERENT, lost + "7");
    plant("flat: an event is lost", t -> t.flat().filled().drop(2), Verdict.DIFFERENT, lost + "3");
    plant("the topic is empty", t -> t.filled().clear(), Verdict.DIFFERENT, "4 keys missing");
    plant(
        "an event comes twice", t -> t.filled().again(1), Verdict.NOT_DECIDED, "1 number twice: 2");
    plant(
        "flat: an event comes twice",
        t -> t.flat().filled().again(1),
        Verdict.NOT_DECIDED,
        "1 number twice: 2");
    plant("twice under at-least-once", t -> t.atLeastOnce().filled().again(1), Verdict.EQUAL, "");
    plant(
        "one number has two keys", t -> t.numberOfTwo(), Verdict.NOT_DECIDED, "1 number twice: 2");
    plant(
        "an earlier row comes again",
        t -> t.filled().again(0),
        Verdict.DIFFERENT,
        "1 key different");
    plant("another numbering", t -> t.epoch(), Verdict.DIFFERENT, lost + "3");
    plant("a changed value", t -> t.changed(), Verdict.DIFFERENT, "1 key different in the topic");
    plant("flat: a changed value", t -> t.flat().changed(), Verdict.DIFFERENT, "1 key different");
    plant(
        "a row under another key",
        t -> t.filled().swap(1, 2),
        Verdict.DIFFERENT,
        "2 keys different");
    plant("an invented row", t -> t.invented(), Verdict.DIFFERENT, "1 key in the topic, but not");
    plant(
        "flat: an invented row", t -> t.flat().invented(), Verdict.DIFFERENT, "1 key in the topic");
    plant("an invented tombstone", t -> t.filled().removed(1), Verdict.DIFFERENT, "1 key missing");
    plant(
        "a delete without tombstone",
        t -> t.filled().drop(7),
        Verdict.DIFFERENT,
        "1 record of a delete, without the tombstone behind it");
    plant(
        "an update behind such a delete",
        t -> t.revived(),
        Verdict.DIFFERENT,
        "1 record of a delete, without the tombstone behind it");
    plant("no tombstones are configured", t -> t.withoutTombstones().filled(), Verdict.EQUAL, "");
    plant("a tombstone without delete", t -> t.filled().drop(6), Verdict.DIFFERENT, lost + "7");
    plant(
        "an op that does not fit",
        t -> t.op("d"),
        Verdict.DIFFERENT,
        "1 record with an op that does not fit its row");
    plant(
        "flat: an op that does not fit",
        t -> t.flat().op("d"),
        Verdict.DIFFERENT,
        "1 record with an op that does not fit its row");
    plant(
        "an unknown op",
        t -> t.op("x"),
        Verdict.DIFFERENT,
        "1 record with an op that does not fit its row");
    plant(
        "a row of another store",
        t -> t.rowOf("other"),
        Verdict.DIFFERENT,
        "1 record with a row of another location than its key");
    plant(
        "flat: a row of another store",
        t -> t.flat().rowOf("other"),
        Verdict.DIFFERENT,
        "1 record with a row of another location");
    plant(
        "events of an unknown store",
        t -> t.foreign(),
        Verdict.EQUAL,
        "1 event of unknown location other");
    plant(
        "a record that is no event",
        t -> t.filled().junk("text"),
        Verdict.DIFFERENT,
        "1 record of the topic that is no event");
    plant(
        "a record without a key",
        t -> t.filled().junk(""),
        Verdict.DIFFERENT,
        "1 record of the topic that is no event");
    plant(
        "a key in two partitions",
        t -> t.filled().moved(0),
        Verdict.NOT_DECIDED,
        "1 key in two partitions");
    plant(
        "a delete in another one",
        t -> t.filled().moved(4),
        Verdict.NOT_DECIDED,
        "1 key in two partitions");
    plant(
        "the old one comes last",
        t -> t.filled().moved(0).reversed(),
        Verdict.NOT_DECIDED,
        "1 key in two partitions");
    plant(
        "an open transaction",
        t -> t.filled().open(DAY),
        Verdict.NOT_DECIDED,
        "Partition 1 has an open transaction since ");
    plant("a transaction of now", t -> t.filled().open(Duration.ZERO), Verdict.EQUAL, "");

    // Compaction and retention.
    plant(
        "compaction",
        t -> t.compacted().filled().drop(0),
        Verdict.EQUAL,
        "1 event up to 7 may have been removed by compaction");
    plant(
        "compaction, an old event again",
        t -> t.replayed(),
        Verdict.EQUAL,
        "2 events up to 7 may have been removed by compaction");
    plant(
        "half of a history is removed",
        t -> t.sales().truncated(3),
        Verdict.NOT_DECIDED,
        "3 keys missing in the topic, whose events retention or DeleteRecords may have removed");
    plant(
        "event numbers show it",
        t -> t.sales().truncated(3),
        Verdict.NOT_DECIDED,
        "3 events up to 6 may have been removed by retention or DeleteRecords");
    plant(
        "a whole history is removed",
        t -> t.sales().truncated(6),
        Verdict.NOT_DECIDED,
        "6 events up to 6 may have been removed by retention");
    plant(
        "only earlier events are removed",
        t -> t.updatedSales().truncated(1),
        Verdict.NOT_DECIDED,
        "1 event up to 7 may have been removed by retention");
    plant(
        "compared since a later time",
        t -> t.retained().since(DAY.multipliedBy(3)),
        Verdict.EQUAL,
        "Only rows since ");
    plant(
        "a later row is lost",
        t -> t.retained().drop(3),
        Verdict.DIFFERENT,
        "1 key missing in the topic, though");
    plant(
        "half of a list is removed",
        t -> t.filled().truncated(2),
        Verdict.NOT_DECIDED,
        "1 key missing in the topic, whose events retention or DeleteRecords may have removed");

    // What the connector cannot know yet, or never.
    plant(
        "a delete before it is due",
        t -> t.deleted(Duration.ofHours(23)),
        Verdict.NOT_DUE_YET,
        "the rest is due by ");
    plant(
        "a delete that is overdue",
        t -> t.deleted(Duration.ofHours(27)),
        Verdict.DIFFERENT,
        "more was due by ");
    plant(
        "a delete after a full read",
        t -> t.deleted(Duration.ofSeconds(-5)),
        Verdict.DIFFERENT,
        "though the connector has read the service since");
    plant(
        "a delete without reconciliations",
        t -> t.neverReconciled().deleted(DAY),
        Verdict.NEVER_TOLD,
        "1 key in the topic, but not at the service: deletes of this resource are never told");
    plant(
        "a delete of a date range",
        t -> t.sales().goneSale(),
        Verdict.NEVER_TOLD,
        "1 key in the topic, but not at the service: deletes of this resource are never told");
    plant(
        "many rows vanish",
        t -> t.many(),
        Verdict.NOT_DECIDED,
        "such deletes may be held (POS-502, POS-504)");
    plant(
        "a row that is not read yet",
        t -> t.added(Duration.ZERO),
        Verdict.NOT_DUE_YET,
        "1 key missing in the topic. The connector has read up to ");
    plant(
        "a connector that stands still",
        t -> t.added(Duration.ofHours(1)),
        Verdict.DIFFERENT,
        "1 key missing in the topic. The connector has read up to ");

    // What keeps the audit from comparing.
    plant(
        "no checkpoint",
        t -> t.withoutCheckpoint(),
        Verdict.NOT_DECIDED,
        "There is no checkpoint: the first read");
    plant(
        "no topic and no checkpoint",
        t -> t.row("{\"id\":1}"),
        Verdict.NOT_DECIDED,
        "There is no topic pos.things");
    plant(
        "no right to the topic",
        t -> t.filled().forbid("pos.things"),
        Verdict.NOT_DECIDED,
        "The topic pos.things may not be read");
    plant(
        "no right to checkpoints",
        t -> t.filled().forbid("pos.checkpoints"),
        Verdict.NOT_DECIDED,
        "The topic pos.checkpoints may not be read");
    plant("another salt", t -> t.salted("customer"), Verdict.NOT_DECIDED, "the salt differs");
    plant("another salt of the key", t -> t.salted("id"), Verdict.NOT_DECIDED, "the salt differs");
    plant("a service that does not answer", t -> t.filled().away(), Verdict.NOT_DECIDED, "POS-302");
    plant(
        "a row that is a dead letter",
        t -> t.filled().row("{\"no\":1}"),
        Verdict.EQUAL,
        "1 row of the service cannot be an event (dead letter)");
  }

  AuditVerdictsTest() {
    super("id:long,name:string,customer:string");
    settings.put("exactly.once.support", "required");
    settings.put("resources.products.requests.per.minute", "60000");
    settings.put("resources.register-transactions.requests.per.minute", "60000");
    settings.put("retry.backoff.ms", "1");
    settings.put("retry.backoff.max.ms", "1");
  }

  static List<Case> cases() {
    return CASES;
  }

  @ParameterizedTest
  @MethodSource("cases")
  void judges(Case each) {
    each.plant().accept(this);
    StreamResult result = audit();
    String words = words(result);
    assertThat(result.verdict()).as(words).isEqualTo(each.verdict());
    assertThat(result.verdict().exit.number).isEqualTo(each.exit());
    assertThat(words).contains(each.words());
    assertThat(result.verifiedThrough().isPresent()).isEqualTo(each.exit() == 0);
    if (each.words().isEmpty()) {
      assertThat(words).isEmpty();
    }
    assertThat(words).doesNotContain("..");
  }

  @Test
  void namesTheSchemaThatTheRegistryLacks() {
    filled();
    topics.add("pos.things", new byte[] {0, 0, 0, 0, 25, 1}, new byte[0], new RecordHeaders());

    assertThatThrownBy(this::audit)
        .isInstanceOf(EndedException.class)
        .hasMessageContaining("no schema 25");
  }

  @Test
  void statesWhenADeleteIsDue() {
    deleted(Duration.ofHours(23));
    StreamResult result = audit();

    // Interval, lookback of products, delay of the guard.
    Instant read = service.now().minus(Duration.ofHours(23));
    Instant due = read.plus(Duration.ofHours(24)).plus(Duration.ofMinutes(100));
    assertThat(words(result)).contains("the rest is due by " + due.toString().substring(0, 15));
    assertThat(result.verifiedThrough().orElseThrow()).isBefore(read.plusSeconds(10));
  }

  private AuditVerdictsTest flat() {
    settings.put("event.format", "flat");
    settings.remove("tombstones.on.delete");
    return this;
  }

  private AuditVerdictsTest atLeastOnce() {
    settings.remove("exactly.once.support");
    return this;
  }

  private AuditVerdictsTest withoutTombstones() {
    settings.put("tombstones.on.delete", "false");
    return this;
  }

  private AuditVerdictsTest compacted() {
    topics.compacted = true;
    return this;
  }

  private AuditVerdictsTest neverReconciled() {
    settings.put("reconcile.interval.ms", "0");
    return this;
  }

  private AuditVerdictsTest row(String json) {
    location.table("things").createRaw(json);
    return this;
  }

  private AuditVerdictsTest checkpoint(Duration ago) {
    topics.checkpoint(config(), stream, service.now().plusSeconds(2).minus(ago));
    return this;
  }

  private static String thing(int id, String name) {
    return "{\"id\":%d,\"name\":\"%s\"}".formatted(id, name);
  }

  /**
   * Records 0 to 7 with the numbers 1 to 7: an update of the first row, and a delete at the end.
   */
  private AuditVerdictsTest filled() {
    row(thing(1, "z")).row(thing(2, "b")).row(thing(3, "c")).row(thing(4, "d"));
    publish(thing(1, "a"), thing(2, "b"), thing(3, "c"), thing(4, "d"));
    publish(thing(1, "z"), thing(5, "e"));
    topics.delete(config(), THINGS, "{\"id\":5}");
    return checkpoint(Duration.ZERO);
  }

  private List<ConsumerRecord<byte[], byte[]>> records() {
    return topics.records("pos." + stream.resource());
  }

  private AuditVerdictsTest drop(int... places) {
    for (int place : places) {
      records().remove(place);
    }
    return this;
  }

  private AuditVerdictsTest clear() {
    records().clear();
    return this;
  }

  private AuditVerdictsTest again(int place) {
    ConsumerRecord<byte[], byte[]> record = records().get(place);
    topics.add(record.topic(), record.key(), record.value(), (RecordHeaders) record.headers());
    return this;
  }

  private AuditVerdictsTest swap(int one, int other) {
    ConsumerRecord<byte[], byte[]> first = records().get(one);
    ConsumerRecord<byte[], byte[]> second = records().get(other);
    records().set(one, with(first, first.partition(), first.offset(), second.value()));
    records().set(other, with(second, second.partition(), second.offset(), first.value()));
    return this;
  }

  private static ConsumerRecord<byte[], byte[]> with(
      ConsumerRecord<byte[], byte[]> record, int partition, long offset, byte[] value) {
    return new ConsumerRecord<>(
        record.topic(),
        partition,
        offset,
        record.timestamp(),
        record.timestampType(),
        0,
        0,
        record.key(),
        value,
        record.headers(),
        Optional.empty());
  }

  private AuditVerdictsTest moved(int place) {
    ConsumerRecord<byte[], byte[]> record = records().get(place);
    records().set(place, with(record, 1, record.offset(), record.value()));
    return this;
  }

  private AuditVerdictsTest reversed() {
    ConsumerRecord<byte[], byte[]> old = records().remove(0);
    records().add(old);
    return this;
  }

  private AuditVerdictsTest open(Duration ago) {
    topics.open.put(1, Instant.now().minus(ago));
    return this;
  }

  private AuditVerdictsTest junk(String key) {
    byte[] bytes = key.isEmpty() ? null : key.getBytes(UTF_8);
    topics.add("pos.things", bytes, "text".getBytes(UTF_8), new RecordHeaders());
    return this;
  }

  private AuditVerdictsTest removed(int place) {
    topics.add("pos.things", records().get(place).key(), null, new RecordHeaders());
    return this;
  }

  private void changed() {
    filled();
    publish(thing(2, "B"));
    checkpoint(Duration.ZERO);
  }

  private void invented() {
    filled();
    publish(thing(9, "x"));
    checkpoint(Duration.ZERO);
  }

  private void revived() {
    filled().drop(7);
    row(thing(5, "e"));
    publish(thing(5, "e"));
    checkpoint(Duration.ZERO);
  }

  /** Publishes a row, and changes its record before it is written. */
  private void tampered(String row, Consumer<SourceRecord> change) {
    topics.tampering =
        record -> {
          change.accept(record);
          return record;
        };
    publish(row);
    topics.tampering = UnaryOperator.identity();
  }

  private static Struct value(SourceRecord record) {
    return (Struct) requireNonNull(record.value());
  }

  private void numberOfTwo() {
    row(thing(1, "a")).row(thing(2, "b")).row(thing(3, "c"));
    publish(thing(1, "a"), thing(2, "b"));
    tampered(thing(3, "c"), record -> value(record).getStruct("source").put("seq", 2L));
    topics.numbers.put(stream, new Numbering(2, 7));
    checkpoint(Duration.ZERO);
  }

  private void epoch() {
    row(thing(1, "a")).row(thing(2, "b")).row(thing(3, "c")).row(thing(4, "d"));
    publish(thing(1, "a"), thing(2, "b"));
    tampered(thing(3, "c"), record -> value(record).getStruct("source").put("epoch_ms", 6L));
    publish(thing(4, "d"), thing(4, "e"), thing(4, "f"), thing(4, "d"));
    checkpoint(Duration.ZERO);
  }

  private boolean isFlat() {
    return "flat".equals(settings.get("event.format"));
  }

  private void op(String op) {
    row(thing(1, "a"));
    tampered(
        thing(1, "a"),
        record -> {
          if (isFlat()) {
            record.headers().remove("__op").addString("__op", op);
          } else {
            value(record).put("op", op);
          }
        });
    checkpoint(Duration.ZERO);
  }

  private void rowOf(String other) {
    row(thing(1, "a"));
    tampered(
        thing(1, "a"),
        record ->
            (isFlat() ? value(record) : value(record).getStruct("after")).put("location", other));
    checkpoint(Duration.ZERO);
  }

  private void foreign() {
    filled();
    tampered(thing(1, "a"), record -> ((Struct) record.key()).put("location", "other"));
    topics.numbers.put(stream, new Numbering(7, 7));
    checkpoint(Duration.ZERO);
  }

  /** Early events of rows that were written once come again, and the cleaner removes the first. */
  private void replayed() {
    compacted();
    row(thing(1, "a")).row(thing(2, "b")).row(thing(3, "c")).row(thing(4, "d"));
    publish(thing(1, "a"), thing(2, "b"), thing(3, "x"), thing(4, "x"), thing(3, "c"));
    publish(thing(4, "y"), thing(4, "d"));
    again(0).again(1).drop(0, 0, 0, 0);
    checkpoint(Duration.ZERO);
    // A row written since the cleaner ran shows where the partition is whole.
    publish(thing(1, "a"));
  }

  private AuditVerdictsTest truncated(int records) {
    records().subList(0, records).clear();
    topics.beginnings = Map.of(0, (long) records);
    return this;
  }

  private AuditVerdictsTest since(Duration ago) {
    since = Optional.of(service.now().minus(ago));
    return this;
  }

  private Table table() {
    return location.registerTransactions();
  }

  private String sale(long id) {
    return table().row(id).toString();
  }

  /** Six transactions of the last days, all written by one backfill. */
  private AuditVerdictsTest sales() {
    stream = SALES;
    settings.put("resources", "things," + SALES.resource());
    settings.put("start.from", service.now().minus(DAY.multipliedBy(30)).toString());
    for (int day = 6; day > 0; day--) {
      publish(sale(table().createAt(service.now().minus(DAY.multipliedBy(day)))));
    }
    topics.checkpoint(
        config(),
        SALES,
        FetchKind.BACKFILL,
        new Window(service.now().minus(DAY.multipliedBy(30)), service.now()),
        service.now().plusSeconds(2));
    return this;
  }

  private AuditVerdictsTest updatedSales() {
    sales();
    publish(sale(table().ids().get(0)));
    return checkpoint(Duration.ZERO);
  }

  /** Each event has the time of its row, and retention removed the two oldest. */
  private AuditVerdictsTest retained() {
    sales();
    for (int i = 0; i < 6; i++) {
      ConsumerRecord<byte[], byte[]> each = records().get(i);
      records()
          .set(
              i,
              new ConsumerRecord<>(
                  each.topic(),
                  0,
                  i,
                  service.now().minus(DAY.multipliedBy(6 - i)).plusSeconds(5).toEpochMilli(),
                  each.timestampType(),
                  0,
                  0,
                  each.key(),
                  each.value(),
                  each.headers(),
                  Optional.empty()));
    }
    return truncated(2);
  }

  private void goneSale() {
    table().delete(table().ids().get(0));
  }

  private AuditVerdictsTest products() {
    stream = PRODUCTS;
    settings.put("resources", "things," + PRODUCTS.resource());
    for (int i = 0; i < 5; i++) {
      publish(location.products().row(location.products().create()).toString());
    }
    return checkpoint(Duration.ZERO);
  }

  /** A product is gone, and the last reconciliation was so long ago; increments go on. */
  private void deleted(Duration ago) {
    products();
    location.products().delete(location.products().ids().get(0));
    checkpoint(ago);
    topics.checkpoint(
        config(), PRODUCTS, FetchKind.INCREMENT, Window.ALL, service.now().plusSeconds(2));
  }

  private void many() {
    for (int id = 1; id <= 30; id++) {
      publish(thing(id, "a"));
      if (id > 10) {
        row(thing(id, "a"));
      }
    }
    checkpoint(Duration.ofSeconds(-2));
  }

  private void added(Duration ago) {
    filled();
    row(thing(8, "new"));
    topics.drop("pos.checkpoints");
    checkpoint(ago.plusSeconds(5));
  }

  private void withoutCheckpoint() {
    row(thing(1, "a"));
    publish(thing(1, "a"));
  }

  private AuditVerdictsTest forbid(String topic) {
    topics.forbidden.add(topic);
    return this;
  }

  private void salted(String field) {
    settings.put("resources.things.hash.fields", field);
    settings.put("resources.things.fields", "id:string,name:string,customer:string");
    settings.put("hash.salt", "the salt of the connector");
    for (int id = 1; id < 4; id++) {
      String row = "{\"id\":\"k%d\",\"customer\":\"c%d\"}".formatted(id, id);
      row(row);
      publish(row);
    }
    checkpoint(Duration.ofSeconds(-2));
    settings.put("hash.salt", "another salt, of the audit");
  }

  private void away() {
    settings.put("base.url", "http://127.0.0.1:1");
  }
}
