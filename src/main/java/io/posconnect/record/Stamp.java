package io.posconnect.record;

import org.apache.kafka.connect.data.Schema;
import org.apache.kafka.connect.data.SchemaBuilder;
import org.apache.kafka.connect.data.Timestamp;

/** Schemas of the fields that several kinds of record share. */
final class Stamp {

  static final Schema LOCATION = text("Name of the location in the connector's configuration.");

  static final Schema RESOURCE = text("Name of the resource, such as products.");

  static final Schema FETCH =
      text("Kind of the fetch: snapshot, increment, backfill, reconciliation.");

  static final Schema OCCURRENCE =
      SchemaBuilder.int32()
          .doc("Which of several rows with the same key fields this is, from 1.")
          .build();

  private Stamp() {}

  static Schema text(String doc) {
    return SchemaBuilder.string().doc(doc).build();
  }

  static Schema count(String doc) {
    return SchemaBuilder.int64().doc(doc).build();
  }

  static Schema time(String doc) {
    return Timestamp.builder().doc(doc).build();
  }

  static Schema optionalTime(String doc) {
    return Timestamp.builder().optional().doc(doc).build();
  }
}
