package io.posconnect.tool;

import io.apicurio.registry.utils.converter.avro.AvroData;
import io.posconnect.config.SourceConfig;
import io.posconnect.record.Destination;
import io.posconnect.record.Destination.EventFormat;
import io.posconnect.record.Envelope;
import io.posconnect.record.RowSchema;
import io.posconnect.record.TopicSchemas;
import io.posconnect.resource.Stream;
import io.posconnect.task.RecordContracts;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.avro.Schema;
import org.apache.kafka.connect.data.Field;

/**
 * What consumers get from a topic: the schemas as an Avro converter registers them.
 *
 * @param key of every record
 * @param value of every record that is no tombstone
 * @param headers of every record
 * @param tombstones whether there are any
 */
record TopicContract(
    String name, Kind kind, Schema key, Schema value, List<Field> headers, boolean tombstones) {

  enum Kind {
    EVENTS("The changes of a resource."),
    CHECKPOINTS("A fetch is complete: all its events stand before this record."),
    STATUS("The status of a stream: suspended, resumed, snapshot complete."),
    DEAD_LETTERS("A row that cannot become an event, and the reason.");

    private final String description;

    Kind(String description) {
      this.description = description;
    }

    String description() {
      return description;
    }
  }

  private static final int CACHE = 100;

  static List<TopicContract> all(SourceConfig config) {
    AvroData converter = new AvroData(CACHE);
    Map<String, TopicContract> topics = new LinkedHashMap<>();
    for (Stream stream : config.streams()) {
      RowSchema contract = RecordContracts.contract(config, stream);
      Destination destination = RecordContracts.destination(config, stream);
      List<TopicSchemas> all = TopicSchemas.of(contract, destination);
      boolean flat = destination.format() == EventFormat.FLAT;
      for (TopicSchemas schemas : all) {
        Kind kind = kind(schemas.topic(), destination);
        boolean event = kind == Kind.EVENTS;
        topics.computeIfAbsent(
            schemas.topic(),
            topic ->
                new TopicContract(
                    topic,
                    kind,
                    converter.fromConnectSchema(schemas.key()),
                    converter.fromConnectSchema(schemas.value()),
                    event && flat ? Envelope.HEADERS.fields() : List.of(),
                    event && (flat || destination.tombstones())));
      }
    }
    List<TopicContract> sorted = new ArrayList<>(topics.values());
    sorted.sort(Comparator.comparing(TopicContract::kind));
    return sorted;
  }

  private static Kind kind(String topic, Destination destination) {
    if (topic.equals(destination.topics().checkpoints())) {
      return Kind.CHECKPOINTS;
    }
    if (topic.equals(destination.topics().status())) {
      return Kind.STATUS;
    }
    return topic.equals(destination.topics().deadLetters()) ? Kind.DEAD_LETTERS : Kind.EVENTS;
  }
}
