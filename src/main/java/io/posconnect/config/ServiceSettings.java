package io.posconnect.config;

import static io.posconnect.config.Setting.Scope.GENERAL;
import static io.posconnect.config.SettingTable.given;
import static java.util.function.Predicate.not;
import static org.apache.kafka.common.config.ConfigDef.Importance.HIGH;
import static org.apache.kafka.common.config.ConfigDef.Importance.LOW;

import java.net.URI;
import java.time.Duration;
import java.util.List;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.ConfigDef.ConfigKey;
import org.apache.kafka.common.config.SslConfigs;
import org.apache.kafka.common.config.types.Password;

/** Lists the settings of the service, its locations and the way to them. */
final class ServiceSettings {

  static final SettingTable SERVICE = new SettingTable("Service", GENERAL);

  static final SettingTable TRANSPORT = new SettingTable("Transport", GENERAL);

  private static final Duration LONGEST_TIMEOUT = Duration.ofDays(1);

  private static final Duration LONGEST_BACKOFF = Duration.ofDays(365);

  static final Setting<URI> BASE_URL =
      SERVICE
          .text("base.url", Validators.BASE_URL, ServiceSettings::withoutTrailingSlash)
          .byText("required")
          .named(HIGH, "Base address")
          .alsoForLocations()
          .doc(
              "Address of the service; https, unless allow.http is set, or the host is loopback and"
                  + " no proxy stands between.");

  static final Setting<List<String>> LOCATIONS =
      SERVICE
          .list("locations", Validators.LOCATIONS)
          .by(List.of())
          .byText("one, named by location.name")
          .named(HIGH, "Locations")
          .dependents("location.name", "api.key", "api.password")
          .doc(
              "Names of the locations to read, each of which then has locations.<name>.api.key."
                  + " The names stand in keys, offsets and metrics.");

  static final Setting<String> LOCATION_NAME =
      SERVICE
          .text("location.name", Validators.LOCATION)
          .by("default")
          .named(LOW, "Name of the only location")
          .shown(not(given("locations")))
          .doc("What the only location is called when locations is not given.");

  static final Setting<Password> API_KEY =
      SERVICE
          .secret("api.key")
          .byText("required")
          .named(HIGH, "API key")
          .alsoForLocations()
          .shown(not(given("locations")))
          .doc("Key of the location; better a reference to a secret than the secret itself.");

  static final Setting<Password> API_PASSWORD =
      SERVICE
          .secret("api.password")
          .by("")
          .named(LOW, "Second secret")
          .alsoForLocations()
          .shown(not(given("locations")))
          .doc("Password beside the key, for a service that wants one.");

  static final Setting<Boolean> VALIDATE_CONNECTION =
      SERVICE
          .flag("validate.connection")
          .by(true)
          .named(LOW, "Try the connection")
          .doc(
              "Whether a configuration is tried against the service before it is accepted: the"
                  + " identity of each key and the cheapest read of each resource.");

  static final Setting<Double> RATE_LIMIT_SHARE =
      TRANSPORT
          .share("rate.limit.share", Validators.POSITIVE_SHARE)
          .by(0.9)
          .named(LOW, "Share of the rate limit")
          .doc(
              "Share of the service's limit that may be used; lower it if others use the key. What"
                  + " runs on one worker and uses one key shares it, and the lowest share holds.");

  static final Setting<Duration> REQUEST_TIMEOUT =
      TRANSPORT
          .millis("request.timeout.ms", 1, LONGEST_TIMEOUT)
          .by(180_000L)
          .named(LOW, "Time-out of a request")
          .doc("Longest wait for the headers of a response; a full list can take minutes.");

  static final Setting<Duration> STALL_TIMEOUT =
      TRANSPORT
          .millis("stall.timeout.ms", 1, LONGEST_TIMEOUT)
          .by(30_000L)
          .named(LOW, "Time-out of a slow body")
          .doc("Longest wait for each KB of a body; one that brings less is cut.");

  static final Setting<Duration> RETRY_BACKOFF =
      TRANSPORT
          .millis("retry.backoff.ms", 1, LONGEST_BACKOFF)
          .by(1_000L)
          .named(LOW, "First back-off")
          .doc("Ceiling of the first random wait after a failure; it doubles with each failure.");

  static final Setting<Duration> RETRY_BACKOFF_MAX =
      TRANSPORT
          .millis("retry.backoff.max.ms", 1, LONGEST_BACKOFF)
          .by(300_000L)
          .named(LOW, "Longest back-off")
          .doc(
              "Longest wait after a failure, also when the service asks for a longer one with"
                  + " Retry-After. A stream that is suspended is probed after twice that at most.");

  static final Setting<Boolean> ALLOW_HTTP =
      TRANSPORT
          .flag("allow.http")
          .by(false)
          .named(LOW, "Allow plain HTTP")
          .doc(
              "Whether the key may travel unencrypted to a host that is not loopback, or to a"
                  + " proxy.");

  static final Setting<String> USER_AGENT =
      TRANSPORT
          .text("user.agent", Validators.USER_AGENT)
          .byText("name and version of the connector")
          .named(LOW, "User agent")
          .doc("How the connector introduces itself.");

  static final Setting<URI> PROXY_URL =
      TRANSPORT
          .text("proxy.url", Validators.PROXY_URL, URI::create)
          .byText("none")
          .named(LOW, "Proxy")
          .doc("Address of an HTTP proxy.");

  static final String TRUST_STORE = SslConfigs.SSL_TRUSTSTORE_LOCATION_CONFIG;

  static final String KEY_STORE = SslConfigs.SSL_KEYSTORE_LOCATION_CONFIG;

  /** Kafka's own settings of a client's TLS: its names, defaults and documentation. */
  static final SettingTable TLS = tls();

  private ServiceSettings() {}

  private static SettingTable tls() {
    SettingTable table = new SettingTable("TLS", GENERAL);
    ConfigDef kafkas = new ConfigDef();
    SslConfigs.addClientSslSupport(kafkas);
    for (ConfigKey key : kafkas.configKeys().values()) {
      if (key.name.equals(SslConfigs.SSL_ENGINE_FACTORY_CLASS_CONFIG)) {
        continue; // No factory but Kafka's own is asked, and to parse it would be to load it.
      }
      boolean type = key.name.endsWith("store.type");
      boolean file = key.name.endsWith("store.location");
      SettingTable.Builder<Object> setting =
          table
              .of(
                  key.name,
                  key.type,
                  type ? Validators.STORE_TYPE : file ? Validators.FILE : key.validator,
                  raw -> raw)
              .by(key.defaultValue)
              .named(key.importance, "TLS: " + key.name.substring(4).replace('.', ' '));
      if (type) {
        setting.offered("JKS", "PKCS12", "PEM");
      } else if (key.name.endsWith("manager.algorithm")) {
        setting.byText("the JVM's");
      } else if (file) {
        setting.dependents(passwordOf(key.name));
      } else if (key.name.endsWith("store.password")) {
        setting.shown(given(key.name.replace(".password", ".location")));
      }
      String text = key.documentation.strip();
      setting.doc(text.endsWith(".") ? text : text + ".");
    }
    return table;
  }

  static String passwordOf(String location) {
    return location.replace(".location", ".password");
  }

  private static URI withoutTrailingSlash(String text) {
    int end = text.length();
    while (text.charAt(end - 1) == '/') {
      end--;
    }
    return URI.create(text.substring(0, end));
  }
}
