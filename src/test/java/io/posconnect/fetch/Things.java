package io.posconnect.fetch;

import io.posconnect.record.DeclaredSchemas;
import io.posconnect.record.Destination;
import io.posconnect.record.Destination.EventFormat;
import io.posconnect.record.RecordBuilder;
import io.posconnect.record.RowSchema;
import io.posconnect.record.RowSchema.DecimalMode;
import io.posconnect.record.SchemaNames;
import io.posconnect.record.Topics;
import io.posconnect.resource.Stream;
import java.time.Instant;
import java.util.List;

/** The stream that fakes of this room serve: rows of an id and a content. */
final class Things {

  static final Stream STREAM = new Stream("downtown", "things");

  private static final Destination DESTINATION =
      new Destination(
          STREAM,
          new Topics(
              "pos", "{prefix}.{resource}", "pos.checkpoints", "pos.status", "pos.dead-letters"),
          EventFormat.ENVELOPE,
          true);

  private static final RowSchema DISTINCT = newContract(false);
  private static final RowSchema OCCURRING = newContract(true);

  private Things() {}

  static RowSchema contract(boolean occurrences) {
    return occurrences ? OCCURRING : DISTINCT;
  }

  private static RowSchema newContract(boolean occurrences) {
    return new RowSchema(
        DeclaredSchemas.parse(
            "{\"type\":\"record\",\"name\":\"Row\",\"fields\":[{\"name\":\"id\",\"type\":\"long\"},"
                + "{\"name\":\"c\",\"type\":\"string\"}]}"),
        List.of("id"),
        occurrences,
        DecimalMode.PRECISE,
        SchemaNames.of("io.posconnect", "things"));
  }

  static RecordBuilder records(RowSchema contract, SimulatedTime time) {
    return new RecordBuilder(
        contract, DESTINATION, () -> Instant.ofEpochMilli(time.milliseconds()));
  }
}
