package io.posconnect.record;

import static org.assertj.core.api.Assertions.assertThat;

import io.debezium.data.Envelope;
import io.debezium.transforms.ExtractNewRecordState;
import io.posconnect.json.Row;
import io.posconnect.record.Destination.EventFormat;
import io.posconnect.record.Envelope.Operation;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.kafka.connect.data.Struct;
import org.apache.kafka.connect.source.SourceRecord;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** Debezium's own unwrap transform, on our events. */
final class DebeziumUnwrapTest {

  private static final Row ROW = Row.parse("{\"productId\":5,\"name\":\"Tea\",\"x\":1}");

  @AutoClose
  private final ExtractNewRecordState<SourceRecord> unwrap = new ExtractNewRecordState<>();

  private final RecordBuilder builder =
      Fixture.builder(Fixture.products(), EventFormat.ENVELOPE, true);

  private SourceRecord change(Operation operation) {
    return Fixture.change(builder, operation, ROW);
  }

  private List<SourceRecord> delete() {
    return Fixture.delete(builder);
  }

  private List<SourceRecord> unwrapped(List<SourceRecord> events) {
    List<SourceRecord> records = new ArrayList<>();
    for (SourceRecord event : events) {
      SourceRecord record = unwrap.apply(event);
      if (record != null) {
        records.add(record);
      }
    }
    return records;
  }

  @Test
  void createUpdateAndReadBecomeTheRow() {
    unwrap.configure(Map.of("add.headers", "op,source.ts_ms,source.db"));

    for (Operation operation : List.of(Operation.CREATE, Operation.UPDATE, Operation.READ)) {
      SourceRecord record = unwrap.apply(change(operation));
      Struct value = (Struct) record.value();

      value.validate();
      assertThat(value.get("name")).isEqualTo("Tea");
      assertThat(value.get("extra")).isEqualTo("{\"x\":1}");
      assertThat(record.headers().lastWithName("__op").value()).isEqualTo(operation.code());
      assertThat(record.headers().lastWithName("__source_db").value()).isEqualTo("downtown");
    }
  }

  @Test
  void aDeleteBecomesOneTombstone() {
    unwrap.configure(Map.of());

    assertThat(unwrapped(delete()))
        .singleElement()
        .satisfies(
            record -> {
              assertThat(record.value()).isNull();
              assertThat(((Struct) record.key()).get("productId")).isEqualTo(5L);
            });
  }

  @Test
  void deletesCanBeRewrittenAsMarkedRows() {
    unwrap.configure(Map.of("delete.tombstone.handling.mode", "rewrite"));

    assertThat(unwrapped(delete()))
        .singleElement()
        .satisfies(
            record -> {
              Struct value = (Struct) record.value();
              value.validate();
              assertThat(value.get("productId")).isEqualTo(5L);
              assertThat(value.get("__deleted")).isEqualTo("true");
            });
  }

  @Test
  void flatEventsCarryTheHeadersThatTheTransformAdds() {
    unwrap.configure(
        Map.of(
            "add.headers", "op,source.name,source.db,source.ts_ms,source.snapshot,source.table"));
    RecordBuilder records = Fixture.builder(Fixture.products(), EventFormat.FLAT, true);

    SourceRecord theirs = unwrap.apply(change(Operation.CREATE));
    SourceRecord ours = Fixture.change(records, Operation.CREATE, ROW);

    theirs
        .headers()
        .forEach(
            header ->
                assertThat(ours.headers().lastWithName(header.key()).value())
                    .as(header.key())
                    .isEqualTo(header.value()));
    assertThat(theirs.headers()).hasSize(6);
    assertThat(ours.valueSchema().name()).isEqualTo("io.posconnect.Product");
    assertThat(ours.valueSchema().isOptional()).isFalse();
  }

  @Test
  void envelopesAndTombstonesCarryNoHeaders() {
    List<SourceRecord> events = new ArrayList<>(delete());
    events.add(change(Operation.UPDATE));

    assertThat(events).hasSize(3).allSatisfy(event -> assertThat(event.headers()).isEmpty());
  }

  @Test
  void debeziumReadsTheOperation() {
    for (Operation operation : List.of(Operation.CREATE, Operation.UPDATE, Operation.READ)) {
      assertThat(Envelope.operationFor(change(operation)).code()).isEqualTo(operation.code());
    }
    assertThat(Envelope.operationFor(delete().get(0))).isEqualTo(Envelope.Operation.DELETE);
  }
}
