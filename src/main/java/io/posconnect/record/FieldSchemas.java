package io.posconnect.record;

import io.posconnect.record.RowSchema.DecimalMode;
import io.posconnect.resource.Stream;
import java.util.Collection;
import org.apache.kafka.connect.data.Schema;
import org.apache.kafka.connect.data.SchemaBuilder;
import org.apache.kafka.connect.data.Struct;

/**
 * Builds the schemas of the fields that several kinds of record share, in the semantic types of
 * Connect and Debezium: names that consumers and sinks look for.
 */
final class FieldSchemas {

  /** The semantic type of which sinks make a column of JSON. */
  static final String JSON = "io.debezium.data.Json";

  /** The semantic type of a point in time that is finer than Connect's own. */
  static final String MICRO_TIMESTAMP = "io.debezium.time.MicroTimestamp";

  /** The key of a record that is about a stream rather than of it; names and types alone. */
  static final Schema STREAM_KEY = key("io.posconnect.StreamKey").build();

  private FieldSchemas() {}

  /** Begins the schema of such a key with the names of the stream. */
  static SchemaBuilder key(String name) {
    return SchemaBuilder.struct()
        .name(name)
        .field("location", Schema.STRING_SCHEMA)
        .field("resource_name", Schema.STRING_SCHEMA);
  }

  /** A struct that begins with which stream it is about. */
  static Struct about(Stream stream, Schema schema) {
    return new Struct(schema)
        .put("location", stream.location())
        .put("resource_name", stream.resource());
  }

  /**
   * The schema of records that are the same for all streams, from its file; a new field has to be
   * optional.
   */
  static Schema own(String name) {
    org.apache.avro.Schema avro = DeclaredSchemas.file(name).orElseThrow();
    return new AvroSchemaReader(DecimalMode.PRECISE, avro.getNamespace())
        .columns(avro, field -> field.schema().isNullable())
        .struct(avro.getFullName(), avro.getDoc())
        .version(1)
        .build();
  }

  static SchemaBuilder json() {
    return SchemaBuilder.string().name(JSON).version(1);
  }

  static SchemaBuilder choice(Collection<String> allowed) {
    return SchemaBuilder.string()
        .name("io.debezium.data.Enum")
        .version(1)
        .parameter("allowed", String.join(",", allowed));
  }
}
