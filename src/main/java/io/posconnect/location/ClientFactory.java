package io.posconnect.location;

import io.posconnect.client.ApiClient;
import io.posconnect.client.Connection;
import io.posconnect.client.Credentials;
import io.posconnect.client.HttpApiClient;
import io.posconnect.client.ProxyServer;
import io.posconnect.client.StoreFile;
import io.posconnect.client.Timeouts;
import io.posconnect.config.SourceConfig;
import io.posconnect.config.SourceConfig.LocationSettings;
import io.posconnect.json.BodyLimits;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.Map;
import org.apache.kafka.common.config.types.Password;
import org.jspecify.annotations.Nullable;

/** How a location is reached, from the configuration. */
public final class ClientFactory {

  private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(15);

  private ClientFactory() {}

  /**
   * How a location is reached.
   *
   * @throws IllegalArgumentException when the settings cannot work; without any secret
   */
  public static Connection of(SourceConfig config, LocationSettings location) {
    return new Connection(
        location.name(),
        location.baseUrl(),
        config.allowHttp(),
        config.userAgent().orElseGet(Connection::defaultUserAgent),
        new Timeouts(CONNECT_TIMEOUT, config.requestTimeout(), config.stallTimeout()),
        config.proxy().map(uri -> ProxyServer.parse(uri.toString())).orElse(ProxyServer.NONE),
        store(config, "ssl.truststore"),
        store(config, "ssl.keystore"),
        BodyLimits.DEFAULT);
  }

  private static StoreFile store(SourceConfig config, String prefix) {
    Map<String, Object> ssl = config.ssl();
    if (!ssl.containsKey(prefix + ".location")) {
      return StoreFile.NONE;
    }
    return new StoreFile(
        String.valueOf(ssl.get(prefix + ".location")),
        ssl.get(prefix + ".password") instanceof Password password ? password.value() : "",
        StoreFile.Type.valueOf(String.valueOf(ssl.get(prefix + ".type"))));
  }

  /**
   * Makes clients for as long as nobody changes their keys; those of one configuration share what
   * they can, for certificates take longer to read than a service to answer.
   */
  /** Makes the client of a location. */
  @FunctionalInterface
  public interface Dialler {
    /**
     * Contacts nobody yet.
     *
     * @throws IllegalArgumentException when the settings of the transport cannot work; its message
     *     holds no secret
     */
    ApiClient connect(SourceConfig config, LocationSettings location);
  }

  public static Dialler dialler() {
    return new Dialler() {

      private WeakReference<@Nullable SourceConfig> last = new WeakReference<>(null);
      private @Nullable HttpApiClient first;

      @Override
      @SuppressWarnings("ReferenceEquality") // An equal one may come after its files were replaced.
      public synchronized ApiClient connect(SourceConfig config, LocationSettings location) {
        Credentials credentials = credentials(location);
        HttpApiClient beside = last.get() == config ? first : null;
        if (beside != null) {
          return beside.beside(of(config, location), () -> credentials);
        }
        HttpApiClient client = new HttpApiClient(of(config, location), () -> credentials);
        last = new WeakReference<>(config);
        first = client;
        return client;
      }
    };
  }

  public static Credentials credentials(LocationSettings location) {
    return new Credentials(location.apiKey().value(), location.apiPassword().value());
  }
}
