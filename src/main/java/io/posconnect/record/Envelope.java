package io.posconnect.record;

import io.posconnect.Version;
import java.time.Instant;
import java.util.List;
import org.apache.kafka.connect.data.Field;
import org.apache.kafka.connect.data.Schema;
import org.apache.kafka.connect.data.SchemaBuilder;
import org.apache.kafka.connect.data.Struct;
import org.apache.kafka.connect.header.ConnectHeaders;
import org.apache.kafka.connect.header.Headers;
import org.jspecify.annotations.Nullable;

/**
 * Wraps one stream's rows in Debezium's envelope, with a source block: the connector, location,
 * resource and fetch that an event comes from. Its fields have no docs, since converters may print
 * the schema for every event: {@code docs/consuming.md} describes them.
 */
public final class Envelope {

  private static final Schema SOURCE =
      SchemaBuilder.struct()
          .name("io.posconnect.Source")
          .field("version", Schema.STRING_SCHEMA)
          .field("connector", Schema.STRING_SCHEMA)
          .field("name", Schema.STRING_SCHEMA)
          .field("ts_ms", Schema.INT64_SCHEMA)
          .field(
              "snapshot",
              FieldSchemas.choice(List.of("true", "last", "false", "incremental"))
                  .optional()
                  .defaultValue("false")
                  .build())
          .field("db", Schema.STRING_SCHEMA)
          .field("table", Schema.STRING_SCHEMA)
          .field("fetch_kind", Schema.STRING_SCHEMA)
          .field("seq", Schema.INT64_SCHEMA)
          .field("epoch_ms", Schema.INT64_SCHEMA)
          .build();

  /** The headers of an event without an envelope, named as Debezium's unwrap transform does. */
  static final Schema HEADERS = headers();

  private final Destination destination;
  private final Schema schema;

  Envelope(RowSchema rowSchema, Destination destination) {
    this.destination = destination;
    this.schema = rowSchema.eventSchema();
  }

  static Schema schema(String name, Schema row) {
    return SchemaBuilder.struct()
        .name(name)
        .field("before", row)
        .field("after", row)
        .field("source", SOURCE)
        .field("op", Schema.STRING_SCHEMA)
        .field("ts_ms", Schema.OPTIONAL_INT64_SCHEMA)
        .build();
  }

  Struct of(
      Operation operation,
      @Nullable Struct before,
      @Nullable Struct after,
      Provenance provenance,
      Instant seen) {
    return new CheckedStruct(schema)
        .put("before", before)
        .put("after", after)
        .put("source", source(provenance))
        .put("op", operation.code())
        .put("ts_ms", seen.toEpochMilli());
  }

  private Struct source(Provenance provenance) {
    return new CheckedStruct(SOURCE)
        .put("version", Version.TEXT)
        .put("connector", "pos")
        .put("name", destination.topics().prefix())
        .put("ts_ms", provenance.time().toEpochMilli())
        .put("snapshot", Boolean.toString(provenance.snapshot()))
        .put("db", destination.stream().location())
        .put("table", destination.stream().resource())
        .put("fetch_kind", provenance.kind().spelling())
        .put("seq", provenance.numbering().seq())
        .put("epoch_ms", provenance.numbering().epochMillis());
  }

  private static Schema headers() {
    SchemaBuilder headers = SchemaBuilder.struct().field("__op", Schema.STRING_SCHEMA);
    SOURCE.fields().forEach(field -> headers.field("__source_" + field.name(), field.schema()));
    return headers.build();
  }

  /** The operation and the source, for an event without an envelope. */
  Headers headers(Operation operation, Provenance provenance) {
    Struct source = source(provenance);
    Headers headers = new ConnectHeaders().addString("__op", operation.code());
    for (Field field : SOURCE.fields()) {
      String name = HEADERS.fields().get(field.index() + 1).name();
      headers.add(name, source.get(field), field.schema());
    }
    return headers;
  }

  /** The kinds of changes of a row, in the spelling of Debezium's envelope. */
  public enum Operation {
    CREATE("c"),
    UPDATE("u"),
    DELETE("d"),
    /** Found by a snapshot or a first backfill, or known from an earlier snapshot. */
    READ("r");

    private final String code;

    Operation(String code) {
      this.code = code;
    }

    public String code() {
      return code;
    }
  }
}
