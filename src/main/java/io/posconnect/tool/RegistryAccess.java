package io.posconnect.tool;

import io.posconnect.client.Tls;
import io.posconnect.problem.IncidentException;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;
import okhttp3.HttpUrl;
import okhttp3.OkHttpClient;
import okio.ByteString;
import org.apache.kafka.common.config.AbstractConfig;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.common.utils.Utils;

/**
 * How a registry admits the tool: by user and password, by a token, and over TLS with stores of its
 * own, under the names that Confluent's clients give to these settings.
 *
 * @param address of Confluent's interface; empty where records are JSON
 * @param authorization the header; empty for none
 * @param http follows no redirect, which could take the password to another host
 */
record RegistryAccess(Optional<URI> address, Optional<String> authorization, OkHttpClient http) {

  static final String ADDRESS = "schema.registry.url";

  private static final String PREFIX = "schema.registry.";
  private static final ConfigDef STORES = new ConfigDef().withClientSslSupport();
  private static final Duration ANSWER = Duration.ofSeconds(30);

  /** Whether a setting is of a registry, and of no broker. */
  static boolean has(String setting) {
    return setting.matches("(schema\\.registry|basic\\.auth|bearer\\.auth)\\..+");
  }

  /** Whether a setting decides as whom the registry admits the tool. */
  static boolean isAdmission(String setting) {
    return setting.matches("(schema\\.registry\\.)?(basic|bearer)\\.auth\\..+");
  }

  /** Whether settings have a user or a token, perhaps in the address. */
  static boolean admits(Map<String, String> settings) {
    return ConnectorConfig.secrets(settings, STORES)
        .map(Map.Entry::getKey)
        .anyMatch(name -> name.equals(ADDRESS) || isAdmission(name));
  }

  /** Whether settings name another address than all that the converter's have. */
  static boolean leads(Map<String, String> settings, Map<String, String> converter) {
    String named = settings.get(ADDRESS);
    String own = converter.get(ADDRESS);
    return named != null
        && own != null
        && Stream.of(own.split(",", -1))
            .map(RegistryAccess::origin)
            .noneMatch(origin(named.split(",", 2)[0])::equals);
  }

  /** Scheme, host and port; empty if it has none. */
  private static String origin(String address) {
    HttpUrl url = HttpUrl.parse(address.strip());
    return url == null ? "" : url.redact();
  }

  /**
   * Takes those of the settings that are of a registry.
   *
   * @throws EndedException when the address is none, or a setting names a way that the tool does
   *     not know
   */
  static RegistryAccess of(Map<String, String> settings) {
    Optional<URI> address = Optional.ofNullable(settings.get(ADDRESS)).map(RegistryAccess::uri);
    Map<String, String> own = new TreeMap<>(settings);
    own.keySet().removeIf(name -> !has(name));
    own.putAll(Utils.entriesWithPrefix(settings, PREFIX));
    requireKnown(own, "basic.auth.credentials.source", List.of("URL", "USER_INFO"));
    requireKnown(own, "bearer.auth.credentials.source", List.of("STATIC_TOKEN"));
    Optional<String> token = Optional.ofNullable(own.get("bearer.auth.token"));
    Optional<String> userInfo =
        Optional.ofNullable(own.get("basic.auth.user.info"))
            .or(() -> address.map(HttpUrl::get).map(url -> url.username() + ":" + url.password()))
            .filter(pair -> !pair.equals(":"));
    Optional<String> authorization =
        token
            .map(value -> "Bearer " + value)
            .or(() -> userInfo.map(pair -> "Basic " + ByteString.encodeUtf8(pair).base64()));
    return new RegistryAccess(address, authorization, client(own, address));
  }

  private static URI uri(String text) {
    try {
      // Of several addresses the first.
      URI uri = URI.create(text.split(",", 2)[0].strip());
      if (HttpUrl.get(uri) != null) {
        return uri;
      }
    } catch (IllegalArgumentException e) {
      // Without its message, which quotes a password.
    }
    throw ExitCode.UNREADABLE.because(
        "The registry's address must be a URL such as http://localhost:8081.");
  }

  private static void requireKnown(Map<String, String> own, String setting, List<String> known) {
    String source = own.getOrDefault(setting, known.get(0));
    if (!known.contains(source)) {
      throw ExitCode.UNREADABLE.because(
          "%s of the registry must be one of %s here; --client can give other settings to the tool."
              .formatted(setting, known));
    }
  }

  private static OkHttpClient client(Map<String, String> own, Optional<URI> address) {
    OkHttpClient.Builder client =
        new OkHttpClient.Builder()
            .connectTimeout(ANSWER)
            .readTimeout(ANSWER)
            .followRedirects(false);
    boolean secure = address.filter(uri -> "https".equals(uri.getScheme())).isPresent();
    try {
      if (secure && own.keySet().stream().anyMatch(name -> name.startsWith("ssl."))) {
        Map<String, Object> parsed = new TreeMap<>(new AbstractConfig(STORES, own, false).values());
        parsed.values().removeIf(value -> value == null);
        new Tls(parsed).apply(client);
      }
    } catch (IncidentException e) {
      throw ExitCode.UNREADABLE.because("schema.registry." + e.incident().observed());
    } catch (ConfigException e) {
      // Without its message, which may quote a value.
      throw ExitCode.UNREADABLE.because("A setting schema.registry.ssl.… has no valid form.");
    }
    return client.build();
  }
}
