package io.posconnect.tool;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.posconnect.json.Row;
import io.posconnect.record.BrokenRowException;
import io.posconnect.record.Checkpoint;
import io.posconnect.record.Destination;
import io.posconnect.record.Envelope.Operation;
import io.posconnect.record.Provenance;
import io.posconnect.record.Provenance.FetchKind;
import io.posconnect.record.RecordBuilder;
import io.posconnect.record.RowSchema;
import io.posconnect.record.Status;
import io.posconnect.resource.Key;
import io.posconnect.resource.Numbering;
import io.posconnect.resource.Window;
import io.posconnect.tool.TopicContract.Kind;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.avro.Schema;
import org.apache.kafka.connect.source.SourceRecord;

/**
 * A record as the connector would write it, of an invented row.
 *
 * @param name what happened
 * @param value null for a tombstone
 */
record ExampleRecord(String name, JsonNode key, ObjectNode headers, JsonNode value) {

  private static final Instant TIME = Instant.parse("2026-01-31T09:30:00Z");
  private static final Numbering NUMBERING =
      new Numbering(42, Instant.parse("2026-01-01T00:00:00Z").toEpochMilli());

  private static ExampleRecord of(String name, SourceRecord record) {
    ObjectNode headers = ConnectorConfig.JSON.createObjectNode();
    record
        .headers()
        .forEach(
            header ->
                headers.set(header.key(), ConnectJson.value(header.schema(), header.value())));
    return new ExampleRecord(
        name,
        ConnectJson.value(record.keySchema(), record.key()),
        headers,
        ConnectJson.value(record.valueSchema(), record.value()));
  }

  /** Makes records of one stream. */
  static final class Maker {

    private final RowSchema contract;
    private final boolean occurrences;
    private final Schema declared;
    private final RecordBuilder builder;

    /**
     * Begins with what the stream is.
     *
     * @param declared what the contract is made of
     */
    Maker(RowSchema contract, Destination destination, boolean occurrences, Schema declared) {
      this.contract = contract;
      this.declared = declared;
      this.occurrences = occurrences;
      this.builder = new RecordBuilder(contract, destination, () -> TIME.plusMillis(250));
    }

    List<ExampleRecord> of(Kind kind) {
      Provenance provenance = new Provenance(FetchKind.INCREMENT, TIME, false).numbered(NUMBERING);
      return switch (kind) {
        case EVENTS -> events(provenance);
        case CHECKPOINTS ->
            List.of(
                ExampleRecord.of("complete", builder.checkpoint(checkpoint(), Map.of(), Map.of())));
        case STATUS -> List.of(status());
        case DEAD_LETTERS ->
            List.of(
                ExampleRecord.of(
                    "dead-letter",
                    builder.deadLetter(
                        Row.parse("{\"name\":\"a row without a key\"}"),
                        "no key",
                        provenance,
                        Map.of(),
                        Map.of())));
      };
    }

    private List<ExampleRecord> events(Provenance provenance) {
      Row row = Row.parse(InventedRow.of(declared).toString());
      try {
        return events(row, contract.keyOf(row), provenance);
      } catch (BrokenRowException e) {
        throw new IllegalStateException("an invented row has no key", e);
      }
    }

    private List<ExampleRecord> events(Row row, Key base, Provenance provenance) {
      Key key = occurrences ? contract.occurrence(base, 1) : base;
      List<ExampleRecord> events = new ArrayList<>();
      events.add(
          ExampleRecord.of(
              "updated",
              builder.change(Operation.UPDATE, key, row, provenance, Map.of(), Map.of())));
      builder
          .delete(key, provenance.numbered(NUMBERING.next()), Map.of(), Map.of())
          .forEach(
              record ->
                  events.add(
                      ExampleRecord.of(record.value() == null ? "tombstone" : "deleted", record)));
      return events;
    }

    private static Checkpoint checkpoint() {
      return new Checkpoint(
          FetchKind.INCREMENT,
          Window.since(TIME.minus(Duration.ofMinutes(15))),
          TIME,
          12,
          1,
          2,
          0,
          9,
          0,
          0,
          1,
          0,
          NUMBERING,
          Duration.ofMillis(180));
    }

    private ExampleRecord status() {
      Status suspended =
          Status.of(
              Status.Type.SUSPENDED,
              "POS-201 downtown/products: GET /products 401: the API key is unknown or revoked",
              TIME);
      ExampleRecord record =
          ExampleRecord.of("suspended", builder.status(suspended, Map.of(), Map.of()));
      // It is random, and a document must not change with every run.
      ((ObjectNode) record.value()).put("id", "6f9619ff-8b86-4011-b42d-00c04fc964ff");
      return record;
    }
  }
}
