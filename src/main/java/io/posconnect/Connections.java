package io.posconnect;

import io.posconnect.client.ApiClient;
import io.posconnect.client.BodyLimits;
import io.posconnect.client.Connection;
import io.posconnect.client.Credentials;
import io.posconnect.client.HttpApiClient;
import io.posconnect.client.ProxyServer;
import io.posconnect.client.StoreFile;
import io.posconnect.client.Timeouts;
import io.posconnect.config.LocationSettings;
import io.posconnect.config.SourceConfig;
import io.posconnect.config.StoreSettings;
import java.time.Duration;
import java.util.Optional;

/** How a location is reached, from the configuration. */
final class Connections {

  private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(15);

  private Connections() {}

  /**
   * @throws IllegalArgumentException when the settings cannot work; without any secret
   */
  static Connection of(SourceConfig config, LocationSettings location) {
    return new Connection(
        location.name(),
        location.baseUrl(),
        config.allowHttp(),
        config.userAgent().orElseGet(Connection::defaultUserAgent),
        new Timeouts(CONNECT_TIMEOUT, config.requestTimeout(), config.stallTimeout()),
        config.proxy().map(uri -> ProxyServer.parse(uri.toString())).orElse(ProxyServer.NONE),
        store(config.trustStore()),
        store(config.keyStore()),
        BodyLimits.DEFAULT);
  }

  private static StoreFile store(Optional<StoreSettings> settings) {
    return settings
        .map(
            s ->
                new StoreFile(
                    s.file().toString(),
                    s.password().value(),
                    StoreFile.Type.valueOf(s.type().name())))
        .orElse(StoreFile.NONE);
  }

  /** A client for as long as nobody changes the key. */
  static ApiClient connect(SourceConfig config, LocationSettings location) {
    Credentials credentials = credentials(location);
    return new HttpApiClient(of(config, location), () -> credentials);
  }

  static Credentials credentials(LocationSettings location) {
    return new Credentials(location.apiKey().value(), location.apiPassword().value());
  }
}
