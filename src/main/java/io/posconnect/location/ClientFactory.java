package io.posconnect.location;

import io.posconnect.client.ApiClient;
import io.posconnect.client.Connection;
import io.posconnect.client.Connection.ProxyServer;
import io.posconnect.client.Connection.Timeouts;
import io.posconnect.client.Credentials;
import io.posconnect.client.HttpApiClient;
import io.posconnect.client.RetryPolicy;
import io.posconnect.config.SourceConfig;
import io.posconnect.config.SourceConfig.LocationSettings;
import io.posconnect.json.BodyLimits;
import java.lang.ref.WeakReference;
import org.jspecify.annotations.Nullable;

/** Makes the client of a location. */
@FunctionalInterface
public interface ClientFactory {

  /**
   * Contacts nobody yet.
   *
   * @throws IllegalArgumentException when the settings of the transport cannot work; its message
   *     holds no secret
   */
  ApiClient create(SourceConfig config, LocationSettings location);

  /**
   * Makes clients for as long as nobody changes their keys; those of one configuration share what
   * they can, for certificates take longer to read than a service to answer.
   */
  static ClientFactory sharing() {
    return new ClientFactory() {

      private WeakReference<@Nullable SourceConfig> last = new WeakReference<>(null);
      private @Nullable HttpApiClient first;

      @Override
      @SuppressWarnings("ReferenceEquality") // An equal one may come after its files were replaced.
      public synchronized ApiClient create(SourceConfig config, LocationSettings location) {
        Connection connection = connection(config, location);
        Credentials credentials = credentials(location);
        HttpApiClient beside = last.get() == config ? first : null;
        if (beside != null) {
          return beside.beside(connection, () -> credentials);
        }
        HttpApiClient client = new HttpApiClient(connection, () -> credentials);
        last = new WeakReference<>(config);
        first = client;
        return client;
      }
    };
  }

  /**
   * How a location is reached.
   *
   * @throws IllegalArgumentException when the settings cannot work; without any secret
   */
  static Connection connection(SourceConfig config, LocationSettings location) {
    return new Connection(
        location.name(),
        location.baseUrl(),
        config.allowHttp(),
        config.userAgent().orElse(Connection.USER_AGENT),
        new Timeouts(Timeouts.DEFAULT.connect(), config.requestTimeout(), config.stallTimeout()),
        config.proxy().map(ProxyServer::of).orElse(ProxyServer.NONE),
        config.ssl(),
        BodyLimits.DEFAULT.withRowBytes(config.rowMaxBytes()),
        config.privacyAt(location.name()));
  }

  static RetryPolicy retries(SourceConfig config) {
    return new RetryPolicy(config.retryBackoff(), config.retryBackoffMax());
  }

  static Credentials credentials(LocationSettings location) {
    return new Credentials(location.apiKey().value(), location.apiPassword().value());
  }
}
