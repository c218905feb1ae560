package io.posconnect.tool;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.NullNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.posconnect.config.SourceConfig;
import io.posconnect.json.Row;
import io.posconnect.problem.Problem;
import io.posconnect.record.BrokenRowException;
import io.posconnect.record.Checkpoint;
import io.posconnect.record.Envelope.Operation;
import io.posconnect.record.Provenance;
import io.posconnect.record.Provenance.FetchKind;
import io.posconnect.record.RecordBuilder;
import io.posconnect.record.Status;
import io.posconnect.resource.Key;
import io.posconnect.resource.Numbering;
import io.posconnect.resource.Stream;
import io.posconnect.resource.Window;
import io.posconnect.task.RecordContracts;
import io.posconnect.tool.TopicContract.Kind;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.avro.Schema;
import org.apache.kafka.connect.json.JsonConverter;
import org.apache.kafka.connect.source.SourceRecord;
import org.jspecify.annotations.Nullable;

/**
 * A record as the connector would write it, of a sample row, in Kafka's own JSON.
 *
 * @param name of what happened
 * @param value null for a tombstone
 */
record ExampleRecord(String name, JsonNode key, ObjectNode headers, JsonNode value) {

  private static final Instant TIME = Instant.parse("2026-01-31T09:30:00Z");
  private static final Numbering NUMBERING =
      new Numbering(42, Instant.parse("2026-01-01T00:00:00Z").toEpochMilli());
  private static final JsonConverter CONVERTER = new JsonConverter(false);

  static {
    CONVERTER.configure(
        Map.of(
            "converter.type", "value",
            "schemas.enable", "false",
            "replace.null.with.default", "false",
            "decimal.format", "NUMERIC"));
  }

  boolean isTombstone() {
    return value.isNull();
  }

  private static ExampleRecord of(String name, SourceRecord record) {
    ObjectNode headers = ConnectorConfig.JSON.createObjectNode();
    record.headers().forEach(h -> headers.set(h.key(), json(h.schema(), h.value())));
    return new ExampleRecord(
        name,
        json(record.keySchema(), record.key()),
        headers,
        json(record.valueSchema(), record.value()));
  }

  private static JsonNode json(
      org.apache.kafka.connect.data.@Nullable Schema schema, @Nullable Object value) {
    byte @Nullable [] json = CONVERTER.fromConnectData("", schema, value);
    return json == null
        ? NullNode.instance
        : ConnectorConfig.tree(new String(json, StandardCharsets.UTF_8));
  }

  static final class Maker {

    private final RowWriter writer;
    private final RecordBuilder builder;
    private final Schema declared;

    Maker(SourceConfig config, Stream stream) {
      writer = RowWriter.of(config, stream, TIME.plusMillis(250));
      builder = writer.builder();
      declared = RecordContracts.declared(config, stream);
    }

    List<ExampleRecord> of(Kind kind) {
      Provenance provenance = new Provenance(FetchKind.INCREMENT, TIME, false).numbered(NUMBERING);
      return switch (kind) {
        case EVENTS -> events(provenance);
        case CHECKPOINTS -> List.of(checkpoint());
        case STATUS -> List.of(status());
        case DEAD_LETTERS -> List.of(deadLetter(provenance));
      };
    }

    private List<ExampleRecord> events(Provenance provenance) {
      Row row = Row.parse(SampleRow.of(declared).toString());
      try {
        return events(row, writer.key(row), provenance);
      } catch (BrokenRowException e) {
        throw new IllegalStateException("a sample row has no key", e);
      }
    }

    private List<ExampleRecord> events(Row row, Key key, Provenance provenance) {
      List<ExampleRecord> events = new ArrayList<>();
      events.add(
          ExampleRecord.of(
              "updated",
              builder.change(Operation.UPDATE, key, row, provenance, Map.of(), Map.of())));
      for (SourceRecord record :
          builder.delete(key, provenance.numbered(NUMBERING.next()), Map.of(), Map.of())) {
        events.add(ExampleRecord.of(record.value() == null ? "tombstone" : "deleted", record));
      }
      return events;
    }

    private ExampleRecord checkpoint() {
      Window window = Window.since(TIME.minus(Duration.ofMinutes(15)));
      Duration took = Duration.ofMillis(180);
      Checkpoint checkpoint =
          new Checkpoint(
              FetchKind.INCREMENT,
              window,
              TIME,
              new io.posconnect.resource.Counts(),
              NUMBERING,
              took);
      return ExampleRecord.of("complete", builder.checkpoint(checkpoint, Map.of(), Map.of()));
    }

    private ExampleRecord deadLetter(Provenance provenance) {
      Row row = Row.parse("{\"name\":\"a row without a key\"}");
      return ExampleRecord.of(
          "dead-letter", builder.deadLetter(row, "no key", provenance, Map.of(), Map.of()));
    }

    private ExampleRecord status() {
      Status suspended =
          Status.of(
              Status.Type.SUSPENDED,
              Problem.KEY_REFUSED.incident("downtown/products: GET /products 401"),
              TIME);
      ExampleRecord record =
          ExampleRecord.of("suspended", builder.status(suspended, Map.of(), Map.of()));
      // It is random, and a document must not change with every run.
      ((ObjectNode) record.value()).put("id", "6f9619ff-8b86-4011-b42d-00c04fc964ff");
      return record;
    }
  }
}
