package io.posconnect.record;

import java.util.List;
import org.apache.kafka.connect.data.Field;
import org.apache.kafka.connect.data.Schema;
import org.apache.kafka.connect.data.SchemaBuilder;
import org.apache.kafka.connect.data.Struct;
import org.apache.kafka.connect.header.ConnectHeaders;
import org.apache.kafka.connect.header.Headers;

/** Debezium's source block: which connector, location, resource and fetch an event comes from. */
final class Source {

  static final Schema SCHEMA =
      SchemaBuilder.struct()
          .name("io.posconnect.Source")
          .field("version", Stamp.text("Version of the connector."))
          .field("connector", Stamp.text("Kind of the connector: pos."))
          .field("name", Stamp.text("The connector's topic prefix."))
          .field("ts_ms", Stamp.count("Server time of the fetch, in milliseconds."))
          .field(
              "snapshot",
              Semantics.choice(List.of("true", "last", "false", "incremental"))
                  .optional()
                  .defaultValue("false")
                  .doc("Whether the event belongs to a snapshot.")
                  .build())
          .field("db", Stamp.text("Name of the location."))
          .field("table", Stamp.text("Name of the resource."))
          .field("fetch", Stamp.FETCH)
          .build();

  private static final String HEADER = "__source_";

  private final Destination destination;

  Source(Destination destination) {
    this.destination = destination;
  }

  Struct struct(Provenance provenance) {
    return new Struct(SCHEMA)
        .put("version", destination.version())
        .put("connector", "pos")
        .put("name", destination.prefix())
        .put("ts_ms", provenance.time().toEpochMilli())
        .put("snapshot", Boolean.toString(provenance.snapshot()))
        .put("db", destination.stream().location())
        .put("table", destination.stream().resource())
        .put("fetch", provenance.kind().spelling());
  }

  /** The same in headers, named as Debezium's unwrap transform names them. */
  Headers headers(Operation operation, Provenance provenance) {
    Headers headers = new ConnectHeaders().addString("__op", operation.code());
    Struct source = struct(provenance);
    for (Field field : SCHEMA.fields()) {
      headers.add(HEADER + field.name(), source.get(field), field.schema());
    }
    return headers;
  }
}
