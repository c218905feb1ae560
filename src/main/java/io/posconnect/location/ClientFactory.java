package io.posconnect.location;

import io.posconnect.client.ApiClient;
import io.posconnect.client.Credentials;
import io.posconnect.client.HttpApiClient;
import io.posconnect.client.Transports;
import io.posconnect.config.SourceConfig;
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
  ApiClient create(SourceConfig config, String location);

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
      public synchronized ApiClient create(SourceConfig config, String location) {
        if (last.get() != config) {
          last = new WeakReference<>(config);
          transports = new Transports();
        }
        Credentials credentials = config.credentials(location);
        return new HttpApiClient(config.connection(location), () -> credentials, transports);
      }
    };
  }
}
