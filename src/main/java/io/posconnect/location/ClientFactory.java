package io.posconnect.location;

import io.posconnect.client.ApiClient;
import io.posconnect.client.Credentials;
import io.posconnect.client.HttpApiClient;
import io.posconnect.client.Transports;
import io.posconnect.config.SourceConfig;

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
   * Returns a factory of clients that keep their keys, for one configuration: they share
   * connections and certificates, which take longer to read than a service to answer.
   */
  static ClientFactory sharing() {
    Transports transports = new Transports();
    return (config, location) -> {
      Credentials credentials = config.credentials(location);
      return new HttpApiClient(config.connection(location), () -> credentials, transports);
    };
  }
}
