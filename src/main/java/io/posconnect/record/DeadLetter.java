package io.posconnect.record;

import io.posconnect.json.Row;
import io.posconnect.resource.Stream;
import java.util.Date;
import org.apache.kafka.connect.data.Schema;
import org.apache.kafka.connect.data.SchemaBuilder;
import org.apache.kafka.connect.data.Struct;

/**
 * Keeps a row that could not become an event, with the reason.
 *
 * @param reason why, such as {@link BrokenRowException#getMessage}
 */
record DeadLetter(Row row, String reason, Provenance provenance) {

  /** The same for all streams; a new field has to be optional. */
  static final Schema SCHEMA =
      SchemaBuilder.struct()
          .name("io.posconnect.DeadLetter")
          .version(1)
          .doc("A row that could not become an event.")
          .field("location", FieldSchemas.LOCATION)
          .field("resource", FieldSchemas.RESOURCE)
          .field("reason", FieldSchemas.text("Why the row could not become an event."))
          .field("raw", FieldSchemas.json().doc("The row as it was sent.").build())
          .field("fetch", FieldSchemas.FETCH)
          .field("ts", FieldSchemas.time("Server time of the fetch."))
          .build();

  @SuppressWarnings("JavaUtilDate") // what Connect's Timestamp is made of
  Struct struct(Stream stream) {
    return FieldSchemas.about(stream, SCHEMA)
        .put("reason", reason)
        .put("raw", row.json())
        .put("fetch", provenance.kind().spelling())
        .put("ts", Date.from(provenance.time()));
  }
}
