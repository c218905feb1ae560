package io.posconnect.record;

import org.apache.kafka.connect.data.Schema;
import org.apache.kafka.connect.data.SchemaBuilder;

/** Schemas of the fields that several kinds of record share. */
final class Stamp {

  static final Schema LOCATION =
      SchemaBuilder.string().doc("Name of the location in the connector's configuration.").build();

  static final Schema RESOURCE =
      SchemaBuilder.string().doc("Name of the resource, such as products.").build();

  static final Schema OCCURRENCE =
      SchemaBuilder.int32()
          .doc("Which of several rows with the same key fields this is, from 1.")
          .build();

  private Stamp() {}
}
