package io.posconnect.record;

import io.posconnect.record.Destination.EventFormat;
import java.util.List;
import org.apache.kafka.connect.data.Schema;

/**
 * Lists the schemas that a converter registers for one topic: all that consumers ever see of it.
 *
 * @param value of every record that is no tombstone
 */
public record TopicSchemas(String topic, Kind kind, Schema key, Schema value) {

  /** What the records of a topic are about. */
  public enum Kind {
    EVENTS("The changes of a resource."),
    CHECKPOINTS("A fetch is complete: all its events stand before this record."),
    STATUS("The status of a stream: suspended, resumed, snapshot complete."),
    DEAD_LETTERS("A row that cannot become an event, and the reason.");

    private final String description;

    Kind(String description) {
      this.description = description;
    }

    public String description() {
      return description;
    }
  }

  public static List<TopicSchemas> of(RowSchema rowSchema, Destination destination) {
    Schema event =
        destination.format() == EventFormat.FLAT
            ? rowSchema.valueSchema()
            : rowSchema.eventSchema();
    Topics topics = destination.topics();
    String topic = topics.of(destination.stream());
    Schema stream = FieldSchemas.STREAM_KEY;
    return List.of(
        new TopicSchemas(topic, Kind.EVENTS, rowSchema.key().schema(), event),
        new TopicSchemas(topics.checkpoints(), Kind.CHECKPOINTS, stream, Checkpoint.SCHEMA),
        new TopicSchemas(topics.status(), Kind.STATUS, stream, Status.SCHEMA),
        new TopicSchemas(
            topics.deadLetters(), Kind.DEAD_LETTERS, DeadLetter.KEY, DeadLetter.SCHEMA));
  }
}
