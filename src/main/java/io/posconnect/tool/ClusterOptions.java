package io.posconnect.tool;

import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.common.utils.Utils;
import picocli.CommandLine.Option;

/** Names the brokers and the registry. */
final class ClusterOptions {

  /** The settings that the command line names. */
  final Map<String, String> named = new TreeMap<>();

  @Option(names = "--client", paramLabel = "FILE")
  private Optional<Path> client = Optional.empty();

  @Option(names = "--bootstrap", paramLabel = "HOST:PORT")
  void bootstrap(String brokers) {
    named.put(ConsumerConfig.BOOTSTRAP_SERVERS_CONFIG, brokers);
  }

  @Option(names = "--registry", paramLabel = "URL")
  void registry(String address) {
    named.put(RegistryAccess.ADDRESS, address);
  }

  /**
   * How to reach them.
   *
   * @param kafka settings of a Kafka client
   */
  record Cluster(Map<String, String> kafka, RegistryAccess registry) {}

  /**
   * Takes each setting from the first of: the command line, the file, the connector's converter. A
   * user and a token are one setting: a place that has either needs none of the next place, and the
   * converter's go to no other address than its own. Hides from the screen what must not be shown.
   *
   * @param connector settings of the connector, resolved
   * @throws EndedException when a value cannot be used
   */
  Cluster read(Map<String, String> connector, Screen screen) {
    Map<String, String> all = new TreeMap<>(Utils.entriesWithPrefix(connector, "value.converter."));
    all.keySet().removeIf(name -> !RegistryAccess.has(name));
    Map<String, String> nearer = new TreeMap<>();
    client.ifPresent(file -> nearer.putAll(References.resolve(ConnectorConfig.read(file).given())));
    nearer.putAll(named);
    if (RegistryAccess.admits(nearer) || RegistryAccess.leads(nearer, all)) {
      all.keySet().removeIf(RegistryAccess::isAdmission);
    }
    all.putAll(nearer);
    screen.hide(ConnectorConfig.hidden(all, ConsumerConfig.configDef()));
    RegistryAccess registry = RegistryAccess.of(all);
    all.keySet().removeIf(RegistryAccess::has);
    return new Cluster(all, registry);
  }
}
