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

  // With the rest of the record it stays below the producer's 1 MiB, whatever the converter.
  private static final int MOST_TEXT = 1_000_000;

  /** The same for all streams; a new field has to be optional. */
  static final Schema SCHEMA =
      SchemaBuilder.struct()
          .name("io.posconnect.DeadLetter")
          .version(1)
          .doc("A row that could not become an event.")
          .field("location", FieldSchemas.LOCATION)
          .field("resource", FieldSchemas.RESOURCE)
          .field("reason", FieldSchemas.text("Why the row could not become an event."))
          .field(
              "raw",
              FieldSchemas.json()
                  .doc("The row as it was sent; a JSON string of its beginning if it is too large.")
                  .build())
          .field("fetch", FieldSchemas.FETCH)
          .field("ts", FieldSchemas.time("Server time of the fetch."))
          .field(
              "row_bytes", SchemaBuilder.int64().optional().doc("Bytes of the whole row.").build())
          .field(
              "row_sha256",
              SchemaBuilder.string()
                  .optional()
                  .doc("SHA-256 of the whole row, in hexadecimal digits.")
                  .build())
          .build();

  private String raw() {
    if (row.excess().isEmpty() && RecordSize.ofText(row.json()) <= MOST_TEXT) {
      return row.json();
    }
    // Less than a JSON text is none, and a column of JSON would not take it.
    return TextType.quoted(row.beginning());
  }

  @SuppressWarnings("JavaUtilDate") // what Connect's Timestamp is made of
  Struct struct(Stream stream) {
    return FieldSchemas.about(stream, SCHEMA)
        .put("reason", reason)
        .put("raw", raw())
        .put("row_bytes", row.length())
        .put("row_sha256", row.hash())
        .put("fetch", provenance.kind().spelling())
        .put("ts", Date.from(provenance.time()));
  }
}
