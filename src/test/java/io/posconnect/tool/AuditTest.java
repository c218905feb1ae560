package io.posconnect.tool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.posconnect.hostile.Answer;
import io.posconnect.hostile.Call;
import io.posconnect.hostile.Certificates;
import io.posconnect.hostile.HostileService;
import io.posconnect.record.Checkpoint;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import javax.net.ssl.SSLContext;
import org.apache.avro.Schema;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The audit's options, and what cannot be reached. */
class AuditTest {

  private static final String SECRET = "a-password-that-is-never-shown";

  @TempDir private Path folder;

  private Path config() {
    return Run.file(folder, Run.settings("http://127.0.0.1:1", "a-key-that-is-never-shown"));
  }

  private Path client(String... lines) throws IOException {
    return Files.write(folder.resolve("client.properties"), List.of(lines));
  }

  @Test
  void namesTheOptionThatIsMissingOrWrong() {
    Run none = Run.of("audit", config()).ending(ExitCode.UNREADABLE.number);
    assertThat(none.text()).contains("Name the brokers with --bootstrap");

    for (List<String> wrong :
        List.of(
            List.of("--registry", "user:" + SECRET),
            List.of("--share", "2"),
            List.of("--keys", "-1"),
            List.of("--since", "yesterday"),
            List.of("--since", "2099-01-01T00:00:00Z"),
            List.of("--resource", "nothing"))) {
      Run run =
          Run.of("audit", config(), "--bootstrap", "127.0.0.1:1", wrong.get(0), wrong.get(1))
              .ending(ExitCode.UNREADABLE.number);
      assertThat(run.all()).doesNotContain(SECRET);
    }
  }

  @Test
  void printsInOneFormOnly() {
    Run run =
        Run.of("audit", config(), "--bootstrap", "127.0.0.1:1", "--json", "--prometheus")
            .ending(ExitCode.UNREADABLE.number);
    assertThat(run.text()).contains("--json", "--prometheus", "mutually exclusive");
  }

  @Test
  void avroWithoutRegistryIsAnOptionThatIsMissing() {
    RecordDecoder decoder =
        new RecordDecoder(new SchemaRegistry(RegistryAccess.of(Map.of()))::byId);

    assertThatThrownBy(() -> decoder.decode(new byte[] {0, 0, 0, 0, 1, 2}, Checkpoint.SCHEMA))
        .isInstanceOfSatisfying(
            EndedException.class, ended -> assertThat(ended.code).isEqualTo(ExitCode.UNREADABLE))
        .hasMessageContaining("--registry");
  }

  @Test
  void showsNoSettingOfClientThatCannotConnect() throws Exception {
    SSLContext unknown = new Certificates(folder, SECRET).context();
    HostileService brokers = HostileService.start(unknown, AuditTest::schema);
    Map<String, String> reasons =
        Map.of(
            "security.protocol=SSL\ndefault.api.timeout.ms=60000\nbootstrap.servers="
                + brokers.baseUrl().getAuthority(),
            "a certificate is not trusted. Check security.protocol and the ssl settings.",
            "request.timeout.ms=500",
            "no broker answers there",
            "sasl.jaas.config=" + SECRET + "\nsecurity.protocol=SASL_PLAINTEXT",
            "a setting has no valid form, such as sasl.jaas.config",
            "security.protocol=" + SECRET,
            "the value is invalid for configuration security.protocol",
            "interceptor.classes=no.Such",
            "there is no class no.Such. Run the tool with that jar: java -cp",
            "sasl.client.callback.handler.class=no.Such",
            "the value is invalid for configuration sasl.client.callback.handler.class: there is no",
            "bootstrap.servers=nowhere.invalid:9092",
            "its host is unknown, or it is not HOST:PORT",
            "group.protocol=consumer\nsession.timeout.ms=9",
            "a setting is missing, or contradicts another",
            "security.protocol=SSL\nssl.keystore.type=PEM\nssl.keystore.key=" + SECRET,
            "a setting has no valid form, such as sasl.jaas.config",
            "security.protocol=SSL\nssl.truststore.location=/none/trust.p12",
            "there is no file /none/trust.p12");
    for (String wrong : reasons.keySet()) {
      Path client = client("bootstrap.servers=127.0.0.1:1", "default.api.timeout.ms=1000", wrong);
      Run run = Run.of("audit", config(), "--client", client).ending(ExitCode.BROKEN.number);
      assertThat(run.text()).contains(" cannot be read: " + reasons.get(wrong));
      assertThat(run.all()).doesNotContain(SECRET, "\tat ");
    }
    brokers.close();
  }

  @Test
  void takesEachSettingFromTheNearestPlace() throws IOException {
    Map<String, String> converter =
        Map.of(
            "value.converter.schema.registry.url",
            "http://of-converter:8081",
            "value.converter.basic.auth.user.info",
            "user:" + SECRET);
    Path client = client("bootstrap.servers=of-file:9092", "client.id=audit");
    StringWriter printed = new StringWriter();
    Screen screen = new Screen(new PrintWriter(printed), new PrintWriter(printed));
    ClusterOptions.Cluster settings = Run.cluster(converter, screen, "--client", client);
    assertThat(settings.registry().address()).contains(URI.create("http://of-converter:8081"));
    screen.line("The secret is " + SECRET);
    assertThat(printed).hasToString("The secret is ********\n");
    assertThat(settings.kafka())
        .isEqualTo(Map.of("bootstrap.servers", "of-file:9092", "client.id", "audit"));

    ClusterOptions.Cluster given =
        Run.cluster(
            Map.of(),
            screen,
            "--bootstrap",
            "given:9092",
            "--registry",
            "https://u:p@given:8081, https://second:8081",
            "--client",
            client);
    assertThat(given.kafka()).containsEntry("bootstrap.servers", "given:9092");
    assertThat(given.registry().address()).contains(URI.create("https://u:p@given:8081"));
    assertThat(given.registry().authorization()).contains("Basic dTpw");
  }

  @Test
  void readsEachSchemaOnceAndNamesRegistryThatFails() throws IOException {
    try (HostileService server = HostileService.start(AuditTest::schema)) {
      String address = server.baseUrl() + "/registry/";
      SchemaRegistry registry =
          registry(Map.of(RegistryAccess.ADDRESS, address, "basic.auth.user.info", "u:p"));
      assertThat(registry.byId(1)).contains(Schema.create(Schema.Type.LONG));
      RecordDecoder decoder = new RecordDecoder(registry::byId);
      int before = server.calls().size();
      for (int i = 0; i < 2; i++) {
        assertThat(decoder.decode(new byte[] {0, 0, 0, 0, 1, 2}, Checkpoint.SCHEMA)).isEmpty();
      }
      assertThatThrownBy(() -> registry.byId(2))
          .isInstanceOf(EndedException.class)
          .hasMessageContaining("has no schema 2. Check its address");
      assertThat(server.calls()).hasSize(before + 2);
      assertThat(registry.byId(3)).isEmpty();
      assertThat(registry.byId(4)).as("Protobuf").contains(Schema.create(Schema.Type.NULL));
      String withPassword = address.replace("//", "//u:" + SECRET + "@");
      SchemaRegistry inUrl = registry(Map.of(RegistryAccess.ADDRESS, withPassword));
      assertThatThrownBy(() -> inUrl.byId(1))
          .isInstanceOf(EndedException.class)
          .hasMessageContaining("401")
          .hasMessageNotContaining(SECRET);
    }
  }

  private static Answer schema(Call call) {
    boolean known = call.header("Authorization").equals("Basic dTpw");
    if (known && call.path().equals("/registry/schemas/ids/3")) {
      return Answer.json("404 No", "{\"error_code\":40403,\"message\":\"No content\"}");
    }
    if (known && call.path().equals("/registry/schemas/ids/4")) {
      return Answer.json("200 OK", "{\"schemaType\":\"PROTOBUF\",\"schema\":\"message A {}\"}");
    }
    String status =
        !known ? "401 No" : call.path().equals("/registry/schemas/ids/1") ? "200 OK" : "404 No";
    return Answer.json(status, "{\"schema\":\"\\\"long\\\"\"}");
  }

  private static SchemaRegistry registry(Map<String, String> settings) {
    return new SchemaRegistry(RegistryAccess.of(settings));
  }
}
