package io.posconnect.fetch;

import io.posconnect.record.Destination;
import io.posconnect.record.Destination.EventFormat;
import io.posconnect.record.RecordBuilder;
import io.posconnect.record.RowSchema;
import io.posconnect.record.Topics;
import io.posconnect.resource.Resource;
import io.posconnect.resource.Stream;
import java.time.Instant;

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

  private Things() {}

  static RowSchema contract(Resource resource) {
    return KeyKind.of(resource.keyFields()).contract(resource.occurrences());
  }

  static RecordBuilder records(RowSchema contract, SimulatedTime time) {
    return new RecordBuilder(
        contract, DESTINATION, () -> Instant.ofEpochMilli(time.milliseconds()));
  }
}
