package io.posconnect.config;

import static io.posconnect.config.Setting.Group.SERVICE;
import static io.posconnect.config.Setting.Group.TRANSPORT;
import static io.posconnect.config.Setting.Scope.GENERAL;
import static io.posconnect.config.Setting.Scope.LOCATION;
import static org.apache.kafka.common.config.ConfigDef.Importance.HIGH;
import static org.apache.kafka.common.config.ConfigDef.Importance.LOW;

import java.net.URI;
import java.time.Duration;
import java.util.List;
import org.apache.kafka.common.config.types.Password;

/** The service, its locations and the way to them. */
final class ServiceSettings {

  static final Setting<URI> BASE_URL =
      SettingBuilder.text("base.url", Check.BASE_URL, ServiceSettings::withoutTrailingSlash)
          .byText("required")
          .in(SERVICE, HIGH, "Base address")
          .scopes(GENERAL, LOCATION)
          .doc("Address of the service; https, unless the host is loopback or allow.http is set.");

  static final Setting<List<String>> LOCATIONS =
      SettingBuilder.list("locations", Check.LOCATIONS)
          .by(List.of())
          .byText("one, named by location.name")
          .in(SERVICE, HIGH, "Locations")
          .dependents("location.name", "api.key", "api.password")
          .doc(
              "Names of the locations to read, each of which then has locations.<name>.api.key."
                  + " The names stand in keys, offsets and metrics.");

  static final Setting<String> LOCATION_NAME =
      SettingBuilder.text("location.name", Check.LOCATION)
          .by("default")
          .in(SERVICE, LOW, "Name of the only location")
          .shown(advice -> advice.unlessGiven("locations"))
          .doc("What the only location is called when locations is not given.");

  static final Setting<Password> API_KEY =
      SettingBuilder.secret("api.key")
          .byText("required")
          .in(SERVICE, HIGH, "API key")
          .scopes(GENERAL, LOCATION)
          .shown(advice -> advice.unlessGiven("locations"))
          .doc("Key of the location; better a reference to a secret than the secret itself.");

  static final Setting<Password> API_PASSWORD =
      SettingBuilder.secret("api.password")
          .by("")
          .byText("empty")
          .in(SERVICE, LOW, "Second secret")
          .scopes(GENERAL, LOCATION)
          .shown(advice -> advice.unlessGiven("locations"))
          .doc("Password beside the key, for a service that wants one.");

  static final Setting<Boolean> VALIDATE_CONNECTION =
      SettingBuilder.flag("validate.connection")
          .by(true)
          .in(SERVICE, LOW, "Try the connection")
          .doc(
              "Whether a configuration is tried against the service before it is accepted: the"
                  + " identity of each key and the cheapest read of each resource.");

  static final Setting<Double> RATE_LIMIT_SHARE =
      SettingBuilder.share("rate.limit.share", Check.positiveShare())
          .by(0.9)
          .in(TRANSPORT, LOW, "Share of the rate limit")
          .doc(
              "Share of the service's limit that may be used; lower it if others use the key. What"
                  + " runs on one worker and uses one key shares it, and the lowest share holds.");

  static final Setting<Duration> REQUEST_TIMEOUT =
      SettingBuilder.millis("request.timeout.ms", 1)
          .by(180_000L)
          .in(TRANSPORT, LOW, "Time-out of a request")
          .doc("Longest wait for the headers of a response; a full list can take minutes.");

  static final Setting<Duration> STALL_TIMEOUT =
      SettingBuilder.millis("stall.timeout.ms", 1)
          .by(30_000L)
          .in(TRANSPORT, LOW, "Time-out of a silent body")
          .doc("Longest silence between two pieces of a body.");

  static final Setting<Duration> RETRY_BACKOFF =
      SettingBuilder.millis("retry.backoff.ms", 1)
          .by(1_000L)
          .in(TRANSPORT, LOW, "First back-off")
          .doc("Ceiling of the first random wait after a failure; it doubles with each failure.");

  static final Setting<Duration> RETRY_BACKOFF_MAX =
      SettingBuilder.millis("retry.backoff.max.ms", 1)
          .by(300_000L)
          .in(TRANSPORT, LOW, "Longest back-off")
          .doc(
              "Longest wait after a failure, also when the service asks for a longer one with"
                  + " Retry-After. A stream that is suspended is probed after twice that at most.");

  static final Setting<Boolean> ALLOW_HTTP =
      SettingBuilder.flag("allow.http")
          .by(false)
          .in(TRANSPORT, LOW, "Allow plain HTTP")
          .doc("Whether the key may travel unencrypted to a host that is not loopback.");

  static final Setting<String> USER_AGENT =
      SettingBuilder.text("user.agent", Check.USER_AGENT)
          .byText("name and version of the connector")
          .in(TRANSPORT, LOW, "User agent")
          .doc("How the connector introduces itself.");

  static final Setting<URI> PROXY_URL =
      SettingBuilder.text("proxy.url", Check.PROXY_URL, URI::create)
          .byText("none")
          .in(TRANSPORT, LOW, "Proxy")
          .doc("Address of an HTTP proxy.");

  static final List<Setting<?>> ALL =
      List.of(
          BASE_URL,
          LOCATIONS,
          LOCATION_NAME,
          API_KEY,
          API_PASSWORD,
          VALIDATE_CONNECTION,
          RATE_LIMIT_SHARE,
          REQUEST_TIMEOUT,
          STALL_TIMEOUT,
          RETRY_BACKOFF,
          RETRY_BACKOFF_MAX,
          ALLOW_HTTP,
          USER_AGENT,
          PROXY_URL);

  private ServiceSettings() {}

  private static URI withoutTrailingSlash(String text) {
    return URI.create(text.replaceAll("/+$", ""));
  }
}
