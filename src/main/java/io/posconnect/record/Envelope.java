package io.posconnect.record;

import java.time.Instant;
import org.apache.kafka.connect.data.Schema;
import org.apache.kafka.connect.data.SchemaBuilder;
import org.apache.kafka.connect.data.Struct;
import org.jspecify.annotations.Nullable;

/** Debezium's envelope around one resource's rows. */
final class Envelope {

  private final Schema schema;

  Envelope(Contract contract) {
    this.schema =
        SchemaBuilder.struct()
            .name(contract.names().envelope())
            .field("before", contract.nullableRowSchema())
            .field("after", contract.nullableRowSchema())
            .field("source", Source.SCHEMA)
            .field(
                "op",
                SchemaBuilder.string().doc("c created, u updated, d deleted, r read.").build())
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
}
