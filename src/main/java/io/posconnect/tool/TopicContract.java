package io.posconnect.tool;

import static io.posconnect.task.RecordContracts.contract;

import io.apicurio.registry.utils.converter.avro.AvroData;
import io.posconnect.config.SourceConfig;
import io.posconnect.record.TopicSchemas;
import java.util.List;
import java.util.stream.Stream;
import org.apache.avro.Schema;

/**
 * What consumers get from a topic: the schemas as an Avro converter registers them.
 *
 * @param connect those that they are made of, with the topic's name and headers
 * @param key of every record
 * @param value of every record that is no tombstone
 */
record TopicContract(TopicSchemas connect, Schema key, Schema value) {

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
                    each,
                    converter.fromConnectSchema(each.key()),
                    converter.fromConnectSchema(each.value())))
        .toList();
  }
}
