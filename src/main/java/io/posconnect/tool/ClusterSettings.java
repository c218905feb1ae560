package io.posconnect.tool;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.common.utils.Utils;

/**
 * How to reach the brokers and the registry.
 *
 * @param kafka settings of a Kafka client
 */
record ClusterSettings(Map<String, String> kafka, RegistryAccess registry) {

  private static final String CONVERTER = "value.converter.";

  /**
   * Takes each setting from the first of: the command line, the file, the connector's converter.
   *
   * @param named settings that the command line names
   * @param connector settings of the connector, resolved
   * @throws EndedException when a value cannot be used
   */
  static ClusterSettings of(
      Map<String, String> named, Optional<Path> file, Map<String, String> connector) {
    Map<String, String> all = new TreeMap<>(Utils.entriesWithPrefix(connector, CONVERTER));
    all.keySet().removeIf(name -> !RegistryAccess.has(name));
    file.ifPresent(path -> all.putAll(References.resolve(ConnectorConfig.read(path).given())));
    all.putAll(named);
    RegistryAccess access = RegistryAccess.of(all);
    all.keySet().removeIf(RegistryAccess::has);
    return new ClusterSettings(all, access);
  }

  /** The values that must never be shown. */
  List<String> secrets() {
    Stream<String> passwords =
        ConnectorConfig.secrets(kafka, ConsumerConfig.configDef()).map(Map.Entry::getValue);
    return Stream.concat(passwords, registry.secrets().stream()).toList();
  }
}
