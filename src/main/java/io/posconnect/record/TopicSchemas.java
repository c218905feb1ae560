package io.posconnect.record;

import io.posconnect.record.Destination.EventFormat;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
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

  /**
   * The name that two different records of these schemas have, or that differs only in case: of the
   * two only one can become a class.
   */
  public static Optional<String> clash(List<TopicSchemas> all) {
    Map<String, Schema> known = new HashMap<>();
    for (TopicSchemas each : all) {
      List<Schema> records = new ArrayList<>();
      addRecords(each.key(), records);
      addRecords(each.value(), records);
      for (Schema record : records) {
        Schema other = known.putIfAbsent(record.name().toLowerCase(Locale.ROOT), record);
        if (other != null
            && !(other.name().equals(record.name()) && other.fields().equals(record.fields()))) {
          return Optional.of(record.name());
        }
      }
    }
    return Optional.empty();
  }

  private static void addRecords(Schema schema, List<Schema> records) {
    switch (schema.type()) {
      case STRUCT -> {
        records.add(schema);
        schema.fields().forEach(field -> addRecords(field.schema(), records));
      }
      case ARRAY, MAP -> addRecords(schema.valueSchema(), records);
      default -> {}
    }
  }
}
