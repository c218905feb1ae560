package io.posconnect.record;

import static org.assertj.core.api.Assertions.assertThat;

import io.posconnect.Version;
import io.posconnect.json.Row;
import io.posconnect.problem.Incident;
import io.posconnect.problem.Problem;
import io.posconnect.record.Destination.EventFormat;
import io.posconnect.record.Envelope.Operation;
import io.posconnect.record.Provenance.FetchKind;
import io.posconnect.resource.Counts;
import io.posconnect.resource.Counts.Count;
import io.posconnect.resource.Key;
import io.posconnect.resource.Numbering;
import io.posconnect.resource.Window;
import java.io.IOException;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.kafka.connect.data.Struct;
import org.apache.kafka.connect.source.SourceRecord;
import org.junit.jupiter.api.Test;

@SuppressWarnings("JavaUtilDate") // what Connect's logical types are made of
final class RecordBuilderTest {

  private static final Row ROW =
      Row.parse("{\"productId\":5,\"name\":\"Tea\",\"price\":2.5,\"colour\":\"green\"}");

  private final RecordBuilder envelope =
      Fixture.builder(Fixture.products(), EventFormat.ENVELOPE, true);
  private final RecordBuilder flat = Fixture.builder(Fixture.products(), EventFormat.FLAT, true);

  private static SourceRecord change(RecordBuilder builder, Operation operation) {
    return Fixture.change(builder, operation, ROW);
  }

  @Test
  void anUpdateIsAnEnvelopeAroundTheRow() {
    SourceRecord event = change(envelope, Operation.UPDATE);
    Struct value = (Struct) event.value();
    value.validate();

    assertThat(event.topic()).isEqualTo("pos.products");
    assertThat(event.valueSchema().name()).isEqualTo("io.posconnect.products.Envelope");
    assertThat(event.valueSchema().fields())
        .extracting("name")
        .containsExactly("before", "after", "source", "op", "ts_ms");
    assertThat(value.get("op")).isEqualTo("u");
    assertThat(value.get("before")).isNull();
    assertThat(value.getStruct("after").get("price")).isEqualTo(new BigDecimal("2.500000000"));
    assertThat(value.getStruct("after").get("extra")).isEqualTo("{\"colour\":\"green\"}");
    assertThat(value.get("ts_ms")).isEqualTo(Fixture.SEEN.toEpochMilli());
  }

  @Test
  void sourceNamesLocationResourceAndFetch() {
    Struct source = ((Struct) change(envelope, Operation.READ).value()).getStruct("source");

    assertThat(source)
        .hasToString(
            "Struct{version="
                + Version.TEXT
                + ",connector=pos,name=pos,ts_ms="
                + Fixture.INCREMENT.time().toEpochMilli()
                + ",snapshot=false,db=downtown,table=products,fetch_kind=increment,seq=0,epoch_ms=0}");
  }

  @Test
  void numbersTheEventsOfAStream() {
    Provenance numbered = Fixture.INCREMENT.numbered(new Numbering(7, 1_700_000_000_000L));
    Struct source =
        ((Struct) envelope.delete(Key.of(5), numbered, Fixture.COMMIT).get(0).value())
            .getStruct("source");

    assertThat(source.getInt64("seq")).isEqualTo(7);
    assertThat(source.getInt64("epoch_ms")).isEqualTo(1_700_000_000_000L);
  }

  @Test
  void theKeyIsLocationAndKeyFields() {
    SourceRecord event = change(envelope, Operation.CREATE);

    assertThat(event.keySchema().name()).isEqualTo("io.posconnect.ProductKey");
    assertThat(event.key()).hasToString("Struct{location=downtown,productId=5}");
  }

  @Test
  void passesPartitionAndOffsetThrough() {
    SourceRecord event = change(envelope, Operation.CREATE);

    assertThat((Object) event.sourcePartition()).isSameAs(Fixture.PARTITION);
    assertThat((Object) event.sourceOffset()).isSameAs(Fixture.OFFSET);
  }

  @Test
  void everyRecordHasTheTimeAtWhichTheChangeWasSeen() {
    List<SourceRecord> all = new ArrayList<>(Fixture.delete(envelope));
    all.addAll(Fixture.delete(flat));
    all.add(change(envelope, Operation.CREATE));
    all.add(change(flat, Operation.CREATE));
    all.add(Fixture.deadLetter(envelope, ROW, "no key"));
    all.add(
        envelope.status(
            Status.of(Status.Type.SUSPENDED, Problem.KEY_REFUSED.incident("a"), Instant.EPOCH),
            Fixture.COMMIT));

    assertThat(all)
        .hasSize(7)
        .extracting(SourceRecord::timestamp)
        .containsOnly(Fixture.SEEN.toEpochMilli());
  }

  @Test
  void aStatusHasTheCodeAndTheLineOfItsIncident() {
    Incident incident = Problem.KEY_REFUSED.incident("downtown/products: GET /products 401");

    assertThat(Status.of(Status.Type.SUSPENDED, incident, Instant.EPOCH).data())
        .containsExactlyInAnyOrderEntriesOf(
            Map.of("code", "POS-201", "reason", incident.toString()));
  }

  @Test
  void deadLettersOfWithheldRowsHoldNoText() throws IOException {
    Row row = Fixture.received("{'productId':5,'email':'secret','a':01}", "email");
    SourceRecord letter = Fixture.deadLetter(envelope, row, "not JSON");

    assertThat(((Struct) letter.value()).get("row_json")).isEqualTo("null");
    assertThat(((Struct) letter.value()).get("row_bytes")).isEqualTo(row.length());
    assertThat(letter.toString()).doesNotContain("secret");
  }

  @Test
  void deletesHoldTheKeyAndATombstoneFollows() {
    List<SourceRecord> events = Fixture.delete(envelope);
    Struct value = (Struct) events.get(0).value();
    value.validate();

    assertThat(events).hasSize(2);
    assertThat(value.get("op")).isEqualTo("d");
    assertThat(value.get("after")).isNull();
    assertThat(value.getStruct("before").get("productId")).isEqualTo(5L);
    assertThat(value.getStruct("before").get("name")).isNull();
    assertThat(events.get(1).value()).isNull();
    assertThat(events.get(1).key()).isEqualTo(events.get(0).key());
    assertThat((Object) events.get(1).sourceOffset()).isSameAs(Fixture.OFFSET);
  }

  @Test
  void tombstonesCanBeLeftOut() {
    assertThat(Fixture.delete(Fixture.builder(Fixture.products(), EventFormat.ENVELOPE, false)))
        .extracting(event -> ((Struct) event.value()).get("op"))
        .containsExactly("d");
  }

  @Test
  void flatDeletesAreTombstonesWithHeaders() {
    assertThat(Fixture.delete(flat))
        .singleElement()
        .satisfies(
            event -> {
              assertThat(event.value()).isNull();
              assertThat(event.headers().lastWithName("__op").value()).isEqualTo("d");
            });
  }

  @Test
  void aDeleteOfAKeyWithAnAliasIsValid() {
    RowSchema rowSchema =
        Fixture.builtIn("register-transactions", "registerTransactionId|transactionId");

    for (SourceRecord event :
        Fixture.delete(Fixture.builder(rowSchema, EventFormat.ENVELOPE, true))) {
      ((Struct) event.key()).validate();
    }
  }

  @Test
  void schemasAreBuiltOnce() {
    assertThat(change(envelope, Operation.CREATE).valueSchema())
        .isSameAs(change(envelope, Operation.UPDATE).valueSchema());
  }

  @Test
  void typeMismatchesAddUp() {
    Row row = Row.parse("{\"productId\":5,\"name\":1,\"price\":\"x\"}");

    Fixture.change(envelope, Operation.CREATE, row);

    assertThat(envelope.typeMismatches()).isEqualTo(2);
  }

  @Test
  void deadLettersHoldTheRowAndTheReason() {
    SourceRecord letter = Fixture.deadLetter(envelope, Row.parse("[ 1 ]"), "not an object");
    Struct value = (Struct) letter.value();
    value.validate();

    assertThat(letter.topic()).isEqualTo("pos.dead-letters");
    assertThat(letter.key())
        .hasToString(
            "Struct{location=downtown,resource_name=products,row_sha256="
                + value.getString("row_sha256")
                + "}");
    assertThat(value.get("row_json")).isEqualTo("[ 1 ]");
    assertThat(value.get("reason")).isEqualTo("not an object");
    assertThat(letter.valueSchema().field("row_json").schema().name())
        .isEqualTo("io.debezium.data.Json");
    assertThat(value.get("row_bytes")).isEqualTo(5L);
    assertThat(value.getString("row_sha256")).hasSize(64);
  }

  @Test
  void checkpointsDescribeAFetch() {
    Instant from = Instant.parse("2026-03-01T09:45:00Z");
    Counts counts = new Counts();
    int number = 0;
    for (Count each : Count.values()) {
      number++;
      counts.add(each, number);
    }
    Checkpoint checkpoint =
        new Checkpoint(
            FetchKind.INCREMENT,
            Window.since(from),
            from.plusSeconds(900),
            counts,
            new Numbering(10, 11),
            Duration.ofMillis(9));

    SourceRecord event = envelope.checkpoint(checkpoint, Fixture.COMMIT);
    Struct value = (Struct) event.value();
    value.validate();

    assertThat(event.topic()).isEqualTo("pos.checkpoints");
    assertThat(value.get("window_from")).isEqualTo(java.util.Date.from(from));
    assertThat(value.get("window_to")).isNull();
    assertThat(
            List.of(
                ("received created updated deleted suppressed type_mismatches dead_letters"
                        + " requests retries duration_ms seq epoch_ms")
                    .split(" ")))
        .extracting(value::get)
        .containsExactly(
            counts.get(Count.RECEIVED),
            counts.get(Count.CREATED) + counts.get(Count.READ),
            counts.get(Count.UPDATED),
            counts.get(Count.DELETED),
            counts.get(Count.SUPPRESSED),
            counts.get(Count.TYPE_MISMATCHES),
            counts.get(Count.DEAD_LETTERS),
            counts.get(Count.REQUESTS),
            counts.get(Count.RETRIES),
            9L,
            10L,
            11L);
  }
}
