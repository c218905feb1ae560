package io.posconnect.docs;

import static io.posconnect.docs.ProductionFiles.CONFIG;
import static io.posconnect.docs.ProductionFiles.STRIMZI;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.posconnect.Io;
import io.posconnect.PosSourceConnector;
import io.posconnect.StrictFiles;
import io.strimzi.api.kafka.model.connect.KafkaConnect;
import io.strimzi.api.kafka.model.connector.KafkaConnector;
import java.io.IOException;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.kafka.common.config.ConfigValue;
import org.junit.jupiter.api.Test;

/** Checks the files under {@code config} and {@code docker} without a worker. */
class ProductionFilesTest {

  private static final Pattern REFERENCE = Pattern.compile("\\$\\{\\w+:/[^:}]+:([^:}]+)}");

  /** Connect's own settings in connector configurations. */
  private static final Pattern CONNECTS_OWN =
      Pattern.compile(
          "connector\\.class|tasks\\.max|exactly\\.once\\.support|transaction\\.boundary"
              + "|(key|value)\\.converter(\\..+)?|topic\\.creation\\..+");

  private static final List<Path> WORKERS =
      List.of(
          CONFIG.resolve("worker-distributed.properties"),
          CONFIG.resolve("worker-distributed-confluent.properties"),
          Path.of("docker", "worker.properties"));

  private static final String OVERRIDES = "connector.client.config.override.";

  /** Every connector configuration, including Strimzi's. */
  private static Map<String, Map<String, String>> connectors() throws IOException {
    Map<String, Map<String, String>> all = new TreeMap<>();
    for (Path file : ProductionFiles.connectors()) {
      JsonNode posted = StrictFiles.json(file);
      assertThat(posted.fieldNames()).toIterable().as("%s", file).containsOnly("name", "config");
      all.put(file.toString(), StrictFiles.settings(posted.path("config")));
    }
    Path file = STRIMZI.resolve("kafka-connector.yaml");
    KafkaConnector connector = ProductionFiles.yaml(file, KafkaConnector.class);
    Map<String, String> settings = new LinkedHashMap<>();
    settings.put("connector.class", connector.getSpec().getClassName());
    settings.put("tasks.max", Integer.toString(connector.getSpec().getTasksMax()));
    connector.getSpec().getConfig().forEach((name, value) -> settings.put(name, value.toString()));
    all.put(file.toString(), settings);
    return all;
  }

  @Test
  void acceptsEveryConfigurationInValidation() throws IOException {
    assertThat(connectors()).hasSizeGreaterThan(5);
    for (Map.Entry<String, Map<String, String>> entry : connectors().entrySet()) {
      Map<String, String> settings = resolved(entry.getValue());
      settings.put("name", "validated");
      settings.put("validate.connection", "false");
      List<ConfigValue> values = new PosSourceConnector().validate(settings).configValues();

      assertThat(values)
          .as(entry.getKey())
          .allSatisfy(value -> assertThat(value.errorMessages()).as(value.name()).isEmpty());
      assertThat(values)
          .extracting(ConfigValue::name)
          .as(entry.getKey())
          .containsAll(
              entry.getValue().keySet().stream()
                  .filter(name -> !CONNECTS_OWN.matcher(name).matches())
                  .toList());
    }
  }

  /** Replaces references by possible values. */
  private static Map<String, String> resolved(Map<String, String> settings) {
    Map<String, String> resolved = new LinkedHashMap<>();
    settings.forEach(
        (name, value) -> {
          Matcher reference = REFERENCE.matcher(value);
          String secret = reference.matches() ? reference.group(1) : "";
          resolved.put(
              name,
              secret.isEmpty()
                  ? value
                  : secret.startsWith("base") ? "https://pos.example.com" : "key-of-" + secret);
        });
    return resolved;
  }

  @Test
  void holdsNoSecretInFiles() throws IOException {
    Map<String, Map<String, String>> all = connectors();
    for (Path file : WORKERS) {
      all.put(file.toString(), StrictFiles.properties(file));
    }
    Path secured = CONFIG.resolve("worker-secured.properties");
    all.put(secured.toString(), StrictFiles.properties(secured));
    for (Map.Entry<String, Map<String, String>> file : all.entrySet()) {
      file.getValue().entrySet().stream()
          .filter(e -> e.getKey().matches(".*(api\\.key|password|jaas\\.config|base\\.url)"))
          .forEach(e -> assertThat(e.getValue()).as("%s: %s", file, e).matches(REFERENCE));
    }
  }

  @Test
  void compactsStateAndRetainsTheRest() throws IOException {
    for (Map.Entry<String, Map<String, String>> entry : connectors().entrySet()) {
      Map<String, String> settings = entry.getValue();
      if (entry.getKey().endsWith("quickstart.json")) {
        continue;
      }
      String as = entry.getKey();
      for (String resource : List.of("products", "customers", "inventory", "locations")) {
        assertThat(groupOf("pos." + resource, settings)).as(as).isEqualTo("state");
      }
      assertThat(groupOf("pos.register-transactions", settings)).as(as).isEqualTo("history");
      for (String topic : List.of("checkpoints", "status", "dead-letters")) {
        assertThat(groupOf("pos." + topic, settings)).as(as).isEqualTo("default");
      }
      assertThat(settings)
          .as(as)
          .containsEntry("topic.creation.state.cleanup.policy", "compact")
          .containsEntry("topic.creation.default.cleanup.policy", "delete")
          .containsKeys(
              "topic.creation.default.retention.ms", "topic.creation.history.retention.ms");
    }
  }

  private static String groupOf(String topic, Map<String, String> settings) {
    for (String group : settings.getOrDefault("topic.creation.groups", "").split(",", -1)) {
      String include = settings.getOrDefault("topic.creation." + group + ".include", "");
      if (topic.matches(include)) {
        return group;
      }
    }
    return "default";
  }

  @Test
  void givesWorkersEqualSettingsExceptPlaceAndACompressionThatEveryConsumerReads()
      throws IOException {
    Pattern place =
        Pattern.compile(
            "bootstrap\\.servers|listeners|plugin\\.path|.*replication\\.factor|.*converter.*|.*override.*");
    Map<String, String> first = StrictFiles.properties(WORKERS.get(0));
    first.keySet().removeIf(name -> place.matcher(name).matches());
    assertThat(first)
        .containsKeys("offset.storage.segment.bytes", "config.providers.file.param.allowed.paths")
        // Clients in every language have gzip built in, and only some have lz4, snappy or zstd.
        .containsEntry("producer.compression.type", "gzip");
    for (Path file : WORKERS) {
      Map<String, String> other = StrictFiles.properties(file);
      other.keySet().removeIf(name -> place.matcher(name).matches());
      assertThat(other).as("%s", file).isEqualTo(first);
    }
    for (Path file : WORKERS.subList(0, 2)) {
      assertThat(StrictFiles.properties(file).get("listeners"))
          .as("%s", file)
          .startsWith("http://127.0.0.1:");
    }
    for (String listener :
        StrictFiles.properties(CONFIG.resolve("worker-secured.properties"))
            .get("listeners")
            .split(",", -1)) {
      assertThat(listener).startsWith("https://");
    }
  }

  @Test
  void securesEveryClientLikeTheWorker() throws IOException {
    Map<String, String> secured =
        StrictFiles.properties(CONFIG.resolve("worker-secured.properties"));
    Map<String, String> own = new TreeMap<>();
    secured.forEach(
        (name, value) -> {
          if (name.matches("(security|sasl|ssl)\\..*")) {
            own.put(name, value);
          }
        });
    assertThat(own).containsEntry("security.protocol", "SASL_SSL").hasSizeGreaterThan(4);
    for (String client : List.of("producer.", "consumer.", "admin.")) {
      own.forEach((name, value) -> assertThat(secured).containsEntry(client + name, value));
    }
  }

  @Test
  void usesOnlyFieldsThatStrimziKnows() throws Exception {
    List<String> unknown = new ArrayList<>();
    KafkaConnect connect =
        ProductionFiles.yaml(STRIMZI.resolve("kafka-connect.yaml"), KafkaConnect.class);
    collectUnknown("KafkaConnect", connect, unknown);
    KafkaConnector connector =
        ProductionFiles.yaml(STRIMZI.resolve("kafka-connector.yaml"), KafkaConnector.class);
    collectUnknown("KafkaConnector", connector, unknown);
    assertThat(unknown).isEmpty();

    assertThat(connector.getMetadata().getLabels())
        .containsEntry("strimzi.io/cluster", connect.getMetadata().getName());
    JsonNode metrics = StrictFiles.yaml(STRIMZI.resolve("metrics-config.yaml"));
    JsonNode reference =
        StrictFiles.yaml(STRIMZI.resolve("kafka-connect.yaml"))
            .at("/spec/metricsConfig/valueFrom/configMapKeyRef");
    assertThat(reference.path("name")).isEqualTo(metrics.at("/metadata/name"));
    assertThat(metrics.path("data").has(reference.path("key").asText())).isTrue();
  }

  @Test
  void detectsUnknownStrimziFieldAtEveryLevel() throws Exception {
    String text = Files.readString(STRIMZI.resolve("kafka-connect.yaml"));
    for (String field :
        List.of("replicas:", "passwordSecret:", "configMapKeyRef:", "sha512sum:", "mountPath:")) {
      assertThat(text).contains(field);
      String misspelt = text.replace(field, "x" + field);
      List<String> unknown = new ArrayList<>();
      collectUnknown("KafkaConnect", ProductionFiles.yaml(misspelt, KafkaConnect.class), unknown);
      assertThat(unknown).as(field).hasSize(1);
    }
  }

  /** Collects the fields that Strimzi's classes do not know, at every level. */
  private static void collectUnknown(String where, Object part, List<String> unknown)
      throws ReflectiveOperationException {
    if (part instanceof Collection<?> parts) {
      for (Object each : parts) {
        collectUnknown(where + "[]", each, unknown);
      }
      return;
    }
    if (part == null || !part.getClass().getName().matches("io\\.(strimzi|fabric8)\\..*")) {
      return;
    }
    for (Method method : part.getClass().getMethods()) {
      String name = method.getName();
      if (!name.startsWith("get")
          || method.isBridge()
          || method.getParameterCount() > 0
          || part instanceof Enum<?>) {
        continue;
      }
      Object value = method.invoke(part);
      if (name.equals("getAdditionalProperties")) {
        if (value instanceof Map<?, ?> properties) {
          properties.keySet().forEach(key -> unknown.add(where + "." + key));
        }
      } else if (value != part) {
        collectUnknown(where + "." + name.substring(3), value, unknown);
      }
    }
  }

  @Test
  void configuresStrimziLikeOtherWorkers() throws IOException {
    JsonNode config = StrictFiles.yaml(STRIMZI.resolve("kafka-connect.yaml")).at("/spec/config");
    Map<String, String> worker = StrictFiles.properties(WORKERS.get(0));
    StrictFiles.settings(config)
        .forEach(
            (name, value) -> {
              if (!name.startsWith("config.providers")) {
                assertThat(worker).containsEntry(name, value);
              }
            });

    Map<String, String> chain = connectors().get("config/strimzi/kafka-connector.yaml");
    Map<String, String> posted = connectors().get("config/chain.json");
    assertThat(resolved(chain).keySet()).isEqualTo(posted.keySet());
    chain.forEach(
        (name, value) -> {
          if (!value.startsWith("$")) {
            assertThat(posted).containsEntry(name, value);
          }
        });
  }

  @Test
  void shipsSameAlertsForStrimzi() throws IOException {
    JsonNode rule = StrictFiles.yaml(STRIMZI.resolve("prometheus-rule.yaml"));
    assertThat(rule.path("kind").asText()).isEqualTo("PrometheusRule");
    assertThat(rule.path("apiVersion").asText()).isEqualTo("monitoring.coreos.com/v1");
    assertThat(rule.path("spec"))
        .isEqualTo(StrictFiles.yaml(CONFIG.resolve("monitoring/alerts.yml")));
  }

  @Test
  void strimziKnowsThePluginImage() throws Exception {
    String file = Files.readString(STRIMZI.resolve("kafka-connect.yaml"));
    String mounted =
        file.replaceAll("(?s)\n  build:\n.*?\n  template:", "\n  template:")
            .replaceAll("(?m)^  #(plugins:|  .*)$", "  $1");
    KafkaConnect connect = ProductionFiles.yaml(mounted, KafkaConnect.class);
    List<String> unknown = new ArrayList<>();
    collectUnknown("KafkaConnect", connect, unknown);
    assertThat(unknown).isEmpty();
    assertThat(connect.getSpec().getBuild()).isNull();
    assertThat(connect.getSpec().getPlugins()).hasSize(1);
  }

  @Test
  void thePluginImageHoldsWhatTheWorkersImageDoes() throws IOException {
    String worker = Files.readString(Path.of("docker", "Dockerfile"));
    String plugin = Files.readString(Path.of("docker", "Dockerfile.plugin"));
    assertThat(firstStage(plugin)).isEqualTo(firstStage(worker));
    assertThat(plugin).endsWith("FROM scratch\nCOPY --from=plugins /plugins /\n");
  }

  private static String firstStage(String dockerfile) {
    return dockerfile.substring(dockerfile.indexOf("FROM "), dockerfile.lastIndexOf("\nFROM "));
  }

  /**
   * Of Kafka 4.2 and newer. The other files are for older workers too, which know no list: they
   * allow nothing, and show the same list in a comment.
   */
  @Test
  void shippedWorkersAllowTheOverridesThatPagesRecommendAndNoOthers() throws IOException {
    Set<String> recommended = new TreeSet<>();
    for (Path folder : List.of(Path.of("docs"), CONFIG)) {
      for (Path page : Io.files(folder)) {
        Pattern.compile("(?:producer|consumer|admin)\\.override\\.([a-z.]*[a-z])")
            .matcher(Files.readString(page))
            .results()
            .forEach(override -> recommended.add(override.group(1)));
      }
    }
    assertThat(recommended).isNotEmpty();
    Path ofDocker = Path.of("docker", "worker.properties");
    assertThat(StrictFiles.properties(ofDocker)).containsEntry(OVERRIDES + "policy", "Allowlist");
    Set<Path> others = new LinkedHashSet<>(WORKERS);
    others.remove(ofDocker);
    for (Path file : others) {
      assertThat(StrictFiles.properties(file)).containsEntry(OVERRIDES + "policy", "None");
    }
    others.add(STRIMZI.resolve("kafka-connect.yaml"));
    others.add(ofDocker);
    for (Path file : others) {
      assertThat(file)
          .content()
          .containsPattern("Allowlist")
          .satisfies(text -> assertThat(allowed(text)).as("%s", file).isEqualTo(recommended));
    }
  }

  /** What the list of a file has, whether it is in force or in a comment. */
  private static Set<String> allowed(String text) {
    Matcher list =
        Pattern.compile(Pattern.quote(OVERRIDES) + "allowlist[=:] ?(\\S+)").matcher(text);
    assertThat(list.find()).isTrue();
    return new TreeSet<>(List.of(list.group(1).split(",")));
  }

  @Test
  void namesTheConverterThatIsTested() throws IOException {
    String tested = version(Files.readString(Path.of("pom.xml")), "apicurio.converter.version");
    String fetched = Files.readString(CONFIG.resolve("apicurio-converter.xml"));
    assertThat(fetched)
        .containsPattern(
            "<artifactId>apicurio-registry-utils-converter</artifactId>\\s*<version>" + tested);

    JsonNode artifact =
        StrictFiles.yaml(STRIMZI.resolve("kafka-connect.yaml"))
            .at("/spec/build/plugins/1/artifacts/0");
    assertThat(artifact.path("type").asText()).isEqualTo("maven");
    assertThat(artifact.path("artifact").asText()).isEqualTo("apicurio-registry-utils-converter");
    assertThat(artifact.path("version").asText()).isEqualTo(tested);
  }

  @Test
  void keepsKnownSchemasWhileRegistryIsAway() throws IOException {
    Map<String, Map<String, String>> files = connectors();
    for (Path file : WORKERS) {
      files.put(file.toString(), StrictFiles.properties(file));
    }
    JsonNode strimzi = StrictFiles.yaml(STRIMZI.resolve("kafka-connect.yaml")).at("/spec/config");
    files.put("kafka-connect.yaml", StrictFiles.settings(strimzi));
    int converters = 0;
    for (Map.Entry<String, Map<String, String>> file : files.entrySet()) {
      for (String side : List.of("key.converter", "value.converter")) {
        if (file.getValue().getOrDefault(side, "").startsWith("io.apicurio.")) {
          converters++;
          assertThat(file.getValue())
              .as(file.getKey())
              .containsEntry(side + ".apicurio.registry.fault-tolerant-refresh", "true");
        }
      }
    }
    assertThat(converters).isEqualTo(6);
  }

  @Test
  void usesTestedImagesAndLoopbackPorts() throws IOException {
    String pom = Files.readString(Path.of("pom.xml"));
    Set<String> images = new TreeSet<>();
    JsonNode compose = StrictFiles.yaml(Path.of("docker", "compose.yaml"));
    for (JsonNode service : compose.path("services")) {
      images.add(service.path("image").asText());
      for (JsonNode port : service.path("ports")) {
        assertThat(port.asText()).startsWith("127.0.0.1:");
      }
    }
    String dockerfile = Files.readString(Path.of("docker", "Dockerfile"));
    Pattern.compile("(?m)^FROM (\\S+)")
        .matcher(dockerfile)
        .results()
        .forEach(match -> images.add(match.group(1)));
    assertThat(images)
        .containsExactly(
            "apache/kafka:" + version(pom, "kafka.version"),
            "apicurio/apicurio-registry:" + version(pom, "apicurio.registry.version"),
            "eclipse-temurin:" + version(pom, "maven.compiler.release") + "-jdk",
            "kafka-connect-pos-worker");
    String own = pom.replaceAll("(?s).*?</artifactId>\\s*<version>([^<]+)</version>.*", "$1");
    assertThat(own).matches("\\d+\\.\\d+\\.\\d+.*");
    assertThat(dockerfile + compose).doesNotContain("-pos-" + own);
  }

  private static String version(String pom, String property) {
    Matcher value = Pattern.compile("<" + property + ">([^<]+)<").matcher(pom);
    assertThat(value.find()).as(property).isTrue();
    return value.group(1);
  }
}
