package io.posconnect.record;

import java.util.Collection;
import org.apache.kafka.connect.data.SchemaBuilder;

/** Debezium's semantic types: names that its consumers and sinks look for. */
final class Semantics {

  private Semantics() {}

  /** A string that is a JSON text. */
  static SchemaBuilder json() {
    return SchemaBuilder.string().name("io.debezium.data.Json").version(1);
  }

  /** A string out of a few. */
  static SchemaBuilder choice(Collection<String> allowed) {
    return SchemaBuilder.string()
        .name("io.debezium.data.Enum")
        .version(1)
        .parameter("allowed", String.join(",", allowed));
  }

  /** Microseconds since the epoch. */
  static SchemaBuilder microTimestamp() {
    return SchemaBuilder.int64().name("io.debezium.time.MicroTimestamp").version(1);
  }
}
