package io.posconnect.record;

import io.posconnect.json.Row;
import io.posconnect.resource.Stream;
import java.util.Date;
import org.apache.kafka.connect.data.Schema;
import org.apache.kafka.connect.data.Struct;

/**
 * Keeps a row that could not become an event, with the reason.
 *
 * @param reason why, such as {@link BrokenRowException#getMessage}
 */
record DeadLetter(Row row, String reason, Provenance provenance) {

  // With the rest of the record it stays below the producer's 1 MiB, whatever the converter.
  private static final int MOST_TEXT = 1_000_000;

  static final Schema SCHEMA = FieldSchemas.own("DeadLetter");

  /**
   * One row of one stream: emitted again, it replaces itself and no other row. Names and types
   * alone.
   */
  static final Schema KEY =
      FieldSchemas.key("io.posconnect.DeadLetterKey")
          .field("row_sha256", Schema.STRING_SCHEMA)
          .build();

  private String text() {
    if (row.isWithheld()) {
      return "null";
    }
    if (row.fault().isEmpty() && RecordSize.ofText(row.json()) <= MOST_TEXT) {
      return row.json();
    }
    // Less than a JSON text is none, and a column of JSON would not take it.
    return TextType.quoted(row.beginning());
  }

  Struct key(Stream stream) {
    return FieldSchemas.about(stream, KEY).put("row_sha256", row.hash());
  }

  @SuppressWarnings("JavaUtilDate") // what Connect's Timestamp is made of
  Struct struct(Stream stream) {
    return FieldSchemas.about(stream, SCHEMA)
        .put("reason", reason)
        .put("row_json", text())
        .put("row_bytes", row.length())
        .put("row_sha256", row.hash())
        .put("fetch_kind", provenance.kind().spelling())
        .put("ts", Date.from(provenance.time()));
  }
}
