package io.posconnect.tool;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.posconnect.record.Provenance.FetchKind;
import io.posconnect.resource.Numbering;
import io.posconnect.resource.Stream;
import io.posconnect.resource.Window;
import io.posconnect.simulator.Fault;
import io.posconnect.simulator.Table;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.connect.data.Struct;
import org.apache.kafka.connect.source.SourceRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The verdict on everything that somebody can do to a topic, and on what time does: whatever is
 * wrong is never equal, and what is right never different.
 */
class AuditVerdictsTest extends SimulatedAudit {

  private static final Stream PRODUCTS = new Stream("default", "products");
  private static final Stream SALES = new Stream("default", "register-transactions");
  private static final Duration DAY = Duration.ofDays(1);

  AuditVerdictsTest() {
    super("id:long,name:string,customer:string");
    settings.put("exactly.once.support", "required");
    settings.put("resources.products.requests.per.minute", "60000");
    settings.put("resources.register-transactions.requests.per.minute", "60000");
  }

  /** What is done to a stream, and the words of its findings; none for a stream without any. */
  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          quiet                            | filled                        | EQUAL       |
          quiet, flat                      | flat filled                   | EQUAL       |
          quiet, a date range              | sales                         | EQUAL       |
          quiet, a filtered list           | products                      | EQUAL       |
          # Somebody did something to the topic.
          an event is lost                 | filled drop:2                 | DIFFERENT   | 1 event number missing up to 7: 3
          a lost row                       | filled drop:2                 | DIFFERENT   | 1 key missing in the topic
          a superseded event is lost       | filled drop:0                 | DIFFERENT   | 1 event number missing up to 7: 1
          the latest event is lost         | filled drop:7,6               | DIFFERENT   | 1 event number missing up to 7: 7
          flat: an event is lost           | flat filled drop:2            | DIFFERENT   | 1 event number missing up to 7: 3
          the topic is empty               | filled clear                  | DIFFERENT   | 4 keys missing
          an event comes twice             | filled again:1                | NOT_DECIDED | 1 number twice: 2. Each comes once, unless offsets were restored or delivery was at least once
          flat: an event comes twice       | flat filled again:1           | NOT_DECIDED | 1 number twice: 2
          twice under at-least-once        | atLeastOnce filled again:1    | EQUAL       |
          one number has two keys          | numberOfTwo                   | NOT_DECIDED | 1 number twice: 2
          an earlier row comes again       | filled again:0                | DIFFERENT   | 1 key different
          two events of a key in reverse   | filled swap:0,4               | DIFFERENT   | 1 key different
          the same before a third event    | superseded                    | EQUAL       |
          another numbering                | epoch                         | DIFFERENT   | 1 event number missing up to 7: 3
          checkpoints of two connectors    | filled rival                  | EQUAL       | The numbering went back at
          a changed value                  | changed                       | DIFFERENT   | 1 key different in the topic
          flat: a changed value            | flat changed                  | DIFFERENT   | 1 key different
          a row under another key          | filled swap:1,2               | DIFFERENT   | 2 keys different
          an invented row                  | invented                      | DIFFERENT   | 1 key in the topic, but not
          flat: an invented row            | flat invented                 | DIFFERENT   | 1 key in the topic
          an invented tombstone            | filled removed:1              | DIFFERENT   | 1 key missing
          one beside a row without a key   | invented row:{"no":1}         | NOT_DECIDED | such deletes may be held (POS-502, POS-504)
          a delete without tombstone       | filled drop:7                 | DIFFERENT   | 1 record of a delete, without the tombstone behind it: lost, or tombstones.on.delete was off then
          a tombstone that comes later     | filled late                   | EQUAL       |
          an update behind such a delete   | revived                       | DIFFERENT   | 1 record of a delete, without the tombstone behind it
          no tombstones are configured     | withoutTombstones filled      | EQUAL       |
          a tombstone without delete       | filled drop:6                 | DIFFERENT   | 1 event number missing up to 7: 7
          an op that does not fit          | op:d                          | DIFFERENT   | 1 record with an op that does not fit its row
          flat: an op that does not fit    | flat op:d                     | DIFFERENT   | 1 record with an op that does not fit its row
          an unknown op                    | op:x                          | DIFFERENT   | 1 record with an op that does not fit its row
          a row of another store           | rowOf:other                   | DIFFERENT   | 1 record with a row of another location than its key
          flat: a row of another store     | flat rowOf:other              | DIFFERENT   | 1 record with a row of another location
          flat: another header.converter   | flat filled headers:{payload} | NOT_DECIDED | 6 events without a number in their headers
          rows of the other format         | filled flat                   | DIFFERENT   | 4 records of another event.format than the configuration: consumers of the one cannot read the other
          flat: rows of the other format   | flat filled envelope          | DIFFERENT   | 4 records of another event.format
          written once more in the other   | filled flat filled            | EQUAL       |
          events of an unknown store       | foreign                       | EQUAL       | 1 event of location other, which does not write to it
          a store that has its own topic   | perStore foreign              | EQUAL       | 1 event of location other, which does not write to it
          a record that is no event        | filled junk:text              | DIFFERENT   | 1 record of the topic without an event
          a record without a key           | filled junk                   | DIFFERENT   | 1 record of the topic without an event
          a key in two partitions          | filled moved:0                | NOT_DECIDED | 1 key in two partitions: which row a consumer reads last is chance. The topic's number of partitions or its key.converter was changed
          a delete in another one          | filled moved:4                | NOT_DECIDED | 1 key in two partitions
          the old one comes last           | filled moved:0 reversed       | NOT_DECIDED | 1 key in two partitions
          an open transaction              | filled open:PT24H             | NOT_DECIDED | Partition 1 has an open transaction since
          a transaction of now             | filled open:PT0S              | EQUAL       |
          what such a transaction hides    | filled drop:2 open:PT24H      | NOT_DECIDED | 1 key missing in the topic; the open transaction may hide their events
          # Rows of one key.
          two in another order             | twins row:{"id":1,"name":"b"} row:{"id":1,"name":"a"} | EQUAL |
          three, of which two are alike    | twins:a,b,a row:{"id":1,"name":"b"} row:{"id":1,"name":"a"} row:{"id":1,"name":"a"} | EQUAL |
          one of three is gone             | twins:a,b,a row:{"id":1,"name":"a"} row:{"id":1,"name":"a"} | DIFFERENT | 1 key in the topic, but not
          one more row than the topic has  | twins row:{"id":1,"name":"a"} row:{"id":1,"name":"b"} row:{"id":1,"name":"a"} | DIFFERENT | 1 key missing
          the first of two is gone         | twins row:{"id":1,"name":"b"} goneTwin | EQUAL |
          pages that are all the same      | twins samePages row:{"id":1,"name":"b"} | NOT_DECIDED | POS-408
          the same with unreadable rows    | samePages row:{"no":1} row:{"id":"x"} filled | NOT_DECIDED | POS-408
          # Compaction and retention.
          compaction                       | compacted filled drop:0       | EQUAL       | 1 event up to 7 may have been removed by compaction
          compaction emptied a partition   | emptied                       | EQUAL       | 2 events up to 7 may have been removed by compaction
          compaction, an old event again   | replayed                      | EQUAL       | 2 events up to 7 may have been removed by compaction
          half of a history is removed     | sales truncated:3             | NOT_DECIDED | 3 keys missing in the topic, whose events retention or DeleteRecords may have removed
          event numbers show it            | sales truncated:3             | NOT_DECIDED | 3 events up to 6 may have been removed by retention or DeleteRecords
          a whole history is removed       | sales truncated:6             | NOT_DECIDED | 6 events up to 6 may have been removed by retention
          only earlier events are removed  | updatedSales truncated:1      | NOT_DECIDED | 1 event up to 7 may have been removed by retention
          compared since a later time      | retained since:PT72H          | EQUAL       | Only rows since
          a later row is lost              | retained drop:3               | DIFFERENT   | 1 key missing in the topic, though
          half of a list is removed        | filled truncated:2            | NOT_DECIDED | 1 key missing in the topic, whose events retention or DeleteRecords may have removed
          dates begin later than its list  | filled startsNow truncated:2  | NOT_DECIDED | 2 events up to 7 may have been removed by retention or DeleteRecords
          # What the connector cannot know yet, or never.
          a delete before it is due        | deleted:PT23H                 | NOT_DUE_YET | the rest is due by
          a delete that is overdue         | deleted:PT27H                 | DIFFERENT   | more was due by
          a delete after a full read       | deleted:PT-5S                 | DIFFERENT   | though the connector has read the service since
          a delete without reconciliations | neverReconciled deleted:PT24H | NEVER_TOLD  | 1 key in the topic, but not at the service: deletes of this resource are never told
          a delete of a date range         | sales goneSale                | NEVER_TOLD  | 1 key in the topic, but not at the service: deletes of this resource are never told
          many rows vanish                 | many                          | NOT_DECIDED | such deletes may be held (POS-502, POS-504)
          a row that is not read yet       | added:PT0S                    | NOT_DUE_YET | 1 key missing in the topic. The connector has read up to
          a row that a slow read lacks yet | slow:PT10M added:PT20M        | NOT_DUE_YET | 1 key missing in the topic. The connector has read up to
          a slow connector stands still    | slow:PT10M added:PT1H         | DIFFERENT   | more was due by
          it reads during a slow audit     | added:PT1H goesOn             | NOT_DUE_YET | the rest is due by
          the only read that is known      | paged only                    | NOT_DECIDED | no checkpoint shows whether
          a delete that a read must confirm | paged once                   | NOT_DUE_YET | the rest is due by
          a delete that two reads showed   | paged once twice              | DIFFERENT   | though the connector has read the service since
          a delete beside paged increments | pagedIncrements deletedOnce  | NOT_DUE_YET | the rest is due by
          a backfill that still runs       | sales backfilling             | NOT_DECIDED | the first read is not complete
          a connector that stands still    | added:PT1H                    | DIFFERENT   | 1 key missing in the topic. The connector has read up to
          # A baseline.
          a row from before the baseline   | baseline op:c row:{"id":2}    | EQUAL       | 1 key not in the topic: from before the baseline
          a snapshot filled the topic      | baseline op:r row:{"id":2}    | DIFFERENT   | 1 key missing in the topic
          flat: a snapshot filled it       | flat baseline op:r row:{"id":2} | DIFFERENT | 1 key missing in the topic
          # What keeps the audit from comparing.
          no checkpoint                    | withoutCheckpoint             | NOT_DECIDED | There is no checkpoint: the first read
          a key of a lost schema           | filled lost:key               | NOT_DECIDED | The registry has no schema 25
          a row of a lost schema           | filled lost:row               | NOT_DECIDED | The registry has no schema 25
          a lost schema of checkpoints     | filled lost:checkpoint        | EQUAL       |
          all checkpoints of a lost schema | withoutCheckpoint lost:checkpoint | NOT_DECIDED | pos.checkpoints: The registry has no schema 25
          no topic and no checkpoint       | row:{"id":1}                  | NOT_DECIDED | There is no topic pos.things
          no right to the topic            | filled forbid:pos.things      | NOT_DECIDED | The topic pos.things may not be read
          no right to checkpoints          | filled forbid:pos.checkpoints | NOT_DECIDED | The topic pos.checkpoints may not be read
          another salt                     | salted:customer               | NOT_DECIDED | the salt differs
          another salt of the key          | salted:id                     | NOT_DECIDED | the salt differs
          the same behind a baseline       | baseline salted:id            | NOT_DECIDED | the salt differs
          the same where retention works   | salted:id truncated:0         | NOT_DECIDED | the salt differs
          rows that differ beside an equal one | salted:customer alike     | DIFFERENT   | 3 keys different in the topic
          a service that does not answer   | filled away                   | NOT_DECIDED | POS-302
          a row that is a dead letter      | filled row:{"no":1}           | EQUAL       | 1 row of the service cannot be an event (dead letter)
          dead letters of what broke off   | row:{"no":1} row:{"no":2} row:{"no":3} checkpoint cut | NOT_DECIDED | 3 rows of the service cannot be
          nothing but dead letters         | checkpoint row:{"no":1}       | NOT_DECIDED | 1 row of the service cannot be an event (dead letter), and no other row was there to compare
          no row on either side            | checkpoint                    | EQUAL       |
          a first page of such rows        | paged row:{"no":1} row:{"no":2} filled | EQUAL | 2 rows of the service cannot be an event (dead letter)
          no answer behind such a page     | paged gap row:{"no":1} row:{"no":2} filled | EQUAL | 2 rows of the service cannot be an event (dead letter)
          """)
  void judges(String claim, String steps, Verdict verdict, String finding) {
    for (String step : steps.split(" ", -1)) {
      String[] words = step.split(":", 2);
      plant(words[0], words.length > 1 ? words[1] : "");
    }

    StreamResult result = audit();

    String words = words(result);
    assertThat(result.verdict()).as(words).isEqualTo(verdict);
    int exit =
        switch (verdict) {
          case EQUAL, NEVER_TOLD, NOT_DUE_YET -> 0;
          case DIFFERENT -> 1;
          case NOT_DECIDED -> 4;
        };
    assertThat(result.verdict().exit.number).isEqualTo(exit);
    assertThat(result.verifiedThrough().isPresent()).isEqualTo(exit == 0);
    if (finding == null) {
      assertThat(words).isEmpty();
    } else {
      assertThat(words).contains(finding).doesNotContain("..");
    }
  }

  private void plant(String step, String with) {
    switch (step) {
      case "flat" -> {
        settings.put("event.format", "flat");
        settings.remove("tombstones.on.delete");
      }
      case "envelope" -> settings.remove("event.format");
      case "cut" -> service.faults().on("/things").times(1).then(Fault.cutChunks());
      case "gap" ->
          service
              .faults()
              .on("/paged")
              .whenQuery(query -> query.contains("PageNumber=2"))
              .times(1)
              .then(Fault.status(503));
      case "checkpoint" -> {
        topics.create("pos.things");
        checkpoint(Duration.ZERO);
      }
      case "baseline" -> settings.put("snapshot.mode", "baseline");
      case "startsNow" -> settings.put("start.from", "now");
      case "atLeastOnce" -> settings.remove("exactly.once.support");
      case "withoutTombstones" -> settings.put("tombstones.on.delete", "false");
      case "neverReconciled" -> settings.put("reconcile.interval.ms", "0");
      case "away" -> settings.put("base.url", "http://127.0.0.1:1");
      case "compacted" -> topics.compacted = true;
      case "forbid" -> topics.forbidden.add(with);
      case "lost" -> lost(with);
      case "open" -> topics.open.put(1, Instant.now().minus(Duration.parse(with)));
      case "since" -> since = Optional.of(service.now().minus(Duration.parse(with)));
      case "row" -> rows(with);
      case "filled" -> filled();
      case "drop" -> numbers(with).forEach(place -> records().remove((int) place));
      case "clear" -> records().clear();
      case "again" -> again(Integer.parseInt(with));
      case "swap" -> swap(numbers(with).get(0), numbers(with).get(1));
      case "moved" -> moved(Integer.parseInt(with));
      case "reversed" -> records().add(records().remove(0));
      case "truncated" -> truncate(Integer.parseInt(with));
      case "junk" -> junk(with);
      case "removed" -> removed(Integer.parseInt(with));
      case "changed" -> filledAnd(thing(2, "B"));
      case "superseded" -> superseded();
      case "invented" -> filledAnd(thing(9, "x"));
      case "revived" -> revived();
      case "numberOfTwo" -> numberOfTwo();
      case "epoch" -> epoch();
      case "rival" -> rival();
      case "op" -> op(with);
      case "headers" -> headers(with);
      case "rowOf" -> rowOf(with);
      case "foreign" -> foreign();
      case "perStore" -> perStore();
      case "twins" -> twins((with.isEmpty() ? "a,b" : with).split(",", -1));
      case "goneTwin" -> topics.delete(config(), THINGS, thing(1, "a"));
      case "samePages" -> {
        settings.put("resources.things.retrieval", "pages");
        settings.put("resources.things.page.size", "1");
      }
      case "replayed" -> replayed();
      case "emptied" -> emptied();
      case "late" -> late();
      case "sales" -> sales();
      case "updatedSales" -> updatedSales();
      case "goneSale" -> table().delete(table().ids().get(0));
      case "retained" -> retained();
      case "products" -> products();
      case "deleted" -> deleted(Duration.parse(with));
      case "many" -> many();
      case "slow" -> topics.taken = Duration.parse(with);
      case "paged" -> paged();
      case "once" -> once();
      case "only" -> only();
      case "twice" -> topics.checkpoint(config(), stream, service.now().plusSeconds(9));
      case "pagedIncrements" -> settings.put("resources.products.increments", "pages");
      case "deletedOnce" -> deletedOnce();
      case "backfilling" -> backfilling();
      case "goesOn" -> topics.beforeReads(() -> {}, () -> checkpoint(Duration.ofSeconds(20)));
      case "added" -> added(Duration.parse(with));
      case "withoutCheckpoint" -> both(thing(1, "a"));
      case "salted" -> salted(with);
      case "alike" -> both("{\"id\":\"k9\"}");
      default -> throw new IllegalArgumentException(step);
    }
  }

  private static List<Integer> numbers(String text) {
    return Arrays.stream(text.split(",", -1)).map(Integer::valueOf).toList();
  }

  @Test
  void auditsTheOtherTopicsWhereTheRegistryHasLostSchemas() {
    filled();
    lost("key");
    lost("row");
    products();
    List<StreamResult> results = audit(List.of(THINGS, PRODUCTS));

    StreamResult products = results.get(0);
    assertThat(products.verdict()).as(words(products)).isEqualTo(Verdict.EQUAL);
    StreamResult things = results.get(1);
    assertThat(words(things)).startsWith("The registry has no schema 25");
    assertThat(things.counts()).as("keys that Mend would have written again").isEmpty();
  }

  @Test
  void noSnapshotMendsAFirstReadThatRunsOrRecordsOfAnotherForm() {
    sales();
    backfilling();
    assertThat(audit().mendable()).isFalse();
    stream = THINGS;
    filled();
    assertThat(audit().mendable()).isTrue();
    byte[] text = "text".getBytes(UTF_8);
    topics.add("pos.things", records().get(0).key(), text, new RecordHeaders());
    assertThat(audit().mendable()).as("with a value of another converter").isFalse();
    junk("text");
    assertThat(audit().mendable()).isFalse();
  }

  @Test
  void statesWhenADeleteIsDue() {
    deleted(Duration.ofHours(23));
    StreamResult result = audit();

    // Interval, lookback of products, delay of the guard.
    Instant read = service.now().minus(Duration.ofHours(23));
    Instant due = read.plus(Duration.ofHours(24)).plus(Duration.ofMinutes(100));
    Matcher stated = Pattern.compile("the rest is due by (\\S+Z)").matcher(words(result));
    assertThat(stated.find()).as(words(result)).isTrue();
    assertThat(Instant.parse(stated.group(1))).isCloseTo(due, within(1, ChronoUnit.MINUTES));
    assertThat(result.verifiedThrough().orElseThrow()).isBefore(read.plusSeconds(10));
  }

  private void both(String row) {
    rows(row);
    publish(row);
  }

  private void checkpoint(Duration ago) {
    topics.checkpoint(config(), stream, service.now().plusSeconds(2).minus(ago));
  }

  private static String thing(int id, String name) {
    return "{\"id\":%d,\"name\":\"%s\"}".formatted(id, name);
  }

  /**
   * Records 0 to 7 with the numbers 1 to 7: an update of the first row, and a delete at the end.
   */
  private void filled() {
    rows(thing(1, "z"), thing(2, "b"), thing(3, "c"), thing(4, "d"));
    publish(thing(1, "a"), thing(2, "b"), thing(3, "c"), thing(4, "d"));
    publish(thing(1, "z"), thing(5, "e"));
    topics.delete(config(), THINGS, "{\"id\":5}");
    checkpoint(Duration.ZERO);
  }

  private List<ConsumerRecord<byte[], byte[]>> records() {
    return topics.records("pos." + stream.resource());
  }

  private void again(int place) {
    ConsumerRecord<byte[], byte[]> record = records().get(place);
    topics.add(record.topic(), record.key(), record.value(), (RecordHeaders) record.headers());
  }

  private void swap(int one, int other) {
    ConsumerRecord<byte[], byte[]> first = records().get(one);
    ConsumerRecord<byte[], byte[]> second = records().get(other);
    records().set(one, with(first, second.value()));
    records().set(other, with(second, first.value()));
  }

  private static ConsumerRecord<byte[], byte[]> with(
      ConsumerRecord<byte[], byte[]> record,
      int partition,
      long offset,
      long timestamp,
      byte[] value) {
    return new ConsumerRecord<>(
        record.topic(),
        partition,
        offset,
        timestamp,
        record.timestampType(),
        0,
        0,
        record.key(),
        value,
        record.headers(),
        Optional.empty());
  }

  private static ConsumerRecord<byte[], byte[]> with(
      ConsumerRecord<byte[], byte[]> record, byte[] value) {
    return with(record, record.partition(), record.offset(), record.timestamp(), value);
  }

  private void moved(int place) {
    ConsumerRecord<byte[], byte[]> record = records().get(place);
    records().set(place, with(record, 1, record.offset(), record.timestamp(), record.value()));
  }

  private void junk(String key) {
    byte[] bytes = key.isEmpty() ? null : key.getBytes(UTF_8);
    topics.add("pos.things", bytes, "text".getBytes(UTF_8), new RecordHeaders());
  }

  private void lost(String part) {
    byte[] lost = {0, 0, 0, 0, 25, 1};
    String topic = part.equals("checkpoint") ? "pos.checkpoints" : "pos.things";
    byte[] key = part.equals("key") ? lost : records().get(0).key();
    topics.add(topic, key, lost, new RecordHeaders());
  }

  private void removed(int place) {
    topics.add("pos.things", records().get(place).key(), null, new RecordHeaders());
  }

  private void filledAnd(String more) {
    filled();
    publish(more);
    checkpoint(Duration.ZERO);
  }

  private void superseded() {
    rows(thing(1, "c"));
    publish(thing(1, "a"), thing(1, "b"), thing(1, "c"));
    swap(0, 1);
    checkpoint(Duration.ZERO);
  }

  private void revived() {
    filled();
    records().remove(7);
    both(thing(5, "e"));
    checkpoint(Duration.ZERO);
  }

  /** Publishes a row, and changes its record before it is written. */
  private void tampered(String row, Consumer<SourceRecord> change) {
    topics.tampering = change;
    publish(row);
    topics.tampering = record -> {};
  }

  private static Struct value(SourceRecord record) {
    return (Struct) requireNonNull(record.value());
  }

  private void numberOfTwo() {
    rows(thing(1, "a"), thing(2, "b"), thing(3, "c"));
    publish(thing(1, "a"), thing(2, "b"));
    tampered(thing(3, "c"), record -> value(record).getStruct("source").put("seq", 2L));
    topics.numbers.put(stream, new Numbering(2, 7));
    checkpoint(Duration.ZERO);
  }

  private void epoch() {
    rows(thing(1, "a"), thing(2, "b"), thing(3, "c"), thing(4, "d"));
    publish(thing(1, "a"), thing(2, "b"));
    tampered(thing(3, "c"), record -> value(record).getStruct("source").put("epoch_ms", 6L));
    publish(thing(4, "d"), thing(4, "e"), thing(4, "f"), thing(4, "d"));
    checkpoint(Duration.ZERO);
  }

  /** A checkpoint of another connector, between two of this one. */
  private void rival() {
    topics.tampering = record -> value(record).put("epoch_ms", 8L);
    checkpoint(Duration.ZERO);
    topics.tampering = record -> {};
    checkpoint(Duration.ZERO);
  }

  private boolean isFlat() {
    return "flat".equals(settings.get("event.format"));
  }

  private void op(String op) {
    rows(thing(1, "a"));
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

  private void headers(String value) {
    for (ConsumerRecord<byte[], byte[]> record : records()) {
      for (Header header : record.headers().toArray()) {
        record.headers().remove(header.key()).add(header.key(), value.getBytes(UTF_8));
      }
    }
  }

  private void rowOf(String other) {
    rows(thing(1, "a"));
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
    topics.compacted = true;
    rows(thing(1, "a"), thing(2, "b"), thing(3, "c"), thing(4, "d"));
    publish(thing(1, "a"), thing(2, "b"), thing(3, "x"), thing(4, "x"), thing(3, "c"));
    publish(thing(4, "y"), thing(4, "d"));
    again(0);
    again(1);
    records().subList(0, 4).clear();
    checkpoint(Duration.ZERO);
    // A row written since the cleaner ran shows where the partition is whole.
    publish(thing(1, "a"));
  }

  /** The only key of a partition was created and deleted, and the cleaner removed its tombstone. */
  private void emptied() {
    topics.compacted = true;
    rows(thing(1, "b"), thing(2, "d"));
    publish(thing(1, "a"), thing(1, "b"), thing(2, "a"), thing(2, "c"), thing(2, "d"));
    topics.partition = 1;
    publish(thing(3, "a"));
    topics.delete(config(), THINGS, "{\"id\":3}");
    records().removeIf(record -> record.partition() == 1);
    checkpoint(Duration.ZERO);
  }

  /** Without transactions, the audit may see a delete before its tombstone. */
  private void late() {
    ConsumerRecord<byte[], byte[]> tombstone = records().remove(records().size() - 1);
    patience = Duration.ofSeconds(9);
    topics.beforeReads(() -> {}, () -> {}, () -> {}, () -> records().add(tombstone));
  }

  private void truncate(int records) {
    records().subList(0, records).clear();
    topics.trimmed = Set.of(0);
  }

  private Table table() {
    return location.registerTransactions();
  }

  private String sale(long id) {
    return table().row(id).toString();
  }

  /** Six transactions of the last days, all written by one backfill. */
  private void sales() {
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
        Window.since(service.now().minus(DAY.multipliedBy(30))),
        service.now().plusSeconds(2));
  }

  private void updatedSales() {
    sales();
    publish(sale(table().ids().get(0)));
    checkpoint(Duration.ZERO);
  }

  /** Each event has the time of its row, and retention removed the two oldest. */
  private void retained() {
    sales();
    for (int i = 0; i < 6; i++) {
      Instant time = service.now().minus(DAY.multipliedBy(6 - i)).plusSeconds(5);
      records().set(i, with(records().get(i), 0, i, time.toEpochMilli(), records().get(i).value()));
    }
    truncate(2);
  }

  private void products() {
    stream = PRODUCTS;
    settings.put("resources", "things," + PRODUCTS.resource());
    for (int i = 0; i < 5; i++) {
      publish(location.products().row(location.products().create()).toString());
    }
    checkpoint(Duration.ZERO);
  }

  /** A product is gone, and the last reconciliation was so long ago; increments go on. */
  private void deleted(Duration ago) {
    products();
    location.products().delete(location.products().ids().get(0));
    checkpoint(ago);
    topics.checkpoint(
        config(), PRODUCTS, FetchKind.INCREMENT, Window.ALL, service.now().plusSeconds(2));
  }

  /** Rows of one key. */
  private void twins(String... names) {
    settings.put("resources.things.occurrences", "true");
    for (int i = 0; i < names.length; i++) {
      int number = i + 1;
      tampered(thing(1, names[i]), record -> ((Struct) record.key()).put("occurrence", number));
    }
    checkpoint(Duration.ofSeconds(-2));
  }

  private void perStore() {
    settings.put("topic.template", "{prefix}.{location}.{resource}");
    settings.remove("api.key");
    settings.put("locations", "default,other");
    settings.put("locations.default.api.key", KEY);
    settings.put("locations.other.api.key", "another-key");
  }

  /** A row is gone, and one read since has shown it. */
  private void once() {
    rows(thing(1, "a"));
    publish(thing(1, "a"), thing(2, "b"));
    checkpoint(Duration.ofMinutes(1));
    topics.checkpoint(config(), stream, service.now().plusSeconds(5));
  }

  /** Retention removed the checkpoints of the reads before the one that showed it. */
  private void only() {
    once();
    topics.records("pos.checkpoints").remove(0);
  }

  /** A product is gone, and one reconciliation since has shown it. */
  private void deletedOnce() {
    products();
    location.products().delete(location.products().ids().get(0));
    topics.drop("pos.checkpoints");
    checkpoint(Duration.ofMinutes(1));
    checkpoint(Duration.ofSeconds(-5));
  }

  /** The last windows of a backfill are still to be read. */
  private void backfilling() {
    records().subList(3, 6).clear();
    topics.numbers.put(SALES, new Numbering(3, 7));
    topics.drop("pos.checkpoints");
    Instant begin = service.now().minus(DAY.multipliedBy(30));
    Instant end = service.now().minus(DAY.multipliedBy(3).plusHours(12));
    topics.checkpoint(config(), SALES, FetchKind.BACKFILL, new Window(begin, end), end);
  }

  private void many() {
    for (int id = 1; id <= 30; id++) {
      publish(thing(id, "a"));
      if (id > 10) {
        rows(thing(id, "a"));
      }
    }
    checkpoint(Duration.ofSeconds(-2));
  }

  private void added(Duration ago) {
    filled();
    rows(thing(8, "new"));
    topics.drop("pos.checkpoints");
    checkpoint(ago.plusSeconds(5));
  }

  private void salted(String field) {
    settings.put("resources.things.hash.fields", field);
    settings.put("resources.things.fields", "id:string,name:string,customer:string");
    settings.put("hash.salt", "the salt of the connector");
    for (int id = 1; id < 4; id++) {
      both("{\"id\":\"k%d\",\"customer\":\"c%d\"}".formatted(id, id));
    }
    checkpoint(Duration.ofSeconds(-2));
    settings.put("hash.salt", "another salt, of the audit");
  }
}
