package io.posconnect.tool;

import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.apache.kafka.clients.CommonClientConfigs;
import org.apache.kafka.clients.consumer.ConsumerConfig;

/**
 * How to reach the brokers and the registry.
 *
 * @param kafka settings of a Kafka client
 * @param registry address of Confluent's interface; empty where records are JSON
 * @param access how to be admitted to the registry
 */
record ClusterSettings(Map<String, String> kafka, Optional<URI> registry, RegistryAccess access) {

  private static final String REGISTRY = "schema.registry.url";
  private static final String CONVERTER = "value.converter.";

  /**
   * Takes each setting from the first of: the command line, the file, the connector's converter.
   *
   * @param connector settings of the connector, resolved
   * @throws EndedException when no broker is named, or a value cannot be used
   */
  static ClusterSettings of(
      Optional<String> brokers,
      Optional<String> registry,
      Optional<Path> file,
      Map<String, String> connector) {
    Map<String, String> all = new TreeMap<>();
    connector.forEach(
        (name, value) -> {
          String ofConverter = name.startsWith(CONVERTER) ? name.substring(CONVERTER.length()) : "";
          if (ofConverter.equals(REGISTRY) || RegistryAccess.has(ofConverter)) {
            all.put(ofConverter, value);
          }
        });
    file.ifPresent(path -> all.putAll(References.resolve(ConnectorConfig.read(path).given())));
    brokers.ifPresent(value -> all.put(CommonClientConfigs.BOOTSTRAP_SERVERS_CONFIG, value));
    registry.ifPresent(value -> all.put(REGISTRY, value));
    if (!all.containsKey(CommonClientConfigs.BOOTSTRAP_SERVERS_CONFIG)) {
      throw ExitCode.UNREADABLE.because(
          "Name the brokers with --bootstrap, or as bootstrap.servers in the file of --client.");
    }
    Optional<URI> address = Optional.ofNullable(all.remove(REGISTRY)).map(ClusterSettings::uri);
    RegistryAccess access = RegistryAccess.of(all, address);
    all.keySet().removeIf(RegistryAccess::has);
    return new ClusterSettings(all, address, access);
  }

  /** The registry alone, with the settings of the file. */
  static ClusterSettings ofRegistry(String registry, Optional<Path> file) {
    return of(Optional.of(""), Optional.of(registry), file, Map.of());
  }

  private static URI uri(String text) {
    try {
      // Of several addresses the first.
      URI uri = URI.create(text.split(",", 2)[0].strip());
      if (uri.getHost() != null && List.of("http", "https").contains(uri.getScheme())) {
        return uri;
      }
    } catch (IllegalArgumentException e) {
      // Without its message, which quotes a password.
    }
    throw ExitCode.UNREADABLE.because(
        "The registry's address must be a URL such as http://localhost:8081.");
  }

  /** Decodes records, for which Avro needs the registry. */
  RecordDecoder decoder() {
    Optional<SchemaRegistry> schemas = registry.map(url -> new SchemaRegistry(url, access));
    return new RecordDecoder(
        id ->
            schemas
                .orElseThrow(
                    () ->
                        ExitCode.UNREADABLE.because(
                            "The records are Avro: name the registry with --registry."))
                .byId(id));
  }

  /** The values that must never be shown. */
  List<String> secrets() {
    Stream<String> passwords =
        ConnectorConfig.secrets(kafka, ConsumerConfig.configDef()).map(Map.Entry::getValue);
    return Stream.concat(passwords, access.secrets().stream()).toList();
  }
}
