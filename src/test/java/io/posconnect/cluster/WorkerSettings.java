package io.posconnect.cluster;

import java.net.URI;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.apache.kafka.common.config.provider.FileConfigProvider;

/**
 * The worker's configuration: what {@code config/worker-distributed.properties} says, for brokers
 * on loopback.
 */
final class WorkerSettings {

  static final String AVRO = "io.apicurio.registry.utils.converter.AvroConverter";

  private WorkerSettings() {}

  static Map<String, String> of(
      ClusterOptions options,
      String group,
      String bootstrapServers,
      Registry registry,
      Path plugins,
      Path secrets,
      int port) {
    Map<String, String> settings = new HashMap<>();
    settings.put("bootstrap.servers", bootstrapServers);
    settings.put("listeners", "http://127.0.0.1:" + port);
    settings.put("plugin.path", plugins.toString());
    settings.put("plugin.discovery", "service_load");
    settings.put("exactly.once.source.support", options.exactlyOnce() ? "enabled" : "disabled");
    settings.put(
        "offset.flush.interval.ms", Long.toString(options.offsetFlushInterval().toMillis()));
    settings.put("connector.client.config.override.policy", "All");
    settings.put("config.providers", "file");
    settings.put("config.providers.file.class", FileConfigProvider.class.getName());
    settings.put("config.providers.file.param.allowed.paths", secrets.toString());
    membership(settings, group);
    converter(settings, "key.converter", registry.converterUrl());
    converter(settings, "value.converter", registry.converterUrl());
    settings.putAll(options.workerSettings());
    return settings;
  }

  /**
   * A dead worker is missed after six seconds, the least that a broker allows, and replaced at
   * once.
   */
  private static void membership(Map<String, String> settings, String group) {
    settings.put("group.id", group);
    settings.put("session.timeout.ms", "6000");
    settings.put("heartbeat.interval.ms", "1500");
    settings.put("scheduled.rebalance.max.delay.ms", "0");
    for (String topic : new String[] {"config", "offset", "status"}) {
      settings.put(topic + ".storage.topic", group + "-" + topic);
      // The brokers say.
      settings.put(topic + ".storage.replication.factor", "-1");
    }
    settings.put("offset.storage.partitions", "5");
    settings.put("status.storage.partitions", "1");
  }

  private static void converter(Map<String, String> settings, String name, URI registry) {
    settings.put(name, AVRO);
    settings.put(name + ".apicurio.registry.url", registry.toString());
    settings.put(name + ".apicurio.registry.auto-register", "true");
    settings.put(name + ".apicurio.registry.as-confluent", "true");
    settings.put(name + ".apicurio.registry.use-id", "contentId");
    settings.put(name + ".apicurio.registry.headers.enabled", "false");
    settings.put(
        name + ".apicurio.registry.artifact-resolver-strategy",
        "io.apicurio.registry.serde.strategy.TopicIdStrategy");
  }
}
