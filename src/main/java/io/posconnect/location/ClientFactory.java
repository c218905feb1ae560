package io.posconnect.location;

import io.posconnect.client.ApiClient;
import io.posconnect.client.Connection;
import io.posconnect.client.Connection.ProxyServer;
import io.posconnect.client.Connection.Timeouts;
import io.posconnect.client.Credentials;
import io.posconnect.client.HttpApiClient;
import io.posconnect.client.Transports;
import io.posconnect.config.SourceConfig;
import io.posconnect.config.SourceConfig.LocationSettings;
import io.posconnect.json.BodyLimits;
import java.lang.ref.WeakReference;
import org.jspecify.annotations.Nullable;

/** Makes the client of a location. */
@FunctionalInterface
public interface ClientFactory {

  /**
   * Makes a client, which sends nothing yet.
   *
   * @throws IllegalArgumentException when the settings of the transport cannot work; its message
   *     holds no secret
   */
  ApiClient create(SourceConfig config, LocationSettings location);

  /**
   * Returns a factory of clients that keep their keys. Those of one configuration share connections
   * and certificates, which take longer to read than a service to answer.
   */
  static ClientFactory sharing() {
    return new ClientFactory() {

      private WeakReference<@Nullable SourceConfig> last = new WeakReference<>(null);
      private Transports transports = new Transports();

      @Override
      @SuppressWarnings("ReferenceEquality") // An equal one may come after its files were replaced.
      public synchronized ApiClient create(SourceConfig config, LocationSettings location) {
        if (last.get() != config) {
          last = new WeakReference<>(config);
          transports = new Transports();
        }
        Credentials credentials = location.credentials();
        return new HttpApiClient(connection(config, location), () -> credentials, transports);
      }
    };
  }

  /**
   * The way to a location's service.
   *
   * @throws IllegalArgumentException when the settings cannot work; without any secret
   */
  static Connection connection(SourceConfig config, LocationSettings location) {
    return new Connection(
        location.name(),
        location.baseUrl(),
        config.userAgent().orElse(Connection.USER_AGENT),
        new Timeouts(Timeouts.DEFAULT.connect(), config.requestTimeout(), config.stallTimeout()),
        config.proxy().orElse(ProxyServer.NONE),
        config.ssl(),
        BodyLimits.DEFAULT.withRowBytes(config.rowMaxBytes()),
        config.privacyAt(location.name()));
  }
}
