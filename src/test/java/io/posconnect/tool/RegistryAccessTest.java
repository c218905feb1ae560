package io.posconnect.tool;

import static java.util.stream.Collectors.toMap;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.posconnect.hostile.Answer;
import io.posconnect.hostile.Call;
import io.posconnect.hostile.Certificates;
import io.posconnect.hostile.HostileService;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.avro.Schema;
import org.apache.avro.SchemaBuilder;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A registry that demands a bearer token, over TLS of a private authority. */
class RegistryAccessTest {

  private static final String TOKEN = "token-of-the-registry";
  private static final String PASSWORD = "changeit";
  private static final Schema ROW =
      SchemaBuilder.record("Row").namespace("till").fields().requiredLong("id").endRecord();

  @TempDir private static Path folder;
  private static Certificates certificates;
  @AutoClose private static HostileService server;

  @BeforeAll
  static void start() throws Exception {
    certificates = new Certificates(folder, PASSWORD);
    server = HostileService.start(certificates.context(), RegistryAccessTest::answer);
  }

  private static Answer answer(Call call) {
    if (!call.header("Authorization").equals("Bearer " + TOKEN)) {
      return Answer.json("401 No", "");
    }
    if (call.path().matches("/subjects/(refused|page)-key/versions")) {
      return Answer.json(call.path().contains("page") ? "200 OK" : "409 No", "<html>");
    }
    return Answer.json(
        call.path().startsWith("/subjects/pos.") ? "{\"id\":7}" : "{\"schema\":\"\\\"long\\\"\"}");
  }

  private static Path client(String... lines) throws IOException {
    return Files.write(folder.resolve("client.properties"), List.of(lines));
  }

  private static SchemaRegistry registry(String... lines) throws IOException {
    return new SchemaRegistry(access(server.baseUrl().toString(), client(lines)));
  }

  private static RegistryAccess access(String address, Path client) {
    return Run.cluster(Map.of(), silent(), "--registry", address, "--client", client).registry();
  }

  private static Screen silent() {
    PrintWriter nowhere = new PrintWriter(Writer.nullWriter());
    return new Screen(nowhere, nowhere);
  }

  private static Map<String, String> converter(String... lines) {
    return Stream.of(lines)
        .flatMap(String::lines)
        .map(line -> line.split("=", 2))
        .collect(toMap(pair -> "value.converter." + pair[0], pair -> pair[1]));
  }

  private static String store() {
    return "schema.registry.ssl.truststore.location=%s\nschema.registry.ssl.truststore.password=%s"
        .formatted(certificates.trusted(), PASSWORD);
  }

  @Test
  void readsAndRegistersWithTokenAndStore() throws IOException {
    SchemaRegistry registry =
        registry(
            "schema.registry.bearer.auth.token=" + TOKEN,
            "bearer.auth.credentials.source=STATIC_TOKEN",
            store());

    assertThat(registry.byId(1)).contains(Schema.create(Schema.Type.LONG));
    assertThat(registry.register("pos.rows-value", ROW)).isEqualTo(7);
    assertThat(server.calls()).map(Call::path).contains("/subjects/pos.rows-value/versions");
    assertThatThrownBy(() -> registry.register("refused-key", ROW))
        .isInstanceOfSatisfying(
            EndedException.class, ended -> assertThat(ended.code).isEqualTo(ExitCode.FOUND))
        .hasMessageContaining("refused-key is refused (409)");
    assertThatThrownBy(() -> registry.register("page-key", ROW))
        .hasMessageContaining("answers without subject page-key: it may be the address of some");
  }

  @Test
  void isRefusedWithoutOneOfThem() throws IOException {
    assertThatThrownBy(() -> registry("bearer.auth.token=" + TOKEN).byId(1))
        .isInstanceOf(EndedException.class)
        .hasMessageContaining("schema.registry.ssl.truststore.…")
        .hasMessageNotContaining(TOKEN);
    SchemaRegistry wrong = registry("bearer.auth.token=x" + TOKEN, store());
    assertThatThrownBy(() -> wrong.byId(1))
        .isInstanceOf(EndedException.class)
        .hasMessageContaining("does not admit the tool (401). Give it a user")
        .hasMessageNotContaining(TOKEN);
  }

  @Test
  void takesTheConvertersSettingsAndKeepsThemFromTheBrokers() throws IOException {
    Map<String, String> converter =
        converter(
            "schema.registry.url=" + server.baseUrl(),
            "bearer.auth.credentials.source=STATIC_TOKEN",
            "bearer.auth.token=" + TOKEN,
            store());
    StringWriter printed = new StringWriter();
    Screen screen = new Screen(new PrintWriter(printed), new PrintWriter(printed));
    ClusterOptions.Cluster settings = Run.cluster(converter, screen, "--bootstrap", "b:9092");

    assertThat(settings.kafka()).isEqualTo(Map.of("bootstrap.servers", "b:9092"));
    screen.line(TOKEN + " " + PASSWORD);
    assertThat(printed).hasToString("******** ********\n");
    assertThat(new SchemaRegistry(settings.registry()).byId(1)).isPresent();
  }

  @ParameterizedTest
  @CsvSource({
    "basic.auth.user.info, u:p, Basic dTpw",
    "schema.registry.basic.auth.user.info, u:p, Basic dTpw",
    "bearer.auth.token, own, Bearer own",
    "schema.registry.url, https://u:p@of_file, Basic dTpw",
    "client.id, audit, Bearer token-of-the-registry",
  })
  void theFileIsAdmittedInItsOwnWay(String setting, String value, String header)
      throws IOException {
    Map<String, String> converter =
        converter(
            "schema.registry.url=https://c:d@of-converter",
            "schema.registry.basic.auth.user.info=a:b",
            "schema.registry.bearer.auth.token=" + TOKEN);

    ClusterOptions.Cluster cluster =
        Run.cluster(
            converter,
            silent(),
            "--client",
            client("bootstrap.servers=b:9092", setting + "=" + value));

    assertThat(cluster.registry().authorization()).contains(header);
  }

  @ParameterizedTest
  @CsvSource({
    "https://other, false",
    "http://of-converter, false",
    "https://of-converter:8081, false",
    "https://Of-Converter/, true",
    "https://second_registry:8081/apis/ccompat/v7, true",
  })
  void theConvertersSecretGoesToNoOtherAddress(String address, boolean admitted) {
    Map<String, String> converter =
        converter(
            "schema.registry.url=https://of-converter,https://second_registry:8081",
            "bearer.auth.token=" + TOKEN,
            "schema.registry.basic.auth.user.info=a:b");

    ClusterOptions.Cluster cluster = Run.cluster(converter, silent(), "--registry", address);

    assertThat(cluster.registry().authorization().isPresent()).isEqualTo(admitted);
  }

  @Test
  void registersAsTheConverterIsAdmitted() {
    Map<String, String> settings = Run.settings("https://service.invalid", "${env:KEY}");
    settings.put("resources", "products");
    settings.putAll(converter("bearer.auth.token=" + TOKEN, store()));

    Run run =
        Run.of("schemas", Run.file(folder, settings), "--register", server.baseUrl()).ending(0);
    assertThat(run.out()).contains("pos.products-value registered as 7");
  }

  @Test
  void namesWhatItDoesNotKnow() throws IOException {
    Path client = client("bearer.auth.credentials.source=OAUTHBEARER");
    assertThatThrownBy(() -> access("http://r:8081", client))
        .isInstanceOf(EndedException.class)
        .hasMessageContaining("bearer.auth.credentials.source", "STATIC_TOKEN");
    Path store = client("schema.registry.ssl.truststore.location=/none/trust.p12");
    assertThatThrownBy(() -> access("https://r:8081", store))
        .isInstanceOfSatisfying(
            EndedException.class, ended -> assertThat(ended.code).isEqualTo(ExitCode.UNREADABLE))
        .hasMessageContaining("schema.registry.ssl.truststore.location");
  }
}
