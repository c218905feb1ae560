package io.posconnect.docs;

import static io.posconnect.docs.ProductionFiles.CONFIG;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.posconnect.StrictFiles;
import io.posconnect.cluster.Cluster;
import io.posconnect.cluster.ClusterOptions;
import io.posconnect.simulator.SimulatedLocation.InitialRows;
import io.posconnect.simulator.Simulator;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.common.acl.AccessControlEntry;
import org.apache.kafka.common.acl.AclBinding;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.acl.AclPermissionType;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.resource.PatternType;
import org.apache.kafka.common.resource.ResourcePattern;
import org.apache.kafka.common.resource.ResourceType;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Runs the files under {@code config} unchanged except for addresses, the files of secrets and the
 * number of replicas, with brokers that create no topics and grant only the permissions of {@code
 * config/acls.sh}.
 */
@Tag("practice")
class ProductionFilesIT {

  private static final String SECRETS = "/etc/kafka-connect/secrets/pos.properties";
  private static final Duration PATIENCE = Duration.ofMinutes(2);

  @TempDir private static Path folder;
  private static Simulator service;
  private static Cluster cluster;
  private static String secrets;

  @BeforeAll
  static void start() throws Exception {
    service = Simulator.builder().unlimited().start();
    cluster =
        Cluster.start(
            ClusterOptions.of("production")
                .withGuardedBrokers()
                .withWorkers(0)
                .withWorkerJvm("-Dorg.apache.kafka.automatic.config.providers=none")
                .withShippedWorkers());
    try (Admin admin = admin()) {
      admin.createAcls(acls()).all().get();
    }
    cluster.addWorker();
    secrets = secrets();
  }

  @AfterAll
  static void close() {
    if (cluster != null) {
      cluster.close();
    }
    if (service != null) {
      service.close();
    }
  }

  private static Admin admin() {
    return Admin.create(Map.of("bootstrap.servers", cluster.bootstrapServers()));
  }

  /** One file with all secrets of the configurations. */
  private static String secrets() throws IOException {
    String reference = cluster.secret("pos.properties", "api.key", "key-1");
    Path file = Path.of(reference.substring("${file:".length(), reference.lastIndexOf(':')));
    StringBuilder text = new StringBuilder("base.url=" + service.baseUrl() + "\n");
    for (String name : List.of("api.key", "airport", "downtown", "harbour")) {
      String key = "key-of-" + name;
      service.fill(service.location(key), new InitialRows(5, 5, 5, Duration.ofDays(1), 5, 0));
      text.append(name).append('=').append(key).append('\n');
    }
    Files.writeString(file, text);
    return file.toString();
  }

  /** The permissions that the script passes to Kafka's own tool. */
  private static List<AclBinding> acls() throws Exception {
    Path tool = folder.resolve("kafka-acls.sh");
    Files.writeString(tool, "#!/bin/sh\nprintf '%s\\n' \"$*\"\n");
    assertThat(tool.toFile().setExecutable(true)).isTrue();
    ProcessBuilder script = new ProcessBuilder("sh", "config/acls.sh", "--bootstrap-server", "b");
    script.environment().merge("PATH", folder + ":", (path, first) -> first + path);
    Process process = script.redirectErrorStream(true).start();
    List<String> calls = process.inputReader().lines().toList();
    assertThat(process.waitFor()).as("%s", calls).isZero();
    List<AclBinding> bindings = new ArrayList<>();
    for (String call : calls) {
      bindings.addAll(bindings(List.of(call.split(" "))));
    }
    return bindings;
  }

  private static List<AclBinding> bindings(List<String> call) {
    PatternType pattern = PatternType.LITERAL;
    ResourceType type = ResourceType.UNKNOWN;
    String name = "";
    String principal = "";
    List<AclOperation> operations = new ArrayList<>();
    for (int i = 0; i < call.size(); i++) {
      String value = i + 1 < call.size() ? call.get(i + 1) : "";
      switch (call.get(i)) {
        case "--topic", "--group", "--transactional-id" -> {
          type = ResourceType.fromString(call.get(i).substring(2).replace('-', '_'));
          name = value;
        }
        case "--resource-pattern-type" ->
            pattern = PatternType.fromString(value.toUpperCase(Locale.ROOT));
        case "--allow-principal" -> principal = value;
        case "--operation" ->
            operations.add(AclOperation.fromString(value.replaceAll("(?<=[a-z])(?=[A-Z])", "_")));
        default -> {
          // A value, or what is the same for all.
        }
      }
    }
    ResourcePattern resource = new ResourcePattern(type, name, pattern);
    String who = principal;
    return operations.stream()
        .map(
            operation ->
                new AclBinding(
                    resource, new AccessControlEntry(who, "*", operation, AclPermissionType.ALLOW)))
        .toList();
  }

  private static Map<String, String> settings(JsonNode posted) {
    Map<String, String> settings = new LinkedHashMap<>();
    StrictFiles.settings(posted.path("config"))
        .forEach((name, value) -> settings.put(name, value.replace(SECRETS, secrets)));
    return settings;
  }

  /** Posts a file, waits until the connector has read everything, and deletes it. */
  private static void runs(String file, int locations) throws Exception {
    JsonNode posted = StrictFiles.json(CONFIG.resolve(file));
    String name = posted.path("name").asText();
    cluster.connect().put(name, settings(posted));
    try {
      cluster.connect().awaitRunning(name);
      Awaitility.await(file + " has a position for every stream")
          .atMost(PATIENCE)
          .pollInterval(Duration.ofMillis(500))
          .until(() -> positions(name) >= locations * 5L);
      assertThat(cluster.connect().status(name).all("RUNNING")).isTrue();
    } finally {
      cluster.connect().stop(name);
      cluster.connect().deleteOffsets(name);
      cluster.connect().delete(name);
    }
  }

  private static long positions(String name) {
    return cluster
        .connect()
        .offsets(name)
        .valueStream()
        .filter(offset -> offset.at("/offset/snapshot").asText().equals("completed"))
        .count();
  }

  @Test
  void runsOneLocationAndCreatesItsTopics() throws Exception {
    runs("one-location.json", 1);

    assertThat(cluster.topics().topics()).contains("pos.products", "pos.register-transactions");
    assertThat(topic("pos.products", "cleanup.policy")).isEqualTo("compact");
    assertThat(topic("pos.register-transactions", "retention.ms")).isEqualTo("31536000000");
    assertThat(topic("pos.checkpoints", "cleanup.policy")).isEqualTo("delete");
    assertThat(topic("pos.checkpoints", "retention.ms")).isEqualTo("2592000000");
    assertThat(topic("connect-pos-offsets", "segment.bytes")).isEqualTo("16777216");
  }

  private static String topic(String name, String setting) throws Exception {
    ConfigResource resource = new ConfigResource(ConfigResource.Type.TOPIC, name);
    try (Admin admin = admin()) {
      return admin.describeConfigs(Set.of(resource)).all().get().get(resource).get(setting).value();
    }
  }

  @Test
  void runsChain() throws Exception {
    runs("chain.json", 3);
  }

  @Test
  void runsAtLeastOnce() throws Exception {
    runs("at-least-once.json", 1);
  }

  @Test
  void runsJsonConverter() throws Exception {
    runs("json-converter.json", 1);
  }

  @Test
  void refusesTopicsWithoutPermission() throws Exception {
    Map<String, String> settings = settings(StrictFiles.json(CONFIG.resolve("one-location.json")));
    settings.put("topic.prefix", "other");
    cluster.connect().put("other", settings);
    try {
      assertThat(cluster.connect().awaitFailed("other").toString()).contains("uthoriz");
      assertThat(cluster.topics().topics()).noneMatch(topic -> topic.startsWith("other."));
    } finally {
      cluster.connect().delete("other");
    }
  }
}
