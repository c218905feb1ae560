package io.posconnect.tool;

import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.apache.kafka.clients.CommonClientConfigs;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Names the brokers and the registry. */
final class ClusterOptions {

  static final String BROKERS = CommonClientConfigs.BOOTSTRAP_SERVERS_CONFIG;

  /** The settings that the command line names. */
  final Map<String, String> named = new TreeMap<>();

  @Option(
      names = "--client",
      paramLabel = "FILE",
      description =
          "Settings of a Kafka client, such as sasl.jaas.config, and of the registry"
              + " (schema.registry.url, basic.auth.user.info, bearer.auth.token,"
              + " schema.registry.ssl.…), as properties. References to secrets are resolved.")
  private @Nullable Path client;

  @Option(
      names = "--bootstrap",
      paramLabel = "HOST:PORT",
      description = "The brokers. Default: bootstrap.servers in the file of --client")
  void bootstrap(String brokers) {
    named.put(BROKERS, brokers);
  }

  @Option(
      names = "--registry",
      paramLabel = "URL",
      description =
          "The registry, by the address of its Confluent interface. Default: schema.registry.url in"
              + " the file of --client, or of the configuration's value.converter")
  void registry(String address) {
    named.put(RegistryAccess.ADDRESS, address);
  }

  /**
   * How to reach them; hides from the screen what must not be shown.
   *
   * @param connector settings of the connector, resolved
   */
  ClusterSettings settings(Map<String, String> connector, Screen screen) {
    ClusterSettings settings = ClusterSettings.of(named, Optional.ofNullable(client), connector);
    screen.hide(settings.secrets());
    return settings;
  }
}
