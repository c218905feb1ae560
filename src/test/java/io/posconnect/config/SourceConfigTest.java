package io.posconnect.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.entry;

import io.posconnect.client.Connection;
import io.posconnect.client.Connection.ProxyServer;
import io.posconnect.client.Credentials;
import io.posconnect.client.RetryPolicy;
import io.posconnect.problem.IncidentException;
import io.posconnect.record.Destination.EventFormat;
import io.posconnect.record.RowSchema.DecimalMode;
import io.posconnect.record.Topics;
import io.posconnect.resource.StartFrom;
import io.posconnect.resource.Stream;
import io.posconnect.resource.StreamSettings;
import io.posconnect.resource.StreamSettings.RowErrors;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.ConfigDef.ConfigKey;
import org.apache.kafka.common.config.ConfigValue;
import org.apache.kafka.common.config.SslConfigs;
import org.apache.kafka.common.config.types.Password;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class SourceConfigTest {

  private static final Stream PRODUCTS = new Stream("default", "products");

  @Test
  void hasTlsSettingsAndDefaultsOfKafkaClients() {
    ConfigDef kafkas = new ConfigDef();
    SslConfigs.addClientSslSupport(kafkas);
    // To parse the name of a class would be to load it.
    kafkas.configKeys().remove(SslConfigs.SSL_ENGINE_FACTORY_CLASS_CONFIG);
    Map<String, ConfigKey> own = SourceConfig.definition(Map.of()).configKeys();

    assertThat(own.keySet())
        .filteredOn(name -> name.startsWith("ssl."))
        .containsExactlyInAnyOrderElementsOf(kafkas.configKeys().keySet());
    assertThat(kafkas.configKeys().values())
        .allSatisfy(
            key -> {
              assertThat(own.get(key.name).type).isEqualTo(key.type);
              assertThat(own.get(key.name).defaultValue).isEqualTo(key.defaultValue);
              assertThat(own.get(key.name).documentation).startsWith(key.documentation.strip());
            });
  }

  @Test
  void readsSmallestConfigurationWithDefaults() {
    SourceConfig config = Props.one().config();

    assertThat(config.connectorName()).isEqualTo("pos");
    assertThat(config.locations()).containsExactly("default");
    Connection connection = config.connection("default");
    assertThat(connection.location()).isEqualTo("default");
    assertThat(connection.baseUrl()).isEqualTo(URI.create("https://api.example.com"));
    assertThat(connection.userAgent()).isEqualTo(Connection.USER_AGENT);
    assertThat(config.credentials("default")).isEqualTo(new Credentials("key-of-default", ""));
    assertThat(config.streams())
        .extracting(Stream::resource)
        .containsExactly(
            "customers", "inventory", "locations", "products", "register-transactions");
    assertThat(config.taskStreams()).isEmpty();
    assertThat(config.topics())
        .isEqualTo(
            new Topics(
                "pos", "{prefix}.{resource}", "pos.checkpoints", "pos.status", "pos.dead-letters"));
    assertThat(config.proxy()).isEmpty();
    assertThat(config.ssl()).containsEntry("ssl.truststore.type", "JKS");
    assertThat(config.ssl()).doesNotContainKey("ssl.truststore.location");
    assertThat(config.schema("products")).isEmpty();
    assertThat(config.exactlyOnce()).isFalse();
    assertThat(config.settings(PRODUCTS))
        .isEqualTo(
            new StreamSettings(
                PRODUCTS,
                config.resource(PRODUCTS),
                new StartFrom.Fixed(Instant.parse("2000-01-01T00:00:00Z")),
                Duration.ofDays(365),
                Duration.ofDays(1),
                Duration.ofDays(7),
                "",
                0.3,
                Duration.ofMinutes(10),
                1_000_000,
                Duration.ofMinutes(1),
                RowErrors.DEAD_LETTER,
                1_000_000,
                false,
                Duration.ofMinutes(10)));
  }

  /** As a form posts them whose fields show the defaults. */
  @Test
  void acceptsEveryDefaultThatIsGiven() {
    Props props = Props.one();
    SourceConfig.definition(Map.of()).configKeys().values().stream()
        .filter(key -> key.hasDefault() && key.defaultValue != null)
        .filter(key -> !props.map().containsKey(key.name))
        .forEach(
            key -> props.with(key.name, ConfigDef.convertToString(key.defaultValue, key.type)));
    assertThat(props.config().streams()).isEqualTo(Props.one().config().streams());
  }

  @Test
  void readsEveryGeneralSetting() {
    SourceConfig config =
        Props.of(
                "base.url=http://localhost:8080/v1// api.password=second location.name=downtown"
                    + " topic.template={prefix}-{location}-{resource} checkpoints.topic=r"
                    + " dead.letters.topic=d event.format=flat decimal.handling.mode=double"
                    + " batch.max.records=2 buffer.max.bytes=5 errors.streams=fail"
                    + " rate.limit.share=1 request.timeout.ms=7 stall.timeout.ms=8"
                    + " retry.backoff.ms=9 retry.backoff.max.ms=10 user.agent=till/1"
                    + " proxy.url=http://proxy.example.com:3128 allow.http=true")
            .with("resources", "products, inventory")
            .config();

    assertThat(config.baseUrl("downtown")).isEqualTo(URI.create("http://localhost:8080/v1"));
    assertThat(config.credentials("downtown"))
        .isEqualTo(new Credentials("key-of-default", "second"));
    assertThat(config.streams())
        .containsExactly(new Stream("downtown", "inventory"), new Stream("downtown", "products"));
    assertThat(config.topics().of(new Stream("downtown", "products")))
        .isEqualTo("pos-downtown-products");
    assertThat(config.topics().checkpoints()).isEqualTo("r");
    assertThat(config.topics().deadLetters()).isEqualTo("d");
    assertThat(config.destination(new Stream("downtown", "products")).format())
        .isEqualTo(EventFormat.FLAT);
    assertThat(config.decimalMode()).isEqualTo(DecimalMode.DOUBLE);
    assertThat(config.batchMaxRecords()).isEqualTo(2);
    assertThat(config.bufferMaxBytes()).isEqualTo(5);
    assertThat(config.isolatesStreams()).isFalse();
    assertThat(Props.of("errors.fail.after.ms=6").config().failAfter())
        .isEqualTo(Duration.ofMillis(6));
    assertThat(config.rateLimitShare()).isEqualTo(1);
    Connection connection = config.connection("downtown");
    assertThat(connection.timeouts().request()).isEqualTo(Duration.ofMillis(7));
    assertThat(connection.timeouts().stall()).isEqualTo(Duration.ofMillis(8));
    assertThat(config.retryPolicy())
        .isEqualTo(new RetryPolicy(Duration.ofMillis(9), Duration.ofMillis(10)));
    assertThat(connection.userAgent()).isEqualTo("till/1");
    assertThat(config.proxy()).contains(new ProxyServer("proxy.example.com", 3128));
  }

  @Test
  void readsEverySettingOfAStream() {
    Props props =
        Props.of(
            "start.from=2024-01-31T00:00:00Z window.max.ms=60000"
                + " reconcile.interval.ms=0 reconcile.window.ms=0 snapshot.id=again"
                + " deletes.max.ratio=0 deletes.confirm.ms=1 digest.max.keys=2"
                + " checkpoint.interval.ms=4 errors.rows=skip row.max.bytes=2048");

    assertThat(props.config().settings(PRODUCTS))
        .isEqualTo(
            new StreamSettings(
                PRODUCTS,
                props.config().resource(PRODUCTS),
                new StartFrom.Fixed(Instant.parse("2024-01-31T00:00:00Z")),
                Duration.ofMinutes(1),
                Duration.ZERO,
                Duration.ZERO,
                "again",
                0,
                Duration.ofMillis(1),
                2,
                Duration.ofMillis(4),
                RowErrors.SKIP,
                102_048,
                false,
                Duration.ofMinutes(10)));
  }

  /** A worker that accepted one cannot start the connector, and says a ClassCastException. */
  @Test
  void treatsNullAsAbsentButRefusesItWhenPosted() {
    Props nulls = Props.one().with("batch.max.records", null);
    assertThat(nulls.config().batchMaxRecords()).isEqualTo(4_000);
    assertThat(
            SourceConfig.validate(nulls.map(), any -> List.of(), any -> List.of()).configValues())
        .flatExtracting(ConfigValue::errorMessages)
        .singleElement()
        .asString()
        .startsWith("POS-101 batch.max.records: is null: leave it out.");
  }

  @Test
  void readsNowAndDurationAsTimeBeforeFirstStart() {
    assertThat(Props.one().with("start.from", "now").config().settings(PRODUCTS).startFrom())
        .isEqualTo(new StartFrom.Back(Duration.ZERO));
    assertThat(Props.one().with("start.from", "P30D").config().settings(PRODUCTS).startFrom())
        .isEqualTo(new StartFrom.Back(Duration.ofDays(30)));
  }

  @Test
  void expectsExactlyOnceOnlyIfRequired() {
    assertThat(Props.one().with("exactly.once.support", "required").config().exactlyOnce())
        .isTrue();
    assertThat(Props.one().with("exactly.once.support", "requested").config().exactlyOnce())
        .isFalse();
  }

  @Test
  void passesStreamsAndSettingsToTask() {
    SourceConfig connector = Props.several("b", "a").config();
    List<Stream> own = List.of(new Stream("b", "products"), new Stream("a", "inventory"));

    SourceConfig task = SourceConfig.checked(connector.taskConfig(3, own));

    assertThat(task.taskStreams())
        .containsExactly(new Stream("a", "inventory"), new Stream("b", "products"));
    assertThat(task.streams()).isEqualTo(connector.streams());
    assertThat(task.baseUrl("b")).isEqualTo(connector.baseUrl("b"));
    assertThat(task.credentials("b")).isEqualTo(connector.credentials("b"));
    assertThat(task.connectorName()).isEqualTo("pos");
    assertThat(task.taskNumber()).isEqualTo(3);
  }

  @Test
  void allowsOwnResourcesAndAddressOfLocation() {
    SourceConfig config =
        Props.of(
                "[a,b] locations.b.resources=products"
                    + " locations.b.base.url=https://b.example.com/"
                    + " locations.b.api.password=second resources=inventory")
            .config();

    assertThat(config.streams())
        .containsExactly(new Stream("a", "inventory"), new Stream("b", "products"));
    assertThat(config.baseUrl("a")).isEqualTo(URI.create("https://api.example.com"));
    assertThat(config.baseUrl("b")).isEqualTo(URI.create("https://b.example.com"));
    assertThat(config.credentials("b")).isEqualTo(new Credentials("key-of-b", "second"));
  }

  @Test
  void sendsGeneralHeadersToGeneralAddressOnly() {
    SourceConfig config =
        Props.of(
                "[a,b,c] request.headers.X-Gateway=general locations.b.request.headers.x-gateway=own"
                    + " locations.c.base.url=https://c.example.com"
                    + " locations.c.request.headers.X-Other=third")
            .config();

    assertThat(headers(config, "a")).containsExactly(entry("X-Gateway", "general"));
    assertThat(headers(config, "b")).containsExactly(entry("X-Gateway", "own"));
    assertThat(headers(config, "c")).containsExactly(entry("X-Other", "third"));
    assertThat(config.credentials("a").toString() + config.connection("a") + config.values())
        .doesNotContain("general");
  }

  private static Map<String, String> headers(SourceConfig config, String location) {
    return config.credentials(location).headers();
  }

  @Test
  void usesGeneralKeyForLocationWithoutOwn() {
    SourceConfig config =
        Props.several("a", "b").without("locations.a.api.key").with("api.key", "general").config();

    assertThat(config.credentials("a").key()).isEqualTo("general");
    assertThat(config.credentials("b").key()).isEqualTo("key-of-b");
  }

  @Test
  void parsesTlsSettingsAsKafkaDoes(@TempDir Path folder) throws IOException {
    Path file = Files.writeString(folder.resolve("trust.p12"), "");

    Map<String, Object> ssl =
        Props.one()
            .with("ssl.truststore.location", file.toString())
            .with("ssl.truststore.password", "open sesame")
            .with("ssl.truststore.type", "PKCS12")
            .with("ssl.keystore.key", "-----BEGIN PRIVATE KEY-----")
            .with("ssl.enabled.protocols", "TLSv1.3,TLSv1.2")
            .config()
            .ssl();

    assertThat(ssl)
        .containsEntry("ssl.truststore.location", file.toString())
        .containsEntry("ssl.truststore.password", new Password("open sesame"))
        .containsEntry("ssl.truststore.type", "PKCS12")
        .containsEntry("ssl.keystore.key", new Password("-----BEGIN PRIVATE KEY-----"))
        .containsEntry("ssl.enabled.protocols", List.of("TLSv1.3", "TLSv1.2"))
        .containsEntry("ssl.endpoint.identification.algorithm", "https")
        .doesNotContainKey("base.url");
  }

  @Test
  void keepsGeneralSecretsAtGeneralAddress() {
    SourceConfig config =
        Props.several("a", "b")
            .with("api.password", "general")
            .with("locations.b.base.url", "https://b.example.com")
            .with("locations.b.api.password", "")
            .config();

    assertThat(config.credentials("a").password()).isEqualTo("general");
    assertThat(config.credentials("b").password()).isEmpty();
  }

  @Test
  void readsKeyAgainThoughOtherLocationsShareOne() {
    Map<String, String> props =
        Props.several("a", "b", "c").with("locations.c.api.key", "key-of-b").map();
    SourceConfig config = SourceConfig.unchecked(props);

    Credentials used = config.credentials("b");
    assertThat(config.checkedCredentials("b", used)).isSameAs(used);
    assertThat(config.checkedCredentials("a", used).key()).isEqualTo("key-of-a");
    assertThatThrownBy(() -> config.checkedCredentials("b", Credentials.NONE))
        .isInstanceOf(IncidentException.class)
        .hasMessageStartingWith("POS-108 locations.b.api.key: is the same key as locations.c.");
  }
}
