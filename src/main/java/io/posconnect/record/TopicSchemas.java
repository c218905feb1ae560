package io.posconnect.record;

import io.posconnect.record.Destination.EventFormat;
import java.util.List;
import org.apache.kafka.connect.data.Field;
import org.apache.kafka.connect.data.Schema;

/**
 * Lists the schemas that a converter registers for one topic: all that consumers ever see of it.
 *
 * @param value of every record that is no tombstone
 * @param headers of every record
 * @param tombstones whether there are any
 */
public record TopicSchemas(
    String topic, Schema key, Schema value, List<Field> headers, boolean tombstones) {

  /** Those of a stream: of its events, then of the topics that all streams share. */
  public static List<TopicSchemas> of(RowSchema rowSchema, Destination destination) {
    boolean flat = destination.format() == EventFormat.FLAT;
    Topics topics = destination.topics();
    Schema stream = FieldSchemas.STREAM_KEY;
    return List.of(
        new TopicSchemas(
            topics.of(destination.stream()),
            rowSchema.key().schema(),
            flat ? rowSchema.valueSchema() : rowSchema.eventSchema(),
            flat ? Envelope.HEADERS.fields() : List.of(),
            flat || destination.tombstones()),
        shared(topics.checkpoints(), stream, Checkpoint.SCHEMA),
        shared(topics.status(), stream, Status.SCHEMA),
        shared(topics.deadLetters(), DeadLetter.KEY, DeadLetter.SCHEMA));
  }

  private static TopicSchemas shared(String topic, Schema key, Schema value) {
    return new TopicSchemas(topic, key, value, List.of(), false);
  }
}
