package io.posconnect.tool;

import io.apicurio.registry.utils.converter.avro.AvroData;
import io.posconnect.config.SourceConfig;
import io.posconnect.record.Destination;
import io.posconnect.record.Destination.EventFormat;
import io.posconnect.record.Envelope;
import io.posconnect.record.RowSchema;
import io.posconnect.record.TopicSchemas;
import io.posconnect.record.TopicSchemas.Kind;
import io.posconnect.resource.Stream;
import io.posconnect.task.RecordContracts;
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

  private static final int CACHE = 100;

  static List<TopicContract> all(SourceConfig config) {
    AvroData converter = new AvroData(CACHE);
    Map<String, TopicContract> topics = new LinkedHashMap<>();
    for (Stream stream : config.streams()) {
      RowSchema contract = RecordContracts.contract(config, stream);
      Destination destination = config.destination(stream);
      boolean flat = destination.format() == EventFormat.FLAT;
      for (TopicSchemas schemas : TopicSchemas.of(contract, destination)) {
        boolean event = schemas.kind() == Kind.EVENTS;
        topics.computeIfAbsent(
            schemas.topic(),
            topic ->
                new TopicContract(
                    topic,
                    schemas.kind(),
                    converter.fromConnectSchema(schemas.key()),
                    converter.fromConnectSchema(schemas.value()),
                    event && flat ? Envelope.HEADERS.fields() : List.of(),
                    event && (flat || destination.tombstones())));
      }
    }
    return topics.values().stream().sorted(Comparator.comparing(TopicContract::kind)).toList();
  }
}
