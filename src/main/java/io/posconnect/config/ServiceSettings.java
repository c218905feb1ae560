package io.posconnect.config;

import static io.posconnect.config.Setting.Scope.GENERAL;
import static io.posconnect.config.Setting.Scope.LOCATION;
import static io.posconnect.config.SettingTable.given;
import static java.util.function.Predicate.not;
import static org.apache.kafka.common.config.ConfigDef.Importance.HIGH;
import static org.apache.kafka.common.config.ConfigDef.Importance.LOW;

import io.posconnect.client.Connection.ProxyServer;
import io.posconnect.resource.ServiceAddress;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.ConfigDef.ConfigKey;
import org.apache.kafka.common.config.ConfigDef.Validator;
import org.apache.kafka.common.config.SslConfigs;
import org.apache.kafka.common.config.types.Password;

/** Lists the settings of the service, its locations and the connection. */
final class ServiceSettings {

  static final SettingTable SERVICE = new SettingTable("Service", GENERAL);

  static final SettingTable TRANSPORT = new SettingTable("Transport", GENERAL);

  static final String HEADERS = "request.headers.";

  private static final Duration LONGEST_TIMEOUT = Duration.ofDays(1);

  private static final Duration LONGEST_BACKOFF = Duration.ofDays(365);

  static final Setting<URI> BASE_URL =
      SERVICE
          .text("base.url", Validators.BASE_URL, ServiceAddress::of)
          .defaultText("required")
          .named(HIGH, "Base address")
          .in(GENERAL, LOCATION)
          .doc(
              "Address of the service. It must use https unless allow.http is set, or the host is"
                  + " loopback and there is no proxy.");

  static final Setting<List<String>> LOCATIONS =
      SERVICE
          .list("locations", Validators.LOCATIONS)
          .defaultText("one, named by location.name")
          .named(HIGH, "Locations")
          .dependents("location.name", "api.key", "api.password")
          .doc(
              "Names of the locations to read. Each needs a key of its own: locations.<name>.api.key,"
                  + " or for one of them api.key. Keys, offsets and metrics contain the names.");

  static final Setting<String> LOCATION_NAME =
      SERVICE
          .text("location.name", Validators.LOCATION_NAME)
          .defaultsTo("default")
          .named(LOW, "Name of the only location")
          .visibleIf(not(given("locations")))
          .doc(
              "Name of the only location if locations is not given. Connectors that write to the same"
                  + " topics need different names, or the rows of one replace those of another.");

  static final Setting<Password> API_KEY =
      SERVICE
          .secret("api.key", null)
          .defaultText("required")
          .named(HIGH, "API key")
          .in(GENERAL, LOCATION)
          .visibleIf(not(given("locations")))
          .doc(
              "Key of the location, sent as the user name of HTTP Basic. Use a reference to a secret"
                  + " rather than the secret itself.");

  static final Setting<Password> API_PASSWORD =
      SERVICE
          .secret("api.password", null)
          .defaultsTo("")
          .named(LOW, "API password")
          .in(GENERAL, LOCATION)
          .visibleIf(not(given("locations")))
          .doc(
              "Password beside the key, for a service that requires one. The general one is not sent"
                  + " to a location's own base.url.");

  static final Setting<Password> REQUEST_HEADERS =
      SERVICE
          .secret(HEADERS, Validators.REQUEST_HEADER)
          .named(LOW, "Header of every request")
          .in(GENERAL, LOCATION)
          .doc(
              "Value of one more header in every request, such as request.headers.X-Gateway-Key. It"
                  + " is treated as the key is: it goes to no other address, also not to a"
                  + " location's own base.url.");

  static final Setting<Boolean> VALIDATE_CONNECTION =
      SERVICE
          .flag("validate.connection")
          .defaultsTo(true)
          .named(LOW, "Try the connection")
          .doc(
              "Whether the connector tries a configuration before it accepts it: the identity of each"
                  + " key and the first rows of each resource.");

  static final Setting<Double> RATE_LIMIT_SHARE =
      TRANSPORT
          .share("rate.limit.share", Validators.POSITIVE_SHARE)
          .defaultsTo(0.9)
          .named(LOW, "Share of the rate limit")
          .doc(
              "Share of the service's limit that the connector uses. Lower it if other clients use"
                  + " the key. Connectors with the same key on one worker share the limit, and the"
                  + " lowest share applies.");

  static final Setting<Duration> REQUEST_TIMEOUT =
      TRANSPORT
          .millis("request.timeout.ms", 1, LONGEST_TIMEOUT)
          .defaultsTo(180_000L)
          .named(LOW, "Time-out of a request")
          .doc("Longest wait for the headers of a response; a full list can take minutes.");

  static final Setting<Duration> STALL_TIMEOUT =
      TRANSPORT
          .millis("stall.timeout.ms", 1, LONGEST_TIMEOUT)
          .defaultsTo(30_000L)
          .named(LOW, "Time-out of a slow body")
          .doc(
              "Longest wait for each KB of a body, and for the whole of /whoami. A slower body is cut"
                  + " and requested again.");

  static final Setting<Duration> RETRY_BACKOFF =
      TRANSPORT
          .millis("retry.backoff.ms", 1, LONGEST_BACKOFF)
          .defaultsTo(1_000L)
          .named(LOW, "First back-off")
          .doc(
              "Longest first wait after a failure. The wait is random, and its bound doubles with each"
                  + " failure.");

  static final Setting<Duration> RETRY_BACKOFF_MAX =
      TRANSPORT
          .millis("retry.backoff.max.ms", 1, LONGEST_BACKOFF)
          .defaultsTo(300_000L)
          .named(LOW, "Longest back-off")
          .doc(
              "Longest wait after a failure, even if the service asks for more with Retry-After. A"
                  + " suspended stream is probed at least once in twice this time.");

  static final Setting<Boolean> ALLOW_HTTP =
      TRANSPORT
          .flag("allow.http")
          .defaultsTo(false)
          .named(LOW, "Allow plain HTTP")
          .doc(
              "Whether the key may travel unencrypted to a host that is not loopback, or to a"
                  + " proxy.");

  static final Setting<String> USER_AGENT =
      TRANSPORT
          .text("user.agent", Validators.USER_AGENT)
          .defaultText("name and version of the connector")
          .named(LOW, "User agent")
          .doc(
              "Value of the User-Agent header. A proxy is asked for a tunnel under the name of the HTTP library.");

  static final Setting<ProxyServer> PROXY_URL =
      TRANSPORT
          .text("proxy.url", Validators.PROXY_URL, ProxyServer::of)
          .named(LOW, "Proxy")
          .doc("Address of an HTTP proxy.");

  static final String TRUST_STORE = SslConfigs.SSL_TRUSTSTORE_LOCATION_CONFIG;

  static final String KEY_STORE = SslConfigs.SSL_KEYSTORE_LOCATION_CONFIG;

  /** Kafka's own TLS settings of a client, with its names, defaults and documentation. */
  static final SettingTable TLS = tls();

  private ServiceSettings() {}

  /** What only requests need: all settings here but the names of the locations. */
  static Stream<Setting<?>> connection() {
    return Stream.of(SERVICE, TRANSPORT, TLS)
        .<Setting<?>>flatMap(table -> table.settings().stream())
        .filter(setting -> !List.of(LOCATIONS, LOCATION_NAME).contains(setting));
  }

  private static SettingTable tls() {
    SettingTable table = new SettingTable("TLS", GENERAL);
    ConfigDef kafkas = new ConfigDef();
    SslConfigs.addClientSslSupport(kafkas);
    // Only Kafka's own factory is used, and to parse the name of a class is to load it.
    kafkas.configKeys().remove(SslConfigs.SSL_ENGINE_FACTORY_CLASS_CONFIG);
    kafkas.configKeys().values().forEach(key -> add(key, table));
    return table;
  }

  private static void add(ConfigKey key, SettingTable table) {
    boolean type = key.name.endsWith("store.type");
    boolean file = key.name.endsWith("store.location");
    boolean host = key.name.equals(SslConfigs.SSL_ENDPOINT_IDENTIFICATION_ALGORITHM_CONFIG);
    Validator validator = file ? Validators.FILE : host ? Validators.HOST_CHECK : key.validator;
    SettingTable.Builder<Object> setting =
        table
            .of(key.name, key.type, validator, raw -> raw)
            .defaultsTo(key.defaultValue)
            .named(key.importance, "TLS: " + key.name.substring(4).replace('.', ' '));
    if (type) {
      setting.recommending("JKS", "PKCS12", "PEM");
    } else if (key.name.endsWith("manager.algorithm")) {
      setting.defaultText("the JVM's");
    } else if (file) {
      setting.dependents(passwordOf(key.name));
    } else if (key.name.endsWith("store.password")) {
      setting.visibleIf(given(key.name.replace(".password", ".location")));
    }
    String text = key.documentation.strip();
    text = text.endsWith(".") ? text : text + ".";
    setting.doc(host ? text + " The connector accepts no other value than https." : text);
  }

  static String passwordOf(String location) {
    return location.replace(".location", ".password");
  }
}
