package io.posconnect.tool;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.posconnect.Io;
import io.posconnect.config.SourceConfig;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.avro.Schema;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SchemasTest {

  @TempDir private Path folder;

  private Map<String, String> settings() {
    Map<String, String> settings =
        Run.settings("${file:/no/such/file:base.url}", "${file:/no/such/file:never-shown}");
    settings.put("resources.loyalty-transactions.path", "/loyalty");
    return settings;
  }

  private Path schemas(Object... more) {
    Path out = folder.resolve("schemas");
    Object[] options = Stream.concat(Stream.of("--out", out), Stream.of(more)).toArray();
    Run run = Run.of("schemas", Run.file(folder, settings()), options).ending(0);
    assertThat(run.all()).doesNotContain("never-shown");
    return out;
  }

  private static JsonNode asyncApi(Path out) throws IOException {
    return ConnectorConfig.JSON.readTree(Files.readString(out.resolve("asyncapi.json")));
  }

  @Test
  void needsNothingOfWhatOnlyRequestsNeed() {
    Map<String, String> settings = settings();
    // Every setting of these groups, also one that is new.
    SourceConfig.definition(Map.of()).configKeys().values().stream()
        .filter(key -> List.of("Service", "Transport", "TLS").contains(key.group))
        .filter(key -> !key.name.startsWith("location"))
        .forEach(key -> settings.put(key.name, "${file:/no/such/file:setting}"));
    settings.put("locations", "a,b");
    settings.put("locations.a.api.key", "${file:/no/such/file:a}");
    settings.put("locations.b.api.key", "${file:/no/such/file:b}");
    settings.put("locations.b.api.password", "${file:/no/such/file:password}");
    settings.put("locations.b.base.url", "http://10.0.0.1");

    assertThat(Run.of("schemas", Run.file(folder, settings)).code()).isZero();
  }

  @Test
  void refusesToRegisterBesideTables() {
    Path file = Run.file(folder, settings());
    Run run =
        Run.of("schemas", file, "--flink", "--register", "http://127.0.0.1:1")
            .ending(ExitCode.UNREADABLE.number);
    assertThat(run.text()).contains("Give --register without --flink.");
  }

  @Test
  void tablesNameTheClusterOfTheClientsFileWithoutItsPassword() throws IOException {
    Path client = folder.resolve("client.properties");
    Files.writeString(
        client,
        """
        bootstrap.servers=broker-1:9092
        schema.registry.url=http://reader:never-shown@registry:8081/ccompat
        """);
    Run run =
        Run.of("schemas", Run.file(folder, settings()), "--flink", "--client", client.toString())
            .ending(0);
    assertThat(run.out())
        .contains("'properties.bootstrap.servers' = 'broker-1:9092'")
        .contains("'value.avro-confluent.url' = 'http://registry:8081/ccompat'")
        .doesNotContain("never-shown", "BROKERS", "REGISTRY");
  }

  private Run things(String schema) {
    Map<String, String> settings = Run.things("https://service.invalid", "${env:KEY}");
    settings.put("resources.things.schema", schema);
    return Run.of("schemas", Run.file(folder, settings));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      quoteCharacter = '`',
      textBlock =
          """
          {"name":"a-b","type":"int"}; a-b
          {"name":"price","type":"money"}; money
          {"name":"price","type":"int"},{"name":"price","type":"int"}; Duplicate field price
          {"name":"price","type":"int","default":"x"}; Invalid default for field price
          {"name":"price","type":; line: 1
          {"name":"price","type":["null","string","int"]}; field price is a union
          """)
  void namesFaultOfSchemaAndItsField(String field, String words) {
    Run run =
        things("{\"type\":\"record\",\"name\":\"T\",\"fields\":[" + field + "]}")
            .ending(ExitCode.FOUND.number);
    assertThat(run.text()).contains("resources.things.schema", words);
    assertThat(run.err().length()).isLessThan(600);
  }

  @ParameterizedTest
  @ValueSource(strings = {"--bootstrap", "--registry"})
  void takesAddressesForFlinkOnly(String option) {
    Run run =
        Run.of("schemas", Run.file(folder, settings()), option, "b:9092")
            .ending(ExitCode.UNREADABLE.number);
    assertThat(run.text()).contains("Give --bootstrap and --registry with --flink.");
  }

  @Test
  void endsWithOneForFaultAndTwoForCommandLine() {
    Path file = Run.file(folder, settings());

    for (String command : List.of("schemas", "discover")) {
      Run faulty =
          Run.of(
                  command,
                  file,
                  "--set",
                  "batch.max.records=many",
                  "--set",
                  "base.url=https://a.b",
                  "--set",
                  "api.key=a-key")
              .ending(ExitCode.FOUND.number);
      assertThat(faulty.err()).contains("POS-101 batch.max.records");
      Run nowhere = Run.of(command, file, "--out", "").ending(ExitCode.UNREADABLE.number);
      assertThat(nowhere.err()).contains("--out");
    }
  }

  @Test
  void writesEverySubjectOfEveryTopicOnce() throws IOException {
    Path out = schemas();
    List<String> topics =
        List.of(
            ("pos.products pos.customers pos.register-transactions pos.inventory"
                    + " pos.locations pos.loyalty-transactions pos.checkpoints pos.status"
                    + " pos.dead-letters")
                .split(" "));

    assertThat(Io.names(out))
        .containsExactlyInAnyOrderElementsOf(
            Stream.concat(
                    topics.stream().flatMap(t -> Stream.of(t + "-key.avsc", t + "-value.avsc")),
                    Stream.of("asyncapi.json"))
                .toList());
    assertThat(Run.schema(out.resolve("pos.products-value.avsc")).getField("after")).isNotNull();
    assertThat(Run.schema(out.resolve("pos.products-key.avsc")).getFields())
        .extracting(Schema.Field::name)
        .containsExactly("location", "productId");
  }

  @Test
  void followsTheFormatAndTheTemplate() throws IOException {
    Path out =
        schemas(
            "--set", "event.format=flat", "--set", "topic.template={prefix}.{location}.{resource}");

    assertThat(Run.schema(out.resolve("pos.default.products-value.avsc")).getField("price"))
        .isNotNull();
    assertThat(asyncApi(out).at("/channels").has("pos.default.products")).isTrue();
  }

  @Test
  void writesTheSameOnEveryRun() throws IOException {
    String first = Files.readString(schemas().resolve("asyncapi.json"));

    assertThat(Files.readString(schemas().resolve("asyncapi.json"))).isEqualTo(first);
  }

  @Test
  void describesEachTopicWithItsKey() throws IOException {
    JsonNode document = asyncApi(schemas());
    JsonNode event = document.path("components").path("messages").path("pos.products.record");

    assertThat(document.path("asyncapi").asText()).isEqualTo("3.0.0");
    assertThat(document.path("channels")).hasSize(9);
    assertThat(document.path("operations")).hasSize(9);
    assertThat(event.at("/payload/schema/name").asText()).isEqualTo("Envelope");
    assertThat(event.at("/bindings/kafka/key/fields")).hasSize(2);
    assertThat(event.has("headers")).isFalse();
    assertThat(document.at("/channels/pos.products/messages")).hasSize(2);
    assertThat(document.at("/channels/pos.checkpoints/messages")).hasSize(1);
  }

  @Test
  void describesTopicsThatAreNamedLikeAWordOfATemplate() throws IOException {
    JsonNode document =
        asyncApi(schemas("--set", "topic.prefix=NAME.CONTENT", "--set", "name=a\"VERSION"));

    assertThat(document.at("/info/title").asText()).isEqualTo("a\"VERSION");
    assertThat(document.at("/channels/NAME.CONTENT.products/address").asText())
        .isEqualTo("NAME.CONTENT.products");
  }

  @ParameterizedTest
  @ValueSource(strings = {"record", "tombstone"})
  void describesTheHeadersOfFlatEvents(String message) throws IOException {
    JsonNode event =
        asyncApi(schemas("--set", "event.format=flat"))
            .path("components")
            .path("messages")
            .path("pos.products." + message);

    assertThat(event.at("/headers/properties/__op/type").asText()).isEqualTo("string");
    assertThat(event.at("/headers/properties/__source_seq/type").asText()).isEqualTo("integer");
  }
}
