package io.posconnect.record;

import io.posconnect.record.Destination.EventFormat;
import java.util.List;
import org.apache.kafka.connect.data.Schema;

/**
 * Lists the schemas that a converter registers for one topic: all that consumers ever see of it.
 *
 * @param value of every record that is no tombstone
 */
public record TopicSchemas(String topic, Schema key, Schema value) {

  public static List<TopicSchemas> of(RowSchema rowSchema, Destination destination) {
    Schema event =
        destination.format() == EventFormat.FLAT
            ? rowSchema.valueSchema()
            : new Envelope(rowSchema, destination).schema();
    return List.of(
        new TopicSchemas(destination.topic(), rowSchema.keySchema(), event),
        new TopicSchemas(
            destination.topics().checkpoints(), FieldSchemas.STREAM_KEY, Checkpoint.SCHEMA),
        new TopicSchemas(destination.topics().status(), FieldSchemas.STREAM_KEY, Status.SCHEMA),
        new TopicSchemas(destination.topics().deadLetters(), DeadLetter.KEY, DeadLetter.SCHEMA));
  }
}
