package io.posconnect.tool;

import static io.posconnect.task.RecordContracts.contract;

import io.apicurio.registry.utils.converter.avro.AvroData;
import io.posconnect.config.SourceConfig;
import io.posconnect.record.TopicSchemas;
import java.util.List;
import java.util.stream.Stream;
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
    String name, Schema key, Schema value, List<Field> headers, boolean tombstones) {

  private static final int CACHE = 100;

  /** Each topic of the connector once: those of events, then those that all streams share. */
  static List<TopicContract> all(SourceConfig config) {
    AvroData converter = new AvroData(CACHE);
    List<List<TopicSchemas>> ofStreams =
        config.streams().stream()
            .map(each -> TopicSchemas.of(contract(config, each), config.destination(each)))
            .toList();
    return Stream.concat(
            ofStreams.stream().map(each -> each.get(0)), ofStreams.get(0).stream().skip(1))
        .distinct()
        .map(
            each ->
                new TopicContract(
                    each.topic(),
                    converter.fromConnectSchema(each.key()),
                    converter.fromConnectSchema(each.value()),
                    each.headers(),
                    each.tombstones()))
        .toList();
  }
}
