package io.posconnect.tool;

import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Names the brokers and the registry. */
final class ClusterOptions {

  @Option(
      names = "--bootstrap",
      paramLabel = "HOST:PORT",
      description = "The brokers. Default: bootstrap.servers in the file of --client")
  @Nullable String bootstrap;

  @Option(
      names = "--registry",
      paramLabel = "URL",
      description =
          "The registry, by the address of its Confluent interface. Default: schema.registry.url in"
              + " the file of --client, or of the configuration's value.converter")
  @Nullable String registry;

  @Option(
      names = "--client",
      paramLabel = "FILE",
      description =
          "Settings of a Kafka client, such as sasl.jaas.config, and of the registry"
              + " (schema.registry.url, basic.auth.user.info, bearer.auth.token,"
              + " schema.registry.ssl.…), as properties. References to secrets are resolved.")
  @Nullable Path client;

  /**
   * How to reach them; hides from the screen what must not be shown.
   *
   * @param connector settings of the connector, resolved
   */
  ClusterSettings settings(Map<String, String> connector, Screen screen) {
    ClusterSettings settings =
        ClusterSettings.of(
            Optional.ofNullable(bootstrap),
            Optional.ofNullable(registry),
            Optional.ofNullable(client),
            connector);
    screen.hide(settings.secrets());
    return settings;
  }
}
