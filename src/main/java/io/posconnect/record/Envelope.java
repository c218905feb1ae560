package io.posconnect.record;

import java.time.Instant;
import java.util.List;
import org.apache.kafka.connect.data.Field;
import org.apache.kafka.connect.data.Schema;
import org.apache.kafka.connect.data.SchemaBuilder;
import org.apache.kafka.connect.data.Struct;
import org.apache.kafka.connect.header.ConnectHeaders;
import org.apache.kafka.connect.header.Header;
import org.apache.kafka.connect.header.Headers;
import org.jspecify.annotations.Nullable;

/**
 * Wraps one stream's rows in Debezium's envelope, with the source block that says which connector,
 * location, resource and fetch an event comes from.
 */
public final class Envelope {

  private static final Schema SOURCE =
      SchemaBuilder.struct()
          .name("io.posconnect.Source")
          .field("version", FieldSchemas.text("Version of the connector."))
          .field("connector", FieldSchemas.text("Kind of the connector: pos."))
          .field("name", FieldSchemas.text("The connector's topic prefix."))
          .field(
              "ts_ms", FieldSchemas.count("Date of the response, or its arrival, in milliseconds."))
          .field(
              "snapshot",
              FieldSchemas.choice(List.of("true", "last", "false", "incremental"))
                  .optional()
                  .defaultValue("false")
                  .doc("Whether the event belongs to a snapshot.")
                  .build())
          .field("db", FieldSchemas.text("Name of the location."))
          .field("table", FieldSchemas.text("Name of the resource."))
          .field("fetch_kind", FieldSchemas.FETCH_KIND)
          .field(
              "seq", FieldSchemas.count("Number of the event in its stream, from 1, without gap."))
          .field("epoch_ms", FieldSchemas.count("When that numbering began, in milliseconds."))
          .build();

  private static final List<String> HEADERS =
      SOURCE.fields().stream().map(field -> "__source_" + field.name()).toList();

  private static final int OPERATION = HEADERS.size();

  private final Destination destination;
  private final Schema schema;

  // Most headers of an event are those of the event before it, and a buffer holds thousands.
  private final @Nullable Header[] latest = new @Nullable Header[HEADERS.size() + 1];

  Envelope(RowSchema rowSchema, Destination destination) {
    this.destination = destination;
    this.schema =
        SchemaBuilder.struct()
            .name(rowSchema.names().envelope())
            .field("before", rowSchema.nullableValueSchema())
            .field("after", rowSchema.nullableValueSchema())
            .field("source", SOURCE)
            .field("op", FieldSchemas.text("c created, u updated, d deleted, r read."))
            .field(
                "ts_ms",
                SchemaBuilder.int64().optional().doc("When the connector saw the change.").build())
            .build();
  }

  Schema schema() {
    return schema;
  }

  Struct of(
      Operation operation,
      @Nullable Struct before,
      @Nullable Struct after,
      Struct source,
      Instant seen) {
    return new Struct(schema)
        .put("before", before)
        .put("after", after)
        .put("source", source)
        .put("op", operation.code())
        .put("ts_ms", seen.toEpochMilli());
  }

  /** What the envelope and the headers of one event say of where it comes from. */
  Struct source(Provenance provenance) {
    return new Struct(SOURCE)
        .put("version", destination.version())
        .put("connector", "pos")
        .put("name", destination.prefix())
        .put("ts_ms", provenance.time().toEpochMilli())
        .put("snapshot", Boolean.toString(provenance.snapshot()))
        .put("db", destination.stream().location())
        .put("table", destination.stream().resource())
        .put("fetch_kind", provenance.kind().spelling())
        .put("seq", provenance.numbering().seq())
        .put("epoch_ms", provenance.numbering().epochMillis());
  }

  /** Operation and source in headers, named as Debezium's unwrap transform names them. */
  Headers headers(Operation operation, Struct source) {
    Headers headers = new ConnectHeaders();
    headers.add(header(OPERATION, "__op", operation.code(), Schema.STRING_SCHEMA));
    for (Field field : SOURCE.fields()) {
      int place = field.index();
      headers.add(header(place, HEADERS.get(place), source.get(field), field.schema()));
    }
    return headers;
  }

  private Header header(int place, String name, Object value, Schema schema) {
    Header header = latest[place];
    if (header == null || !header.value().equals(value)) {
      header = new ConnectHeaders().add(name, value, schema).lastWithName(name);
      latest[place] = header;
    }
    return header;
  }

  /** What happened to a row, in the spelling of Debezium's envelope. */
  public enum Operation {
    CREATE("c"),
    UPDATE("u"),
    DELETE("d"),
    /** Found there by a snapshot or a first backfill. */
    READ("r");

    private final String code;

    Operation(String code) {
      this.code = code;
    }

    /** The value of the envelope's field {@code op}. */
    public String code() {
      return code;
    }
  }
}
